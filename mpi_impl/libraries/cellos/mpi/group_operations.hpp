// What CellOS does for whole groups, as MPI's port used it: the selective broadcast of the domains package for any
// communicator, whose collective context is the domain (without domains cbroad, for one of all cells); sync and the xy
// routines for one of all cells, hsync for one of the host and all cells, as h_sscatter and h_rgather are, in blocking
// calls. These keep the processor until they are over. But while receives or acknowledgements are outstanding, others
// may wait for the library's work on them: then the endpoint goes on trying its list, and asks the synchronisation net
// in between.
#pragma once

#include "mpi_impl/libraries/cellos/mpi/carrier.hpp"
#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

// A block of each member but the host, in the order of their ranks in the run: at the host one behind the other, so
// many bytes each; elsewhere the member's own.
struct HostBlocks {
  void* data = nullptr;
  std::size_t bytes = 0;
  // Once it is over: at the host how long the longest block of a member is, elsewhere how long the host's blocks are.
  // It is cut off to the shorter of the two.
  std::uint64_t opposite_bytes = 0;
};
enum class HostDirection : std::uint8_t { scatter, gather };

// The offer of the host's operations: its number is the host's rank.
constexpr OwnOffer host_offer(int rank) { return {"cellos", rank}; }
constexpr bool is_host_offer(const OwnOffer& offer) { return offer.library == host_offer(0).library; }

class CellosGroupOperations final : public GroupOperations {
 public:
  // `outstanding`: what the endpoint has to try. Communicators of fewer members than `small_group` are left to
  // messages.
  CellosGroupOperations(cellos::Cell& cell, CellosCarrier& carrier, const int& outstanding, int small_group)
      : cell_(cell), carrier_(carrier), outstanding_(outstanding), small_group_(small_group) {}

  Offers offers(const Members& members, bool is_blocking) const override;
  bool reduces(ElementKind kind, ElementOperation operation) const override;
  void broadcast(SendOperation& send, const Members& members) override;
  void meet(const Members& members, Operation& over, std::int32_t* status) override;
  void reduce(const Members& members, const ElementReduction& reduction, Operation& over) override;
  // Between the host and all others. The blocks stay where they are until it is over.
  void distribute(HostDirection direction, HostBlocks& blocks, Operation& over);

 private:
  bool must_go_on() const;
  bool has_host(const Members& members) const;
  // Of the cells that the nets are set up for, born ones are none.
  bool are_of_beginning(const Members& members) const;
  bool are_all_cells(const Members& members) const;
  bool are_host_and_cells(const Members& members) const;

  cellos::Cell& cell_;
  CellosCarrier& carrier_;
  const int& outstanding_;
  const int small_group_;
};

}  // namespace hindcast::mpi
