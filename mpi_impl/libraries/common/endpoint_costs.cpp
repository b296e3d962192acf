#include "mpi_impl/libraries/common/endpoint_costs.hpp"

namespace hindcast {

const char* key_that_bounds_copies(const NodeKind& kind, KeptTexts& texts) {
  const Bandwidth own = kind.processor.copy_bandwidth;
  const bool is_by_port = kind.processors > 1 && slower_of(own, kind.memory_port_bandwidth) != own;
  return texts.keep(kind.prefix + (is_by_port ? ".memory_port_bandwidth" : ".copy_bandwidth"));
}

mpi::EndpointCosts endpoint_costs_of(const NodeKind& kind, KeptTexts& texts) {
  const auto key = [&](const char* name) { return texts.keep(kind.prefix + "." + name); };
  mpi::EndpointCosts costs = mpi::EndpointCosts::of(kind.processor);
  costs.local.copy.kind.parameter = costs.copy_in.parameter = costs.copy_out.parameter =
      key_that_bounds_copies(kind, texts);
  costs.local.combine.kind.parameter = key("combine_rate");
  costs.local.combine_integers = mpi::LocalCosts::integers_of(kind.processor, key("integer_combine_rate"));
  costs.local.clock_read.kind.parameter = key("clock_read");
  costs.poll.kind.parameter = key("poll");
  return costs;
}

}  // namespace hindcast
