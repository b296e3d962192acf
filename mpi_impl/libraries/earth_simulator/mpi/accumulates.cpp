#include "mpi_impl/libraries/earth_simulator/mpi/accumulates.hpp"

#include "mpi_impl/libraries/common/steps_of_file.hpp"

namespace hindcast::mpi {

namespace {

// A unit that combined, as none did: an operation on 8 bytes is three streams of memory, where moving them is two.
constexpr double bytes_per_operation = 12;

RatedStep combined_by_the_unit(const MachineFile& file) {
  const Bandwidth moves = file.bandwidth("rcu.bandwidth");
  return {{"combined by the unit", "rcu.bandwidth"},
          Rate::per_second(moves.in_units_per_second() / bytes_per_operation)};
}

}  // namespace

EsAccumulates::EsAccumulates(const MachineFile& file)
    : by_(read(file)),
      numbers_{step_at_bandwidth_of(file, "copy by the unit", "rcu.bandwidth"), combined_by_the_unit(file)} {}

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
