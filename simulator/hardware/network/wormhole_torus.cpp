#include "simulator/hardware/network/wormhole_torus.hpp"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

namespace hindcast {

namespace {

// Our events carry the transfer that arrives or, with the lowest bit set, the node whose port becomes free.
constexpr std::uint64_t entry_mark = 1;

const StepKind waits_for_port{"wait for the port into the network", ""};
const StepKind way_in{"way into the network", "network.injection_latency"};
const StepKind hops{"hops", "network.hop_latency"};
const StepKind way_out{"way out of the network", ""};
const StepKind waits_behind{"wait behind other messages", ""};
const StepKind wire_at_link{"bytes on the wire", "network.link_bandwidth"};
const StepKind wire_at_port{"bytes through the port", "network.injection_bandwidth"};

// The steps of one transfer, laid end to end. Those of no length are left out.
class Trip {
 public:
  Trip(Recorder& recorder, const Transfer& transfer)
      : recorder_(recorder), message_(transfer.message), at_(transfer.since) {}

  void take(int node, const StepKind& kind, Time until, std::uint64_t amount = 0) {
    if (until > at_) recorder_.in_hardware(node, Step{&kind, message_, at_, until, amount});
    at_ = later_of(at_, until);
  }
  void skip(Time until) { at_ = later_of(at_, until); }
  Time at() const { return at_; }

