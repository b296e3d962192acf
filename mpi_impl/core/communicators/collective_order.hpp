// Whether the members of a communicator make the same collective calls in the same order (MPI-3.1, 5.12). Where they do
// not, one operation takes the messages of another: a program may end with wrong results, or wait in a call that is not
// to blame. A run that is told to look for it compares what members have called.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace hindcast::mpi {

struct Comm;
class Process;

class CollectiveOrder {
 public:
  // By a member, before it begins its next operation. Throws an Error if another has called something else.
  void look_at(const Process& process, const Comm& comm);

 private:
  // A context may be used anew, or by separate worlds, but not at once with the same first rank.
  struct Place {
    std::uint32_t context;
    int first_rank;
    std::uint32_t operations_before;
    auto operator<=>(const Place&) const = default;
  };
  struct Called {
    std::string call;
    int rank;           // the first that came here
    std::string where;  // in its program; empty if that is not known
    int still_to_come;
  };
  std::map<Place, Called> called_;
};

// The tag of the calling rank's next collective operation.
int begin_collective(Process& process, Comm& comm);

}  // namespace hindcast::mpi
