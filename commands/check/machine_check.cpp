#include "commands/check/machine_check.hpp"

#include <algorithm>
#include <cstdlib>

#include "commands/collectives/collective_choices.hpp"
#include "mpi_impl/libraries/common/library.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast {

void check_machine(const MachineFile& file) {
  constexpr int nodes_for_messages = 2;
  const Library& library = library_of(file);
  const PartsBesideNetwork parts = library.parts_for(file);
  const int nodes = std::min(nodes_for_messages, node_range(file).most);
  Engine engine(EngineOptions{});
  const auto machine = Machine::build(engine, file, nodes, parts);
  const mpi::CollectiveChoices choices = collective_choices(file, {});
  const EndRun never = [](int, const std::string&) { std::abort(); };
  const int ranks = machine->has_front_end() ? nodes + 1 : nodes;
  start_library(library, {engine, *machine, ranks, choices, never});
  file.refuse_unknown_keys();
}

}  // namespace hindcast
