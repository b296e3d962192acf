#include "simulator/hardware/network/flow_network.hpp"

#include <cassert>

namespace hindcast {

namespace {

// Our events carry the transfer that arrives or, with the lowest bit set, the one whose flow has ended.
constexpr std::uint64_t flow_mark = 1;

}  // namespace

FlowNetwork::FlowNetwork(Engine& engine, Flows& flows, NameOfNode name_of_node, JoinedNodes nodes)
    : engine_(engine),
      flows_(flows),
      name_of_node_(std::move(name_of_node)),
      first_node_(nodes.first),
      nodes_(static_cast<std::size_t>(nodes.count)) {
  for (Node& node : nodes_) node.owner = engine.new_owner();
}

const FlowNode* FlowNetwork::end_at(int number) {
  const FlowNode*& end = node(number).end;
  if (end == nullptr) end = Flows::node(name_of_node_(number));
  return end;
}

void FlowNetwork::submit(Transfer& transfer) {
  assert(transfer.bytes > Bytes());
  Line& line = line_of(transfer);
  transfer.since = engine_.now();
  engine_.lookahead().count_message(transfer.bytes);
  if (!line.is_sending && line.waiting.empty() && has_room(transfer))
    enter(transfer, line);
  else
    line.waiting.push(transfer);
}

void FlowNetwork::admit(Transfer& transfer) {
  Line& line = line_of(transfer);
  enter(line.waiting.pop(), line);
}

void FlowNetwork::fire(const Event& event) {
  auto& transfer = *reinterpret_cast<Transfer*>(event.data & ~flow_mark);
  if ((event.data & flow_mark) == 0) return transfer.sink->arrived(transfer);
  const Time paced = transfer.pace != nullptr ? transfer.since + transfer.pace->rate.time_for(transfer.bytes) : Time();
  if (paced <= engine_.now()) return end_injection(transfer);
  engine_.at(paced, EventKind::hardware, node(transfer.from).owner, *this, event.data);
}

void FlowNetwork::enter(Transfer& transfer, Line& line) {
  if (engine_.recorder() != nullptr) record(transfer, steps_of(transfer).wait, transfer.since, line.free);
  transfer.since = engine_.now();
  line.is_sending = true;
  flows_.start(end_at(transfer.from), end_at(transfer.to), transfer.bytes, quickest(transfer),
               node(transfer.from).owner, *this, reinterpret_cast<std::uint64_t>(&transfer) | flow_mark);
}

void FlowNetwork::end_injection(Transfer& transfer) {
  Line& line = line_of(transfer);
  line.is_sending = false;
  line.free = engine_.now();
  transfer.injected = engine_.now();
  const Time arrival = engine_.now() + latency(transfer.from, transfer.to);
  if (engine_.recorder() != nullptr) {
    const Steps& steps = steps_of(transfer);
    record(transfer, steps.flow, transfer.since, transfer.injected, transfer.bytes.count());
    record(transfer, steps.path_latency, transfer.injected, arrival);
  }
  engine_.at(arrival, EventKind::hardware, node(transfer.from).owner, *this,
             reinterpret_cast<std::uint64_t>(&transfer));
  if (!line.waiting.empty()) let_first_in(line);
  transfer.sink->entered(transfer);  // last: it may submit further transfers
}

// It may have to wait on, for room: a recorder is told at its end of what it has waited for so far.
void FlowNetwork::let_first_in(Line& line) {
  Transfer& first = line.waiting.front();
  if (has_room(first)) return enter(line.waiting.pop(), line);
  if (engine_.recorder() != nullptr) record(first, steps_of(first).wait, first.since, engine_.now());
  first.since = engine_.now();
}

void FlowNetwork::record(const Transfer& transfer, const StepKind& kind, Time begin, Time end,
                         std::uint64_t amount) const {
  if (end > begin) engine_.recorder()->in_hardware(transfer.from, Step{&kind, transfer.message, begin, end, amount});
}

}  // namespace hindcast
