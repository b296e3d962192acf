// Whether the members of a communicator make the same collective calls in the same order (MPI-3.1, 5.12), and say the
// same of what all must say alike. Where they do not, one operation takes the messages of another: a program may end
// with wrong results, or wait in a call that is not to blame. A run that is told to look for it compares what members
// have called.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "mpi_impl/core/communicators/collective_across.hpp"
#include "mpi_impl/core/communicators/collective_blocks.hpp"
#include "mpi_impl/core/datatypes/signature.hpp"
#include "simulator/programs/places/program_place.hpp"

namespace hindcast::mpi {

struct Comm;
class Process;

// What all members of one group must say alike, as far as the call says such a thing. Of an intercommunicator's call
// only the root and the operation are here, where they have a meaning.
struct CollectiveTerms {
  std::optional<int> root;
  std::string reduction;  // a predefined operation's name
  std::optional<std::uint64_t> block_bytes;
  SignaturePointer elements;  // of a block; null if it is not known
};

class CollectiveOrder {
 public:
  // Those that are begun and those that are made to be started later are counted by themselves.
  enum class Sequence { begun, persistent };

  // By a member, before it makes its next call of a sequence. Throws an Error if another has called something else.
  void look_at(const Process& process, const Comm& comm, Sequence sequence, const CollectiveTerms& terms);
  // And then, with the blocks that go to and come from the others in it.
  void look_at_blocks(const Comm& comm, Sequence sequence, const std::vector<BlockEnd>& ends);

 private:
  // A context may be used anew, or by separate worlds, but not at once with the same first rank.
  struct Place {
    std::uint32_t context;
    int first_rank;
    Sequence sequence;
    std::uint32_t calls_before;
    auto operator<=>(const Place&) const = default;
  };
  struct Called {
    std::string call;
    CollectiveTerms terms;
    int rank;  // the first that came here
    programs::ProgramPlace where;
    int still_to_come;
  };

  void look_at_group(const Comm& comm, Sequence sequence, const std::string& call, const CollectiveTerms& terms);

  std::map<Place, Called> called_;
  CollectivesAcross across_;
  CollectiveBlocks blocks_;
};

// The tag of the calling rank's next collective operation, of one that has no root, reduction or amount of data.
int begin_collective(Process& process, Comm& comm);

}  // namespace hindcast::mpi
