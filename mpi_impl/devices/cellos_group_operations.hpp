// What CellOS does for whole groups, as MPI's port used it: the selective broadcast of the domains package for any
// communicator, whose collective context is the domain; sync and the xy routines for one of all cells. These keep the
// processor until they are over, so they are for blocking calls.
#pragma once

#include <boost/container/flat_set.hpp>

#include "mpi_impl/devices/group_operations.hpp"
#include "mpi_impl/native/cellos_cell.hpp"

namespace hindcast::mpi {

class CellosGroupOperations final : public GroupOperations {
 public:
  explicit CellosGroupOperations(cellos::Cell& cell) : cell_(cell) {}

  Offers offers(const Members& members, bool is_blocking) const override;
  bool reduces(ElementKind kind, ElementOperation operation) const override;
  void join(std::uint32_t context) override;
  void leave(std::uint32_t context) override;
  void broadcast(SendOperation& send, const Members& members) override;
  void meet(const Members& members, Operation& over) override;
  void reduce(const Members& members, const ElementReduction& reduction, Operation& over) override;

 private:
  cellos::Cell& cell_;
  boost::container::flat_set<std::uint32_t> joined_;
};

}  // namespace hindcast::mpi
