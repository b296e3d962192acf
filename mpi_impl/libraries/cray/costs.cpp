#include "mpi_impl/libraries/cray/costs.hpp"

#include "mpi_impl/libraries/common/file_costs.hpp"
#include "mpi_impl/libraries/cray/mpi_choices.hpp"
#include "mpi_impl/libraries/cray/step_costs.hpp"
#include "simulator/hardware/collective/barrier_tree.hpp"

namespace hindcast {

using namespace file_costs;

namespace {

mpi::LinearCost linear(const mpi::T3eLine& line) { return {line.fixed, line.per_byte}; }

mpi::MessageCost message_cost(const MachineFile& file, const t3e::ChosenProtocols& protocols,
                              const mpi::T3eStepCosts& steps) {
  mpi::MessageCost cost;
  cost.eager = linear(protocols.shortest.costs(steps).message);
  cost.eager_limit = static_cast<double>(t3e::short_max_of(file).count());
  cost.medium = linear(protocols.medium.costs(steps).message);
  cost.medium_limit = bytes(file, "mpi.medium_max");
  cost.asking = linear(protocols.longer.costs(steps).message);
  return cost;
}

}  // namespace

// Each protocol says what it costs. From message to message it is what the longer ones' protocol does that takes time.
mpi::CostModel t3e_costs(const MachineFile& file, int ranks) {
  const t3e::ChosenProtocols protocols = t3e::chosen_protocols(file);
  const mpi::T3eStepCosts steps = t3e::step_costs_of(file);
  const mpi::T3eProtocolCosts longer = protocols.longer.costs(steps);
  mpi::CostModel costs;
  costs.message = message_cost(file, protocols, steps);
  costs.between_sends = linear(longer.between_sends);
  costs.between_receives = linear(longer.between_receives);
  costs.copy = {0, steps.copied_byte};
  costs.offers.barrier = t3e::has_barrier(file);
  const int leaves_per_knot = file.small_count("barrier.branching", 2);
  costs.barrier = seconds(file, "shmem.barrier_overhead") +
                  2 * BarrierTree::levels_for(ranks, leaves_per_knot) * seconds(file, "barrier.latency");
  costs.combine = {0, combined_byte(file)};
  return costs;
}

}  // namespace hindcast
