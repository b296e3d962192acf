#include "mpi_impl/libraries/common/endpoint_costs.hpp"

namespace hindcast {

mpi::EndpointCosts endpoint_costs_of(const NodeKind& kind, KeptTexts& texts) {
  const auto key = [&](const char* name) { return texts.keep(kind.prefix + "." + name); };
  mpi::EndpointCosts costs = mpi::EndpointCosts::of(kind.processor);
  costs.local.copy.kind.parameter = costs.copy_in.parameter = costs.copy_out.parameter = key("copy_bandwidth");
  costs.local.combine.kind.parameter = key("combine_rate");
  costs.local.combine_integers = mpi::LocalCosts::integers_of(kind.processor, key("integer_combine_rate"));
  costs.local.clock_read.kind.parameter = key("clock_read");
  costs.poll.kind.parameter = key("poll");
  return costs;
}

}  // namespace hindcast
