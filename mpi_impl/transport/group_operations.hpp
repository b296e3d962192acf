// What some machines do for all members of a communicator at once, by hardware or an operating system made for it. A
// endpoint says for which communicators; collectives have algorithms that are built on these.
#pragma once

#include <cstdint>
#include <string_view>

#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

// A communicator of one group, as a member sees it.
struct Members {
  std::uint32_t context = 0;  // its collectives'
  int rank = 0;
  int size = 0;
  // The rank in it of the run's rank 0, which on some machines is no node as others are.
  static constexpr int none = -1;
  int first_of_run = none;
  int last_in_run = 0;  // the highest rank in the run that is a member
};

// What only a library's own algorithms know of: the library's name, empty if it has no such offer, and a number whose
// meaning is theirs.
struct OwnOffer {
  std::string_view library;
  int number = 0;
};

// The same on every member.
struct Offers {
  bool broadcast = false;
  bool barrier = false;
  bool reduction = false;
  OwnOffer own = {};
};

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
  // destination has no meaning; the rest is as Endpoint::send has it.
  virtual void broadcast(SendOperation& send, const Members& members) = 0;
  // By all members. It is over when the last one has come. Each may bring a status: `status` becomes the largest.
  virtual void meet(const Members& members, Operation& over, std::int32_t* status = nullptr) = 0;
  virtual void reduce(const Members& members, const ElementReduction& reduction, Operation& over) = 0;

 protected:
  ~GroupOperations() = default;
};

}  // namespace hindcast::mpi
