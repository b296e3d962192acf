#include "mpi_impl/core/info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

auto place_of_key(auto& hints, const std::string& key) {
  return std::find_if(hints.begin(), hints.end(), [&](const auto& hint) { return hint.first == key; });
}

}  // namespace

void Hints::set(const std::string& key, const std::string& value) {
  const auto found = place_of_key(hints_, key);
  if (found != hints_.end())
    found->second = value;
  else
    hints_.emplace_back(key, value);
}

const std::string* Hints::find(const std::string& key) const {
  const auto found = place_of_key(hints_, key);
  return found != hints_.end() ? &found->second : nullptr;
}

bool Hints::remove(const std::string& key) {
  const auto found = place_of_key(hints_, key);
  if (found == hints_.end()) return false;
  hints_.erase(found);
  return true;
}

Hints hints_of_start(const Process& process) {
  constexpr std::array levels = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                 "MPI_THREAD_MULTIPLE"};
  Hints hints;
  if (process.argument_count > 0) {
    hints.set("command", process.arguments[0]);
    const std::span rest(process.arguments + 1, static_cast<std::size_t>(process.argument_count - 1));
    hints.set("argv", fmt::format("{}", fmt::join(rest, " ")));
  }
  hints.set("maxprocs", std::to_string(process.world().cohort_of(process.world_rank()).group.size()));
  hints.set("host", process.rank().node_name);
  hints.set("thread_level", levels[static_cast<std::size_t>(process.thread_level)]);
  return hints;
}

}  // namespace hindcast::mpi
