// What the interface for tools tells of a rank (MPI-3.1, 14.3): how often and how long each function was called, how
// many objects there are, and how far the rank is. By number; names and numbers are the same in every run.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hindcast::mpi {

class Process;

struct PerformanceVariable {
  enum class What : std::uint8_t { phase, objects, calls, time };
  What what;
  std::size_t row;  // of the objects, or of the functions
  std::string name;
  std::string description;

  int of_class() const;
  MPI_Datatype type() const;
  // It always runs, and is only read.
  bool is_continuous() const { return what == What::phase || what == What::objects; }
};

int performance_variables();
// Throws unless there is one of this number.
PerformanceVariable performance_variable(int number);
// As it is now. Of a time, picoseconds.
std::uint64_t amount_of(Process& process, const PerformanceVariable& variable);
// Between an amount and what a program has of it, in the variable's type.
void put_amount(const PerformanceVariable& variable, std::uint64_t amount, void* place);
std::uint64_t get_amount(const PerformanceVariable& variable, const void* place);

// The states that the phase has, in order.
std::span<const char* const> names_of_phases();

struct Category {
  std::string name;
  std::string description;
  std::vector<int> controls;  // numbers of variables
  std::vector<int> variables;
  std::vector<int> categories;
};
// `controls` is how many control variables there are.
std::vector<Category> categories(int controls);

}  // namespace hindcast::mpi
