// A process's global memory, as it has asked for it and told others of it: a unit moves data to and from nothing else.
#pragma once

#include <cstddef>
#include <map>

#include "simulator/engine/units.hpp"

namespace hindcast::earth_simulator {

class OwnGlobalMemory {
 public:
  void allocated(const void* memory, Bytes bytes);
  // Whether it had been allocated; then it is forgotten.
  bool freed(const void* memory);

  void tell(const void* memory, Bytes bytes);
  // It has been given back, by whatever call: nothing of it is told any more.
  void forget(const void* memory, Bytes bytes);
  // All of it, at once.
  bool is_told(const void* memory, Bytes bytes) const;

 private:
  using Areas = std::map<const std::byte*, const std::byte*>;  // where each ends, by where it begins
  Areas allocated_;
  Areas told_;
};

}  // namespace hindcast::earth_simulator
