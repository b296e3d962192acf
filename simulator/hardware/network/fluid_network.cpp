#include "simulator/hardware/network/fluid_network.hpp"

#include <cassert>

namespace hindcast {

namespace {

// Our events carry the transfer that arrives or, with the lowest bit set, the one whose flow has ended.
constexpr std::uint64_t flow_mark = 1;

const StepKind waits_for_port{"wait for the port into the network", ""};
const StepKind flow{"bytes in a flow", "network.link_bandwidth"};
const StepKind path_latency{"latency of the path", "network.hop_latency"};

}  // namespace

FluidNetwork::FluidNetwork(Engine& engine, FluidPaths& paths, int nodes_used)
    : engine_(engine), paths_(paths), flows_(engine), nodes_(static_cast<std::size_t>(nodes_used)) {
  for (int number = 0; number < nodes_used; ++number) {
    node(number).owner = engine.new_owner();
    node(number).host = Flows::host(paths.host_name(number));
  }
}

void FluidNetwork::submit(Transfer& transfer) {
  assert(transfer.bytes > Bytes());
  Node& from = node(transfer.from);
  transfer.since = engine_.now();
  if (!from.is_sending && from.waiting.empty() && has_room(transfer))
    enter(transfer, from);
  else
    from.waiting.push(transfer);
}

void FluidNetwork::admit(Transfer& transfer) {
  Node& from = node(transfer.from);
  enter(from.waiting.pop(), from);
}

void FluidNetwork::fire(const Event& event) {
  auto& transfer = *reinterpret_cast<Transfer*>(event.data & ~flow_mark);
  if ((event.data & flow_mark) == 0) return transfer.sink->arrived(transfer);
  const Time paced = transfer.pace != nullptr ? transfer.since + transfer.pace->rate.time_for(transfer.bytes) : Time();
  if (paced <= engine_.now()) return end_injection(transfer);
  engine_.at(paced, EventKind::hardware, node(transfer.from).owner, *this, event.data);
}

void FluidNetwork::enter(Transfer& transfer, Node& from) {
  if (engine_.recorder() != nullptr) record(transfer, waits_for_port, transfer.since, from.free);
  transfer.since = engine_.now();
  from.is_sending = true;
  flows_.start(from.host, node(transfer.to).host, transfer.bytes, Rate(), from.owner, *this,
               reinterpret_cast<std::uint64_t>(&transfer) | flow_mark);
}

void FluidNetwork::end_injection(Transfer& transfer) {
  Node& from = node(transfer.from);
  from.is_sending = false;
  from.free = engine_.now();
  transfer.injected = engine_.now();
  const Time arrival = engine_.now() + paths_.latency(transfer.from, transfer.to);
  if (engine_.recorder() != nullptr) {
    record(transfer, flow, transfer.since, transfer.injected, transfer.bytes.count());
    record(transfer, path_latency, transfer.injected, arrival);
  }
  engine_.at(arrival, EventKind::hardware, from.owner, *this, reinterpret_cast<std::uint64_t>(&transfer));
  if (!from.waiting.empty() && has_room(from.waiting.front())) enter(from.waiting.pop(), from);
  transfer.sink->entered(transfer);  // last: it may submit further transfers
}

void FluidNetwork::record(const Transfer& transfer, const StepKind& kind, Time begin, Time end,
                          std::uint64_t amount) const {
  if (end > begin) engine_.recorder()->in_hardware(transfer.from, Step{&kind, transfer.message, begin, end, amount});
}

}  // namespace hindcast
