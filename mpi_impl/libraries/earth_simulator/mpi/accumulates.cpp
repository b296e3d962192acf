#include "mpi_impl/libraries/earth_simulator/mpi/accumulates.hpp"

#include "mpi_impl/libraries/common/steps_of_file.hpp"

namespace hindcast::mpi {

EsAccumulates::EsAccumulates(const MachineFile& file)
    : by_(read(file)),
      numbers_{step_at_bandwidth_of(file, "copy by the unit", "rcu.bandwidth"),
               {{"combined by the unit", "rcu.combine_rate"}, file.operation_rate("rcu.combine_rate")}} {}

EsAccumulates::By EsAccumulates::read(const MachineFile& file) {
  const std::string by = file.choice("mpi.accumulate_by", {"target", "origin", "rcu"});
  if (by == "target") return By::target;
  return by == "origin" ? By::origin : By::unit;
}

HandlerUnit* EsAccumulates::unit_of(int node, MessageExchange& exchange) {
  if (by_ != By::unit) return nullptr;
  return &units_.try_emplace(node, exchange, node, numbers_).first->second;
}

}  // namespace hindcast::mpi
