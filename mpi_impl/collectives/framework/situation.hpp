// The situation that an algorithm is chosen in.
#pragma once

#include <cstdint>

#include "mpi_impl/collectives/framework/operation.hpp"
#include "mpi_impl/core/communicators/levels.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

// All that a choice may depend on, the same on every rank of the communicator. `bytes` is what the operation calls a
// block, 0 where ranks know only of their own; `elements` are those that a reduction combines.
struct Situation {
  CollectiveOperation operation;
  int ranks = 1;
  std::uint64_t bytes = 0;
  std::uint64_t elements = 0;
  bool is_commutative = true;
  bool is_on_grid = false;
  Offers offers = {};  // of the machine, to the communicator and for the reduction
  static constexpr int no_root = -1;
  int root = no_root;              // of operations that have one
  const Levels* levels = nullptr;  // of the communicator; null: each rank has a node of its own, at one site
  Level level = Level::nearest;    // that is asked for
  bool is_operation_own = false;   // of a reduction: its function is the program's
  const Division* division() const { return levels != nullptr ? levels->division(level) : nullptr; }

  int nodes() const { return levels != nullptr ? levels->nodes().count() : ranks; }
  int ranks_a_node() const { return levels != nullptr ? levels->nodes().largest() : 1; }
  int sites() const { return levels != nullptr ? levels->sites().count() : 1; }
  int ranks_a_site() const { return levels != nullptr ? levels->sites().largest() : ranks; }
};

}  // namespace hindcast::mpi
