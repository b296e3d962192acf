#include "commands/check/machine_check.hpp"

#include <cstdlib>
#include <vector>

#include "commands/check/room_for_ranks.hpp"
#include "commands/collectives/collective_choices.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/machine/site.hpp"
#include "simulator/programs/load/arena.hpp"

namespace hindcast {

namespace {

// Of ranks that are on one node, on different ones and at different sites, as far as the machine has them.
std::vector<int> nodes_for_messages(const Slots& slots) {
  std::vector<int> nodes;
  int first = 0;
  for (const SlotsOfSite& site : slots.sites()) {
    nodes.push_back(first);
    if (site.processors > 1) nodes.push_back(first);
    if (site.nodes > 1) nodes.push_back(first + 1);
    first += site.nodes;
  }
  return nodes;
}

}  // namespace

void check_machine(const MachineFile& file, const RanksOfRun& run) {
  const Library& library = library_of(file);
  const PartsBesideNetwork parts = library.parts_for(file);
  if (run.ranks > 0) programs::refuse_ranks_beyond_mappings(run.ranks);
  std::vector<int> nodes =
      run.ranks > 0 ? nodes_for_ranks(file, parts, run.map, run.ranks) : nodes_for_messages(read_slots(file));
  Engine engine(EngineOptions{});
  const auto machine = Machine::build(engine, file, nodes, parts);
  const mpi::CollectiveChoices choices = collective_choices(file, {});
  const EndRun never = [](int, const std::string&) { std::abort(); };
  if (machine->has_front_end()) nodes.insert(nodes.begin(), machine->front_end_node());
  const auto running =
      start_library(library, {engine, *machine, static_cast<int>(nodes.size()), choices, never, nodes});
  file.refuse_unknown_keys();
  if (run.ranks > 0) refuse_shared_nodes(*running, nodes);
  for (const int node : nodes) engine.start_thread(engine.add_rank(machine->node_name(node)), [] {});
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    add_rank(*running, *machine, *engine.ranks()[rank], nodes[rank], 0);
}

}  // namespace hindcast
