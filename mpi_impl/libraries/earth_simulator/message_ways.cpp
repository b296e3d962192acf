#include "mpi_impl/libraries/earth_simulator/message_ways.hpp"

#include "mpi_impl/libraries/common/endpoint_costs.hpp"
#include "mpi_impl/libraries/common/steps_of_file.hpp"

namespace hindcast {

EsMessageWays::EsMessageWays(Engine& engine, Machine& machine, const mpi::ReachableMemory& global)
    : machine_(machine),
      memories_(engine, machine),
      transfer_(step_at_bandwidth_of(machine.parameters(), "bytes by INA", "rcu.bandwidth")),
      signal_(step_of(machine.parameters(), "signal between units", "rcu.signal")) {
  const MachineFile& file = machine.parameters();
  if (machine.site_count() > 1) throw MachineFileError(file.path() + ": this library is for machines of one site");
  memories_.carry_messages(step_of(file, "until the other processor sees it", "mpi.memory_latency"));
  inside_ = {&global, file.bytes("mpi.buffered_max"),
             step_of(file, "address of a user's buffer made global", "mpi.set_up"), false};
  between_ = inside_;
  between_.sender_sets_up = true;

  mpi::MethodCosts memory =
      costs_of("call that sends, memory", "call that receives, memory", "work on a message, memory");
  memory.leaves_payload_to_processors = true;
  memory.buffers = &inside_;
  methods_.use(methods_.add({"memory", memory, &memories_.between_processors()}), mpi::Distance::node, 0,
               mpi::Methods::any_length);
  if (memories_.network_of_site(0) == nullptr) return;
  mpi::MethodCosts ina = costs_of("call that sends, INA", "call that receives, INA", "work on a message, INA");
  ina.buffers = &between_;
  ina.pace = &transfer_;
  ina.signal = &signal_;
  methods_.use(methods_.add({"INA", ina, memories_.network_of_site(0)}), mpi::Distance::site, 0,
               mpi::Methods::any_length);
}

mpi::MethodCosts EsMessageWays::costs_of(const char* send, const char* receive, const char* service) const {
  const MachineFile& file = machine_.parameters();
  mpi::MethodCosts costs;
  costs.send = step_of(file, send, "mpi.call");
  costs.receive = step_of(file, receive, "mpi.call");
  costs.service = step_above_zero_of(file, service, "mpi.call");
  costs.eager_limit = file.bytes("mpi.short_max");
  costs.header = file.bytes("mpi.header_bytes");
  if (costs.header == Bytes()) file.refuse("mpi.header_bytes", "must be more than 0");
  return costs;
}

const mpi::EndpointCosts& EsMessageWays::add_rank(int node) {
  const auto [known, is_new] = costs_.try_emplace(node);
  if (!is_new) return known->second;
  known->second = endpoint_costs_of(machine_.kind_of(node), texts_);
  known->second.copy_in.name = "copy into the library's global memory";
  known->second.copy_out.name = "copy out of the library's global memory";
  known->second.local.memory = memories_.add(node);
  return known->second;
}

}  // namespace hindcast
