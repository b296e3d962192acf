// Info objects: keys and values, in the order in which the keys were first set.
#pragma once

#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "mpi_impl/core/handle.hpp"

namespace hindcast::mpi {

class Process;

class Hints {
 public:
  void set(const std::string& key, const std::string& value);
  void set_all(const Hints& others) {
    for (const auto& [key, value] : others.hints_) set(key, value);
  }
  const std::string* find(const std::string& key) const;  // null if there is none
  bool remove(const std::string& key);                    // whether there was one
  int size() const { return static_cast<int>(hints_.size()); }
  const std::string& key(int n) const { return hints_[static_cast<std::size_t>(n)].first; }

 private:
  std::vector<std::pair<std::string, std::string>> hints_;
};

// What MPI_Info handles stand for.
struct Info : Handled {
  Hints hints;
};

// How the rank was started: what MPI_INFO_ENV says.
Hints hints_of_start(const Process& process);

}  // namespace hindcast::mpi
