// Whether the two groups of an intercommunicator make the same collective calls, and agree in them on the root and on
// the operation (MPI-3.1, 5.2.3): the root gives MPI_ROOT, the others of its group give MPI_PROC_NULL, and all of the
// other group give the root's rank. Where each group combines the data of the other, each may do so by an operation of
// its own. What the members of one group call is compared elsewhere (collective_order.hpp),
// and so is the data that goes from group to group (collective_blocks.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "mpi_impl/core/error.hpp"
#include "simulator/programs/places/program_place.hpp"

namespace hindcast::mpi {

struct Comm;
struct CollectiveTerms;

class CollectivesAcross {
 public:
  // Which of a communicator's calls it is: those that are begun and those that are made to be started later are
  // counted by themselves.
  struct Number {
    bool is_persistent;
    std::uint32_t calls_before;
  };

  // By a member of either group, before it makes the call. Throws an Error if another has said something that does not
  // go with it.
  void look_at(const Comm& comm, Number number, const std::string& call, const CollectiveTerms& terms);

 private:
  // Who has said something: the group by the rank in the run of its first member.
  struct Speaker {
    int group;
    int rank;
    programs::ProgramPlace where;
  };
  struct Reduction {
    Speaker speaker;
    std::string operation;
  };
  // What has been said first of each that can be told apart, by members of either group.
  struct Said {
    std::string call;
    Speaker caller;
    std::optional<Speaker> root;                     // has given MPI_ROOT
    std::optional<Speaker> named;                    // has given a rank as the root,
    int named_root = 0;                              // which is this
    std::map<std::tuple<int, int>, Speaker> beside;  // have given MPI_PROC_NULL, by group and rank
    // By group, if each of the two has a result of its own.
    std::map<int, Reduction> reductions;
    int still_to_come;
  };
  using Place = std::tuple<std::uint32_t, int, bool, std::uint32_t>;

  static const Speaker* against_root(const Said& said, const Speaker& me, int other_group);
  static const Speaker* against_named(const Said& said, const Speaker& me, int root, int other_group);
  static const Speaker* against_beside(const Said& said, const Speaker& me);
  static const Speaker* first_beside(const Said& said, int group);

  static void look_at_root(Said& said, const Comm& comm, const Speaker& me, int root);
  static void look_at_reduction(Said& said, const Comm& comm, const Speaker& me, const CollectiveTerms& terms);
  // How the two say it, and what the rule is.
  struct Words {
    std::string theirs, mine;
    const char* rule;
  };
  static Error error(const Comm& comm, const Speaker& me, const Speaker& other, const Words& words);

  std::map<Place, Said> said_;
};

}  // namespace hindcast::mpi
