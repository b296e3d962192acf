// Windows: memory that ranks open to each other's puts and gets.
#pragma once

#include <mpi.h>

#include <boost/container/flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mpi_impl/core/attributes.hpp"
#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/memory.hpp"
#include "mpi_impl/core/windows/answer.hpp"
#include "mpi_impl/core/windows/attached_memory.hpp"
#include "mpi_impl/core/windows/conflicts.hpp"
#include "mpi_impl/core/windows/public_copy.hpp"
#include "mpi_impl/core/windows/target_lock.hpp"

namespace hindcast::mpi {

struct Call;

// What the members of a window know of each other: one for all of them, as each would have the same.
struct WindowTable : std::enable_shared_from_this<WindowTable> {
  struct Member {
    std::byte* base = nullptr;
    MPI_Aint size = 0;
    int disp_unit = 1;
    Window* window = nullptr;
    AttachedMemory attached;  // of a dynamic window
  };
  std::vector<Member> members;
  OwnMemory shared;                      // of one that MPI_Win_allocate_shared has made
  std::unique_ptr<Conflicts> conflicts;  // if they are looked for
};

enum class LockHeld : std::uint8_t { none, asked, granted, unchecked };

// What a rank has under way at a target.
struct AtTarget {
  LockHeld lock = LockHeld::none;
  bool has_exclusive_lock = false;
  bool is_unanswered = false;  // operations that no answer tells the end of
};

struct WindowParts {
  int flavor = MPI_WIN_FLAVOR_CREATE;
  int model = MPI_WIN_UNIFIED;
  Comm* comm = nullptr;  // of its own, which the program does not see
  std::shared_ptr<WindowTable> table;
  OwnMemory memory;                         // of one that MPI_Win_allocate has made
  std::unique_ptr<PublicCopy> public_copy;  // of this rank's part, if the model is separate
  Errhandler* errhandler = nullptr;
  Attributes attributes;
  Hints hints;
  bool takes_no_locks = false;
  std::string given_name;

  // As an origin: which epoch there is, and what is under way.
  bool has_fence_epoch = false;  // begun by a fence, whether or not anything has been done in it
  bool fence_epoch_is_used = false;
  std::uint64_t fences = 0;  // so far
  GroupPointer started;      // by MPI_Win_start; null if there is no such epoch
  bool has_locked_all = false;
  bool locks_are_unchecked = false;                      // those of MPI_Win_lock_all
  int locks_held = 0;                                    // by MPI_Win_lock
  boost::container::flat_map<int, AtTarget> at_targets;  // by rank; few at a time, and each new one takes no memory
  Answers answers;
  std::uint64_t native_puts = 0;           // of the machine's own, by now
  std::uint64_t native_puts_finished = 0;  // so many of them are known to have been written

  // The last call after which a program may have looked at memory: the engine's now, the thread's clock and the rank's
  // looks at what arrives, at its end.
  struct Look {
    const Call* call = nullptr;
    Time now;
    Time clock;
    std::uint64_t looks = 0;
  };
  Look last_look;

  // As a target.
  TargetLock lock;
  TargetLock turns;     // of origins that combine with this rank's memory from afar
  GroupPointer posted;  // null if there is no such epoch
  std::vector<int> completed;
  Time completed_at;
  Completion* all_completed = nullptr;  // if somebody waits for it

  // What targets have posted that this rank has not started yet, by rank: when that was known.
  std::map<int, std::vector<Time>> posts;
  Completion* post_is_here = nullptr;  // if somebody waits
  int post_awaited_from = 0;
};

struct Window : Handled, WindowParts {
  int rank() const { return comm->rank; }
  int size() const { return comm->size; }
  WindowTable::Member& member(int of_rank) const { return table->members[static_cast<std::size_t>(of_rank)]; }
  std::string name() const;  // for messages
  bool is_dynamic() const { return flavor == MPI_WIN_FLAVOR_DYNAMIC; }
  // Whether what is done at a target needs no message: there the memory is this rank's too.
  bool reaches(int target) const { return target == comm->rank || flavor == MPI_WIN_FLAVOR_SHARED; }
};

}  // namespace hindcast::mpi
