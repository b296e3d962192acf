// The contexts of communicators, on machines that have only so many of them, or whose members must be ready for a
// context before messages may come in it. Elsewhere every new communicator has a number that nobody has had before.
#pragma once

#include <cstdint>
#include <string>

namespace hindcast::mpi {

// What is in the way of a communicator.
enum class Obstacle : std::uint8_t { none, no_context, no_room };

class Contexts {
 public:
  virtual ~Contexts() = default;

  // On the calling rank, which is the first of a new communicator's members, so many: the first of the communicator's
  // contexts. 0: there are no more.
  virtual std::uint32_t take(int members) = 0;
  // Of the MPI_COMM_WORLD of ranks that begin together: the first such ranks of a run are number 0.
  virtual std::uint32_t of_world(int number) const = 0;
  // Before the rank runs: messages of a context that it is born with may come before it has joined.
  virtual void begin_with(std::uint32_t context) = 0;
  // By each member, before messages may come. False: no room for one more.
  virtual bool join(std::uint32_t context) = 0;
  // The calling rank has no more use for it; what messages of it have come are thrown away. If it has taken the
  // context, it can take it again.
  virtual void leave(std::uint32_t context) = 0;

  // Which parameter of the machine is behind it, and what would help.
  virtual std::string why_not(Obstacle obstacle) const = 0;
};

}  // namespace hindcast::mpi
