// Who calls a function of cellos.h, and with what. What is wrong ends the run with one line.
#pragma once

#include <cstdint>
#include <string>

#include "mpi_impl/libraries/cellos/include/cellos.h"
#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::cellos {

// The calling rank's cell.
Cell& caller(const programs::LibraryCall& call);
// The caller, of what is among the cells alone.
Cell& calling_cell(const programs::LibraryCall& call);
Cell& caller_beside_host(const programs::LibraryCall& call);

[[noreturn]] void refuse(Cell& cell, const char* function, const std::string& what);

// A call that names another cell and a type, and data.
struct Call {
  const char* function;
  Space space;
  std::uint32_t domain;
  int cell;
  int type;

  matching::Key key(int source) const { return {domain, source, type}; }
};

// Arguments of calls with a domain come one later.
inline int argument(const Call& call, int number) { return number + (call.space == Space::domains ? 1 : 0); }
std::string name_of(const char* name, int number, const Call& call);

void check_type(Cell& self, const Call& call, int number, const char* or_any);
void check_peer(Cell& self, const Call& call, bool may_be_any);
// The data is argument `number`, its size the one behind that.
void check_data(Cell& self, const Call& call, int number, const void* data, int bytes, const char* name_of_bytes);
void check_length(Cell& self, const Call& call, int number, Bytes bytes);
void check_flag(Cell& self, const char* function, int number, const int* flag);
// The items of argument `number`, whose shape is the one behind that.
Strided strided(Cell& self, const char* function, const void* first, l_items items, int number, const char* name);

}  // namespace hindcast::cellos
