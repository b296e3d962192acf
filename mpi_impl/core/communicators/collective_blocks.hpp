// Whether the blocks that ranks send each other in collective calls are what the others receive: as many bytes, and of
// the same numbers (MPI-3.1, 5.5 to 5.8 and 7.6). Each of two ranks describes one end of a block, as in calls with an
// amount for each rank, in those of a neighbourhood and in those between two groups; what all members of one group have
// to say alike is compared elsewhere (collective_order.hpp).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mpi_impl/core/datatypes/signature.hpp"
#include "simulator/programs/places/program_place.hpp"

namespace hindcast::mpi {

struct Comm;

// What one rank says of a block.
struct BlockEnd {
  bool is_sent;  // and not received
  int peer;      // one of those whom messages of the communicator go to
  std::size_t bytes;
  SignaturePointer elements;  // of the data, again and again
};

class CollectiveBlocks {
 public:
  // Which of a communicator's calls it is: those that are begun and those that are made to be started later are
  // counted by themselves.
  struct Call {
    std::uint32_t context;
    bool is_persistent;
    std::uint32_t calls_before;
    auto operator<=>(const Call&) const = default;
  };

  // By a rank, before it makes the call. Of several blocks from one rank to another the first that is sent is the first
  // that is received. Throws an Error if the other end of one has been said to be something else.
  void look_at(const Comm& comm, const Call& call, const std::vector<BlockEnd>& ends);

 private:
  // A context may be that of separate worlds, so ranks are the run's.
  struct Place {
    Call call;
    int sender;
    int receiver;
    int number;  // of blocks from the one to the other
    auto operator<=>(const Place&) const = default;
  };
  // By the rank that came first.
  struct Said {
    BlockEnd end;
    programs::ProgramPlace where;
  };
  std::map<Place, Said> said_;
};

}  // namespace hindcast::mpi
