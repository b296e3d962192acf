#include "mpi_impl/core/windows/hints.hpp"

#include <array>
#include <utility>

namespace hindcast::mpi {

namespace {

// MPI-3.1, 11.2.1 and 11.2.3, and what holds if nobody says otherwise.
constexpr std::array<std::pair<const char*, const char*>, 5> known_hints = {{
    {"no_locks", "false"},
    {"accumulate_ordering", "rar,raw,war,waw"},
    {"accumulate_ops", "same_op_no_op"},
    {"same_size", "false"},
    {"same_disp_unit", "false"},
}};
constexpr const char* for_shared_memory = "alloc_shared_noncontig";

}  // namespace

bool is_hint_true(const Hints& hints, const std::string& key) {
  const std::string* value = hints.find(key);
  return value != nullptr && *value == "true";
}

void change_window_hints(Window& window, const Info& info) {
  for (const auto& [key, otherwise] : known_hints)
    if (const std::string* value = info.hints.find(key)) window.hints.set(key, *value);
  window.takes_no_locks = is_hint_true(window.hints, "no_locks");
}

void set_window_hints(Window& window, const Info* info) {
  for (const auto& [key, otherwise] : known_hints) window.hints.set(key, otherwise);
  const bool is_shared = window.flavor == MPI_WIN_FLAVOR_SHARED;
  if (is_shared) window.hints.set(for_shared_memory, "false");
  if (info == nullptr) return;
  change_window_hints(window, *info);
  const auto take = [&](const char* key) {
    if (const std::string* value = info->hints.find(key)) window.hints.set(key, *value);
  };
  if (is_shared) take(for_shared_memory);
  if (is_shared || window.flavor == MPI_WIN_FLAVOR_ALLOCATE) take(alignment_hint);
}

}  // namespace hindcast::mpi
