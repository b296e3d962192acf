// What some machines do for all members of a communicator at once, by hardware or an operating system made for it. A
// device says for which communicators; collectives have algorithms that are built on these.
#pragma once

#include <cstdint>

#include "mpi_impl/transport/device.hpp"

namespace hindcast::mpi {

// A communicator of one group, as a member sees it.
struct Members {
  std::uint32_t context = 0;  // its collectives'
  int rank = 0;
  int size = 0;
  // The rank in it of the run's rank 0, which is no node as others are on a machine with a host.
  static constexpr int none = -1;
  int first_of_run = none;
};

// The same on every member.
struct Offers {
  bool broadcast = false;
  bool barrier = false;
  bool reduction = false;
  int host = Members::none;  // the rank of the machine's host, which scatters over all others and gathers from them
};

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

// A reduction of one element, whose result every member gets.
enum class ElementKind : std::uint8_t { int32, float32, float64 };
enum class ElementOperation : std::uint8_t { sum, max, min };
struct ElementReduction {
  ElementKind kind;
  ElementOperation operation;
  const void* mine;
  void* result;
};

class GroupOperations {
 public:
  // Nothing that is offered may be in progress twice for the same members. What takes the thread until it is over is
  // offered to blocking calls only.
  virtual Offers offers(const Members& members, bool is_blocking) const = 0;
  virtual bool reduces(ElementKind kind, ElementOperation operation) const = 0;

  // From the calling rank to all other members, who receive it as an ordinary message, or a part of it. The send's
  // destination has no meaning; the rest is as Device::send has it.
  virtual void broadcast(SendOperation& send, const Members& members) = 0;
  // By all members. It is over when the last one has come. Each may bring a status: `status` becomes the largest.
  virtual void meet(const Members& members, Operation& over, std::int32_t* status = nullptr) = 0;
  virtual void reduce(const Members& members, const ElementReduction& reduction, Operation& over) = 0;
  // Between the host and all others. The blocks stay where they are until it is over.
  virtual void distribute(HostDirection direction, HostBlocks& blocks, Operation& over) = 0;

 protected:
  ~GroupOperations() = default;
};

}  // namespace hindcast::mpi
