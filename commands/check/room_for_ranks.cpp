#include "commands/check/room_for_ranks.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "commands/collectives/collective_choices.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/placement/placement.hpp"

namespace hindcast {

namespace {

// What would help where more ranks are wanted than there are nodes.
std::string advice_on(const TooFewNodes& few, const RunningLibrary& library) {
  const std::string why = library.why_alone_on_a_node(), remedy = library.what_lets_ranks_share_a_node();
  if (why.empty()) return few.what();
  if (remedy.empty())
    return fmt::format("{}, so give -n {} or less{}: {}", few.fact(), few.most_alone(),
                       few.are_to_share_nodes() ? ", and each rank a node of its own" : "", why);
  return fmt::format("{}, but {}; {}", few.what(), why, remedy);
}

[[noreturn]] void refuse(const TooFewNodes& few, const MachineFile& file, const PartsBesideNetwork& parts) {
  const Library& library = library_of(file);
  Engine engine(EngineOptions{});
  std::vector<int> nodes = {0};
  const auto machine = Machine::build(engine, file, nodes, parts);
  if (machine->has_front_end()) nodes.insert(nodes.begin(), machine->front_end_node());
  const mpi::CollectiveChoices choices = collective_choices(file, {});
  const EndRun never = [](int, const std::string&) { std::abort(); };
  const auto running =
      start_library(library, {engine, *machine, static_cast<int>(nodes.size()), choices, never, nodes});
  throw std::invalid_argument(advice_on(few, *running));
}

}  // namespace

std::vector<int> nodes_for_ranks(const MachineFile& file, const PartsBesideNetwork& parts, const std::string& map,
                                 int ranks) {
  const Slots slots = read_slots(file);
  const std::string placed = map.empty() ? usual_map(slots) : map;
  try {
    return parts.with_front_end ? place_ranks_beside_front_end(placed, ranks, slots, parts.front_end)
                                : place_ranks(placed, ranks, slots);
  } catch (const TooFewNodes& few) {
    refuse(few, file, parts);
  }
}

void refuse_shared_nodes(const RunningLibrary& library, const std::vector<int>& nodes) {
  const std::string why = library.why_alone_on_a_node(), remedy = library.what_lets_ranks_share_a_node();
  if (!why.empty()) refuse_shared_nodes(nodes, why, remedy.empty() ? "give each rank a node of its own" : remedy);
}

}  // namespace hindcast
