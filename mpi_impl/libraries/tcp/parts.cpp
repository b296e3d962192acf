#include "mpi_impl/libraries/tcp/parts.hpp"

#include "mpi_impl/libraries/common/steps_of_file.hpp"

namespace hindcast::tcp {

namespace {

Costs costs_of(const MachineFile& file) {
  Costs costs;
  costs.send = step_of(file, "call of TCP that sends", "tcp.send_overhead");
  costs.connect = as_long_as(costs.send, "call of TCP that connects");
  costs.receive = step_of(file, "call of TCP that receives", "tcp.receive_overhead");
  costs.select = step_above_zero_of(file, "select", "tcp.select");
  costs.protocol = step_at_bandwidth_of(file, "protocol work on what is sent", "tcp.bandwidth");
  costs.delivery = step_of(file, "protocol work on a segment", "tcp.delivery");
  costs.gives_up = file.has("tcp.gives_up") ? file.time_above_zero("tcp.gives_up") : Time::never();
  costs.segment = file.bytes("tcp.segment_bytes");
  costs.header = file.bytes("tcp.header_bytes");
  costs.buffer = file.bytes("tcp.buffer_bytes");
  for (const char* key : {"tcp.segment_bytes", "tcp.header_bytes", "tcp.buffer_bytes"})
    if (file.bytes(key) == Bytes()) file.refuse(key, "must be more than 0");
  return costs;
}

FixedStep seen_in_memory(const MachineFile& file) {
  return step_of(file, "until another process of the node sees it", "tcp.loopback_latency");
}

}  // namespace

Hosts::Hosts(Engine& engine, Machine& machine, const EndRun& end_run)
    : machine_(machine),
      memories_(engine, machine),
      failures_(machine),
      system_(
          engine, costs_of(machine.parameters()),
          [this, machine = &machine](int from, int to) -> Network* {
            if (from == to) return &memories_.between_processors();
            const int site = machine->site_of(from);
            return site == machine->site_of(to) ? memories_.network_of_site(site) : machine->wide_area();
          },
          [this](int from, int to, Time at) { return failures_.lose(from, to, at); }, end_run) {
  memories_.carry_messages(seen_in_memory(machine.parameters()));
}

MemoryPort* Hosts::memory_of(int node) {
  const auto [known, is_new] = memory_ports_.try_emplace(node);
  if (is_new) known->second = memories_.add(node);
  return known->second;
}

Host& Hosts::add(Rank& rank, int node) {
  memory_of(node);
  const NodeKind& kind = machine_.kind_of(node);
  const char* key = texts_.keep(kind.prefix + ".copy_bandwidth");
  const Rate rate = kind.processor.copy_bandwidth;
  return hosts_.emplace_back(
      system_, rank, node,
      CopyCosts{{{"copy to the socket's buffer", key}, rate}, {{"copy from the socket's buffer", key}, rate}});
}

}  // namespace hindcast::tcp