 private:
  Recorder& recorder_;
  MessageId message_;
  Time at_;
};

}  // namespace

WormholeTorus::WormholeTorus(Engine& engine, const TorusRoutes& routes, TorusLinks& links, int nodes_used)
    : engine_(engine),
      routes_(routes),
      platform_(links),
      ports_(static_cast<std::size_t>(nodes_used)),
      ejections_(static_cast<std::size_t>(nodes_used)),
      links_(routes.link_count()) {
  for (Port& port : ports_) port.owner = engine.new_owner();
}

void WormholeTorus::submit(Transfer& transfer) {
  assert(transfer.bytes > Bytes());
  Port& port = ports_[static_cast<std::size_t>(transfer.from)];
  transfer.since = engine_.now();
  const bool is_only = port.waiting.empty();
  const bool port_is_free = port.takes_at_once(engine_.now());
  if (port_is_free && has_room(transfer)) return enter(transfer, port);
  port.waiting.push(transfer);
  if (is_only && !port_is_free) schedule_entry(transfer.from);
}

// Where its way begins and where it ends, of which those for many nodes have left the caches.
void WormholeTorus::fetch(const Transfer& transfer) const {
  fetch_lines(&ports_[static_cast<std::size_t>(transfer.from)], 0, 1);
  fetch_lines(&ejections_[static_cast<std::size_t>(transfer.to)], 0, 1);
  links_.fetch(routes_.first_link_of(transfer.from));
}

void WormholeTorus::admit(Transfer& transfer) {
  Port& port = ports_[static_cast<std::size_t>(transfer.from)];
  enter(port.waiting.pop(), port);
}

void WormholeTorus::fire(const Event& event) {
  if ((event.data & entry_mark) != 0) {
    Port& port = ports_[event.data >> 1];
    if (has_room(port.waiting.front())) enter(port.waiting.pop(), port);
  } else {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    transfer.sink->arrived(transfer);
  }
}

void WormholeTorus::fetch(const Event& event, FetchStep step) const {
  if ((event.data & entry_mark) != 0) return;
  const auto& transfer = *reinterpret_cast<const Transfer*>(event.data);
  transfer.sink->fetch(transfer, step);
}

void WormholeTorus::schedule_entry(int node) {
  Port& port = ports_[static_cast<std::size_t>(node)];
  engine_.at(port.channel.free, EventKind::hardware, port.owner, *this,
             static_cast<std::uint64_t>(node) << 1 | entry_mark);
}

void WormholeTorus::enter(Transfer& transfer, Port& port) {
  const TorusRoutes::Route route = routes_.route(transfer.from, transfer.to);
  const Time body = slowest_on_path(transfer, route).time_for(transfer.bytes);
  if (engine_.recorder() != nullptr) [[unlikely]]
    record(transfer, route, body);
  Time head = port.take(engine_.now(), body);
  TorusRoutes::for_each_link(route, [&](int link) { head = links_.reserve(link, head, body); });
  head = ejections_[static_cast<std::size_t>(transfer.to)].reserve(head, body);
  transfer.since = engine_.now();
  transfer.injected = port.channel.free;
  engine_.at(head + body, EventKind::hardware, port.owner, *this, reinterpret_cast<std::uint64_t>(&transfer));
  if (!port.waiting.empty()) schedule_entry(transfer.from);
  transfer.sink->entered(transfer);  // last: it may submit further transfers
}

// Before the path is reserved. What is waited for is told where the head waits; hops in between are one step.
void WormholeTorus::record(const Transfer& transfer, const TorusRoutes::Route& route, Time body) const {
  const Channel& in = ports_[static_cast<std::size_t>(transfer.from)].channel;
  const Channel& out = ejections_[static_cast<std::size_t>(transfer.to)];
  Trip trip(*engine_.recorder(), transfer);
  trip.take(transfer.from, waits_for_port, std::min(engine_.now(), in.free));
  trip.skip(engine_.now());  // what waits for room at the receiver is the room's to tell
  trip.take(transfer.from, way_in, engine_.now() + in.latency);

  Time head = engine_.now() + in.latency;
  int node = transfer.from;
  std::uint64_t hop_count = 0;
  Rate slowest_link;
  TorusRoutes::for_each_link(route, [&](int index) {
    const Channel channel = links_.at(index);
    slowest_link = slower_of(slowest_link, channel.bandwidth);
    head += channel.latency;
    ++hop_count;
    if (channel.free <= head) return;
    const TorusRoutes::Link link = routes_.link(index);
    trip.take(node, hops, head, std::exchange(hop_count, 0));
    node = link.down ? routes_.upper_neighbour(link.owner, link.dimension) : link.owner;
    head = channel.free;
    trip.take(node, waits_behind, head);
  });
  trip.take(node, hops, head, hop_count);
  trip.take(transfer.to, way_out, head + out.latency);
  trip.take(transfer.to, waits_behind, out.free);
  const Rate slowest = slower_of(slowest_link, slower_of(in.bandwidth, out.bandwidth));
  if (transfer.pace != nullptr && slower_of(slowest, transfer.pace->rate) != slowest)
    return trip.take(transfer.to, transfer.pace->kind, trip.at() + body, transfer.bytes.count());
  const bool is_port_slowest = slowest_link.is_unlimited() || slowest != slowest_link;
  trip.take(transfer.to, is_port_slowest ? wire_at_port : wire_at_link, trip.at() + body, transfer.bytes.count());
}

Rate WormholeTorus::slowest_on_path(const Transfer& transfer, const TorusRoutes::Route& route) {
  Rate slowest = slower_of(injection(transfer.from).bandwidth, ejection(transfer.to).bandwidth);
  if (transfer.pace != nullptr) slowest = slower_of(slowest, transfer.pace->rate);
  TorusRoutes::for_each_link(route, [&](int index) { slowest = slower_of(slowest, link(index).bandwidth); });
  return slowest;
}

Time WormholeTorus::latency(int from, int to) {
  Time sum = injection(from).latency + ejection(to).latency;
  TorusRoutes::for_each_link(routes_.route(from, to), [&](int index) { sum += link(index).latency; });
  return sum;
}

Channel& WormholeTorus::injection(int node) {
  Channel& channel = ports_[static_cast<std::size_t>(node)].channel;
  if (!channel.is_built()) [[unlikely]]
    channel = platform_.injection(node);
  return channel;
}

Channel& WormholeTorus::ejection(int node) {
  Channel& channel = ejections_[static_cast<std::size_t>(node)];
  if (!channel.is_built()) [[unlikely]]
    channel = platform_.ejection(node);
  return channel;
}

const LinkChannels::Figures& WormholeTorus::link(int index) {
  if (!links_.is_built(index)) [[unlikely]]
    links_.build(index, platform_.link(index));
  return links_.figures(index);
}

}  // namespace hindcast
