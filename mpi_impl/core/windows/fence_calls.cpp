// Epochs between fences.
#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/windows/epochs.hpp"
#include "mpi_impl/core/windows/origin.hpp"

namespace hindcast::mpi::body {

// Each rank sees to it that what it has done is done at its targets. When all ranks have come, all of it is.
void Win_fence(Process& process, int assertion, Window& window) {
  if (window.started != nullptr || window.posted != nullptr || window.has_locked_all || window.locks_held > 0)
    refuse_synchronization(window,
                           "MPI_Win_fence called within an epoch that MPI_Win_start, MPI_Win_post or a lock began; end "
                           "that first");
  publish(process, window);
  flush(process, window, Answers::all_targets);
  meet(process, *window.comm);
  take_in(process, window);
  window.at_targets.clear();
  window.has_fence_epoch = (assertion & MPI_MODE_NOSUCCEED) == 0;
  window.fence_epoch_is_used = false;
  ++window.fences;
}

}  // namespace hindcast::mpi::body
