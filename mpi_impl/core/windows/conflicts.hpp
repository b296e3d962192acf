// Accesses to a window that conflict (MPI-3.1, 11.7), in a run that is told to look for them: two are under way at once
// at the same bytes, and at least one of them changes these. Accumulates of one datatype never conflict with each
// other.
//
// An access is under way from its call until what the standard says that ends it: a flush or an unlock of its origin's,
// else the end of the epoch at the target. What a program's own loads and stores do is not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "mpi_impl/core/datatypes/type_map.hpp"

namespace hindcast::mpi {

class Process;
struct TargetArguments;
struct Window;

enum class AccessKind : std::uint8_t {
  put,
  get,
  get_with_request,  // its end may be known by that before the epoch's
  accumulate,
};

class Conflicts {
 public:
  explicit Conflicts(int targets) : at_targets_(static_cast<std::size_t>(targets)) {}

  struct Access {
    enum class Epoch : std::uint8_t { lock, fence, group };
    Epoch epoch;
    std::uint64_t fence;  // of an epoch between fences: the first of them, by number
    int origin;
    AccessKind kind;
    const TypeMap* basic;  // that an accumulate's data are of; null if they are of several
    const char* call;
    bool operator==(const Access&) const = default;
  };
  // Of those under way one that these bytes conflict with; null if there is none.
  const Access* find(int target, const std::byte* begin, std::size_t bytes, const Access& access) const;
  void begin(int target, const std::byte* begin, std::size_t bytes, const Access& access);
  enum class Ended : std::uint8_t { gets, all };
  void end_locked(int target, int origin, Ended ended);
  void end_exposure(int target);

 private:
  struct Piece {
    std::size_t bytes;
    Access access;
    bool operator==(const Piece&) const = default;
  };
  using Pieces = std::multimap<const std::byte*, Piece>;
  struct AtTarget {
    // By how many bits their lengths have: those of one length that reach a byte begin close before it. So one long
    // piece does not make all short ones below it worth a look.
    std::map<int, Pieces> by_bits;
    std::uint64_t fence = 0;  // the latest of any
    // Ranks that have such accesses under way by locks, so that a flush of another rank's looks at no pieces.
    std::set<int> have_gets;
    std::set<int> have_others;

    template <typename Predicate>
    void erase_if(Predicate is_over) {
      for (auto& [bits, pieces] : by_bits)
        std::erase_if(pieces, [&](const auto& piece) { return is_over(piece.second.access); });
    }
  };
  AtTarget& at(int target) { return at_targets_[static_cast<std::size_t>(target)]; }

  std::vector<AtTarget> at_targets_;  // by rank of the window's
};

// An operation is called, at memory that is the window's, on so many bytes of the target's data. Throws if it
// conflicts with one that is under way.
void look_for_conflicts(Process& process, Window& window, const TargetArguments& target, AccessKind kind,
                        std::size_t bytes);
// What the rank has begun at a target that it has locked, or at all (Answers::all_targets), has ended. Of what has
// ended for the origin only, that is gets.
void end_locked_accesses(Window& window, int target, Conflicts::Ended ended = Conflicts::Ended::all);
// What others have begun at the rank in the epoch of MPI_Win_post's has ended.
void end_exposed_accesses(Window& window);

}  // namespace hindcast::mpi
