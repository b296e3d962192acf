#include "mpi_impl/libraries/cellos/mpi/domain_stack.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hindcast::mpi {

namespace {

// Numbers of one communicator, of which two are domains, and of those that every process has from the beginning.
constexpr std::uint32_t spacing = 4;
constexpr std::uint32_t first_number = 2 * spacing;
// A process's numbers are its own as long as there are no more processes, from a run's beginning to its end. The last
// numbers are those of worlds.
constexpr std::uint32_t processes_max = 1U << 16;
constexpr std::uint32_t worlds_max = 1U << 16;

}  // namespace

// Filled when it is first needed, in a run that makes communicators.
void CellosDomainStack::fill() {
  is_filled_ = true;
  for (auto places = static_cast<std::uint32_t>(numbers_ / 2); places > 0; --places) stack_.push_back({places - 1});
}

std::uint32_t CellosDomainStack::context_of(const Pair& pair) const {
  const auto places = static_cast<std::uint32_t>(numbers_ / 2);
  const std::uint64_t turn = pair.uses * std::uint64_t{processes_max} + static_cast<std::uint32_t>(cell_.rank().id);
  const std::uint64_t all = (UINT32_MAX - first_number) / spacing - worlds_max;
  return first_number + spacing * static_cast<std::uint32_t>((turn * places + pair.place) % all);
}

std::uint32_t CellosDomainStack::take(int) {
  if (!is_filled_) fill();
  if (stack_.empty()) return 0;
  taken_.push_back(stack_.back());
  stack_.pop_back();
  return context_of(taken_.back());
}

std::uint32_t CellosDomainStack::of_world(int number) const {
  return number == 0 ? 0 : 0U - spacing * (static_cast<std::uint32_t>(number - 1) % worlds_max + 1);
}

void CellosDomainStack::begin_with(std::uint32_t context) {
  cell_.domains().begin_with(context, cellos::Space::library);
  cell_.domains().begin_with(context + 1, cellos::Space::library);
}

bool CellosDomainStack::join(std::uint32_t context) {
  if (!cell_.register_domain(context, cellos::Space::library)) return false;
  if (cell_.register_domain(context + 1, cellos::Space::library)) return true;
  cell_.deregister_domain(context, cellos::Space::library);
  return false;
}

void CellosDomainStack::leave(std::uint32_t context) {
  if (cell_.domains().is_named(context, cellos::Space::library)) {
    cell_.deregister_domain(context, cellos::Space::library);
    cell_.deregister_domain(context + 1, cellos::Space::library);
  }
  const auto mine =
      std::find_if(taken_.begin(), taken_.end(), [&](const Pair& pair) { return context_of(pair) == context; });
  if (mine == taken_.end()) return;
  stack_.push_back({mine->place, mine->uses + 1});
  taken_.erase(mine);
}

std::string CellosDomainStack::why_not(Obstacle obstacle) const {
  if (obstacle == Obstacle::no_context)
    return fmt::format(
        "the process that makes it has none left of its {} domain numbers (mpi.domain_stack), two of which a "
        "communicator needs; free some before",
        numbers_);
  return fmt::format(
      "a process that would be its member is registered in too many domains: at most {} (cellos.domains_max), two for "
      "each communicator; free some before",
      cell_.system().costs().domains_max);
}

}  // namespace hindcast::mpi
