#include "mpi_impl/core/windows/epochs.hpp"

#include <fmt/format.h>

#include "mpi_impl/core/error.hpp"

namespace hindcast::mpi {

namespace {

// The one that the rank is in, and how it ends; null if in none.
const char* epoch_of(const Window& window) {
  if (window.started != nullptr) return "the epoch that MPI_Win_start began; end it with MPI_Win_complete";
  if (window.has_locked_all) return "the epoch that MPI_Win_lock_all began; end it with MPI_Win_unlock_all";
  if (window.locks_held > 0) return "the epoch that MPI_Win_lock began; end it with MPI_Win_unlock";
  return nullptr;
}

}  // namespace

void refuse_synchronization(const Window& window, const std::string& text) {
  throw Error{MPI_ERR_RMA_SYNC, fmt::format("{}: {}", window.name(), text), nullptr, &window};
}

void require_access_epoch(Window& window, int target) {
  if (window.started != nullptr) {
    if (window.started->has(window.comm->world_rank(target))) return;
    refuse_synchronization(window, fmt::format("rank {} is not of the group given to MPI_Win_start", target));
  }
  if (window.has_locked_all || is_locked(window, target)) return;
  if (window.locks_held > 0)
    refuse_synchronization(window, fmt::format("rank {} is not locked; call MPI_Win_lock for it first", target));
  if (!window.has_fence_epoch)
    refuse_synchronization(
        window, "accessed outside an epoch; call MPI_Win_fence, MPI_Win_start, MPI_Win_lock or MPI_Win_lock_all first");
  window.fence_epoch_is_used = true;
}

// Operations that have a request.
void require_access_with_request(Window& window, int target) {
  require_access_epoch(window, target);
  if (window.has_locked_all || is_locked(window, target)) return;
  refuse_synchronization(window,
                         "an operation with a request within an epoch of MPI_Win_fence or MPI_Win_start; it needs one "
                         "of MPI_Win_lock or MPI_Win_lock_all");
}

// An epoch between two fences in which nothing is done is none.
void require_no_epoch(Window& window, const char* call) {
  if (const char* epoch = epoch_of(window))
    refuse_synchronization(window, fmt::format("{} called within {}", call, epoch));
  if (window.has_fence_epoch && window.fence_epoch_is_used)
    refuse_synchronization(
        window, fmt::format("{} called within an epoch that MPI_Win_fence began; end it with MPI_Win_fence and "
                            "MPI_MODE_NOSUCCEED",
                            call));
  window.has_fence_epoch = false;
}

void require_lock(const Window& window, int target, const char* call) {
  if (window.has_locked_all || is_locked(window, target)) return;
  refuse_synchronization(window, fmt::format("{} for rank {}, which is not locked", call, target));
}

void require_passive_epoch(const Window& window, const char* call) {
  if (window.has_locked_all || window.locks_held > 0) return;
  refuse_synchronization(window, fmt::format("{} called where nothing is locked", call));
}

void require_end_of_epochs(const Window& window) {
  if (const char* epoch = epoch_of(window)) refuse_synchronization(window, fmt::format("freed within {}", epoch));
  if (window.posted != nullptr)
    refuse_synchronization(window, "freed within the epoch that MPI_Win_post began; end it with MPI_Win_wait");
  if (window.has_fence_epoch && window.fence_epoch_is_used)
    refuse_synchronization(window, "freed within an epoch that MPI_Win_fence began; call MPI_Win_fence first");
}

}  // namespace hindcast::mpi
