// Memory of several kinds, on machines that have such: programs say which they want when MPI gets it for them.
#pragma once

#include <string>
#include <vector>

#include "simulator/engine/units.hpp"

namespace hindcast::mpi {

class MemoryKinds {
 public:
  // The key of info objects that says which, and what it may say.
  virtual const char* info_key() const = 0;
  virtual const std::vector<std::string>& kinds() const = 0;

  // A program has been given memory of this kind, a number among kinds(), or has given it back.
  virtual void note(const void* memory, Bytes bytes, std::size_t kind) = 0;
  virtual void forget(const void* memory) = 0;

 protected:
  ~MemoryKinds() = default;
};

}  // namespace hindcast::mpi
