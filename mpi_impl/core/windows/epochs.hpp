// Between which calls a rank may do what with a window (MPI-3.1, 11.5). What is wrong is thrown.
#pragma once

#include <string>

#include "mpi_impl/core/windows/window.hpp"

namespace hindcast::mpi {

[[noreturn]] void refuse_synchronization(const Window& window, const std::string& text);

// An operation at a target.
void require_access_epoch(Window& window, int target);
void require_access_with_request(Window& window, int target);
// The beginning of an epoch of another kind, by a call of this name.
void require_no_epoch(Window& window, const char* call);
void require_lock(const Window& window, int target, const char* call);
void require_passive_epoch(const Window& window, const char* call);
void require_end_of_epochs(const Window& window);

inline bool is_locked(const Window& window, int target) {
  const auto found = window.at_targets.find(target);
  return found != window.at_targets.end() && found->second.lock != LockHeld::none;
}

}  // namespace hindcast::mpi
