// A shared pointer to what outlives all who have one: nothing is counted. Ranks that share such an object then write to
// no memory of each other's.
#pragma once

#include <memory>

namespace hindcast::mpi {

template <typename T>
std::shared_ptr<const T> uncounted(const T& lasting) {
  return {std::shared_ptr<const T>(), &lasting};
}

}  // namespace hindcast::mpi
