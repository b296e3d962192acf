#include "simulator/hardware/network/wormhole_network.hpp"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

#include "simulator/hardware/network/adaptive_torus_routes.hpp"
#include "simulator/hardware/network/crossbar_routes.hpp"
#include "simulator/hardware/network/fat_tree_routes.hpp"
#include "simulator/hardware/network/torus_routes.hpp"

namespace hindcast {

namespace {

// Our events carry the transfer that arrives or, with the lowest bit set, the node whose port becomes free.
constexpr std::uint64_t entry_mark = 1;

const StepKind waits_for_port{"wait for the port into the network", ""};
const StepKind waits_behind{"wait behind other messages", ""};

}  // namespace

// The steps of one transfer, laid end to end. Those of no length are left out.
class Trip {
 public:
  Trip(Recorder& recorder, const Transfer& transfer)
      : recorder_(recorder), message_(transfer.message), at_(transfer.since) {}

  void spend(int node, const StepKind& kind, Time until, std::uint64_t amount = 0) {
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

template <class Routes>
WormholeNetwork<Routes>::Steps::Steps(const NetworkKeys& keys)
    : way_in("way into the network", keys.injection_latency),
      hops("hops", keys.hop_latency),
      way_out("way out of the network", keys.way_out),
      wire_at_link("bytes on the wire", keys.link_bandwidth),
      wire_at_port("bytes through the port", keys.injection_bandwidth) {}

template <class Routes>
WormholeNetwork<Routes>::WormholeNetwork(Engine& engine, const Routes& routes, NetworkLinks& links, JoinedNodes nodes,
                                         const NetworkKeys& keys)
    : engine_(engine),
      routes_(routes),
      platform_(links),
      first_node_(nodes.first),
      ports_(static_cast<std::size_t>(nodes.count)),
      ejections_(static_cast<std::size_t>(nodes.count)),
      links_(routes.link_count()),
      steps_(keys) {
  for (Port& port : ports_) port.owner = engine.new_owner();
}

template <class Routes>
void WormholeNetwork<Routes>::submit(Transfer& transfer) {
  assert(transfer.bytes > Bytes());
  Port& port = port_of(transfer.from);
  transfer.since = engine_.now();
  engine_.lookahead().count_message(transfer.bytes);
  const bool is_only = port.waiting.empty();
  const bool port_is_free = port.takes_at_once(engine_.now());
  if (port_is_free && has_room(transfer)) return enter(transfer, port);
  port.waiting.push(transfer);
  if (is_only && !port_is_free) schedule_entry(transfer.from);
}

// Where its way begins and where it ends, of which those for many nodes have left the caches.
template <class Routes>
void WormholeNetwork<Routes>::fetch(const Transfer& transfer, FetchLevel level) const {
  if (level > 0) return;
  fetch_lines(&port_of(transfer.from), 0, 1);
  fetch_lines(&ejections_[static_cast<std::size_t>(own(transfer.to))], 0, 1);
  links_.fetch(routes_.first_link_of(own(transfer.from)));
}

template <class Routes>
void WormholeNetwork<Routes>::admit(Transfer& transfer) {
  Port& port = port_of(transfer.from);
  enter(port.waiting.pop(), port);
}

template <class Routes>
void WormholeNetwork<Routes>::fire(const Event& event) {
  if ((event.data & entry_mark) != 0) {
    Port& port = ports_[event.data >> 1];
    if (Transfer& first = port.waiting.front(); has_room(first))
      enter(port.waiting.pop(), port);
    else
      wait_on_for_room(first);
  } else {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    transfer.sink->arrived(transfer);
  }
}

// A recorder is told at its end of what it has waited for so far.
template <class Routes>
void WormholeNetwork<Routes>::wait_on_for_room(Transfer& transfer) {
  if (engine_.recorder() != nullptr)
    Trip(*engine_.recorder(), transfer).spend(transfer.from, waits_for_port, engine_.now());
  transfer.since = engine_.now();
}

template <class Routes>
void WormholeNetwork<Routes>::fetch(const Event& event, FetchLevel level) const {
  if ((event.data & entry_mark) != 0) return;
  const auto& transfer = *reinterpret_cast<const Transfer*>(event.data);
  transfer.sink->fetch(transfer, level);
}

template <class Routes>
void WormholeNetwork<Routes>::schedule_entry(int node) {
  Port& port = port_of(node);
  engine_.at(port.channel.free, EventKind::hardware, port.owner, *this,
             static_cast<std::uint64_t>(own(node)) << 1 | entry_mark);
}

template <class Routes>
void WormholeNetwork<Routes>::enter(Transfer& transfer, Port& port) {
  const Time arrival = pass(transfer, port);
  transfer.since = engine_.now();
  transfer.injected = port.channel.free;
  engine_.at(arrival, EventKind::hardware, port.owner, *this, reinterpret_cast<std::uint64_t>(&transfer));
  if (!port.waiting.empty()) schedule_entry(transfer.from);
  transfer.sink->entered(transfer);  // last: it may submit further transfers
}

template <class Routes>
Time WormholeNetwork<Routes>::pass(const Transfer& transfer, Port& port) {
  if constexpr (ChoosesAtHops<Routes>) {
    return pass_in_packets(transfer, port);
  } else {
    const Route route = routes_.route(own(transfer.from), own(transfer.to));
    Channel& out = ejection(transfer.to);
    const Rate of_ports = slower_of(injection(port, transfer.from).bandwidth, out.bandwidth);
    const Time body = slowest_on_path(transfer, route, of_ports).time_for(transfer.bytes);
    if (engine_.recorder() != nullptr) [[unlikely]]
      record(transfer, route, body);
    return reserve(route, engine_.now(), body, port, out);
  }
}

// Packets leave one behind the other, and each chooses by what those before it have reserved. One that nothing is in
// the way of is followed by all that are left: on its way they do not wait either.
template <class Routes>
Time WormholeNetwork<Routes>::pass_in_packets(const Transfer& transfer, Port& port) requires ChoosesAtHops<Routes> {
  Recorder* const recorder = engine_.recorder();
  const std::uint64_t bytes = transfer.bytes.count();
  const Channel& in = injection(port, transfer.from);
  Channel& out = ejection(transfer.to);
  const Rate of_ports = slower_of(in.bandwidth, out.bandwidth);
  Time enters = engine_.now();
  Time arrival;
  Time told;  // until when the recorder knows what the transfer's time goes to
  for (std::uint64_t gone = 0; gone < bytes; enters = port.channel.free) {
    const Time head = enters + in.latency;
    const Route route = routes_.route(own(transfer.from), own(transfer.to), head, [&](int index, Time at) {
      return later_of(at + link(index).latency, links_.at(index).free);
    });
    const Rate rate = slowest_on_path(transfer, route, of_ports);
    if (recorder != nullptr && gone == 0) [[unlikely]]
      told = record(transfer, route, rate.time_for(bytes));
    const std::uint64_t left = bytes - gone;
    const std::uint64_t next = gone + (is_free(route, head) ? left : std::min(left, routes_.packet().count()));
    const Time body = rate.time_for(next) - rate.time_for(gone);  // so that all take together what the whole does
    arrival = reserve(route, enters, body, port, out);
    gone = next;
  }
  if (recorder != nullptr && arrival > told) [[unlikely]]
    recorder->in_hardware(transfer.to, Step{&waits_behind, transfer.message, told, arrival, 0});
  return arrival;
}

// Whether a head that sets out at `head` waits for none of the route's links.
template <class Routes>
bool WormholeNetwork<Routes>::is_free(const Route& route, Time head) {
  bool waits = false;
  routes_.for_each_link(route, [&](int index) {
    head += link(index).latency;
    if (links_.at(index).free > head) waits = true;
  });
  return !waits;
}

// The time at which the tail is there, of what enters at `enters`.
template <class Routes>
Time WormholeNetwork<Routes>::reserve(const Route& route, Time enters, Time body, Port& port, Channel& out) {
  Time head = port.take(enters, body);
  if (knows_links()) [[likely]] {
    const Time latency = links_.last_built().latency;
    routes_.for_each_link(route, [&](int index) { head = links_.reserve(index, latency, head, body); });
  } else {
    head = reserve_unlike_links(route, head, body);
  }
  return out.reserve(head, body) + body;
}

template <class Routes>
Time WormholeNetwork<Routes>::reserve_unlike_links(const Route& route, Time head, Time body) {
  routes_.for_each_link(route, [&](int index) { head = links_.reserve(built(index), head, body); });
  return head;
}

// Before the path is reserved. What is waited for is told where the head waits; hops in between are one step. Returns
// the end of the last step.
template <class Routes>
Time WormholeNetwork<Routes>::record(const Transfer& transfer, const Route& route, Time body) {
  const Channel& in = port_of(transfer.from).channel;
  const Channel& out = ejections_[static_cast<std::size_t>(own(transfer.to))];
  Trip trip(*engine_.recorder(), transfer);
  trip.spend(transfer.from, waits_for_port, std::min(engine_.now(), in.free));
  trip.skip(engine_.now());  // what waits for room at the receiver is the room's to tell
  trip.spend(transfer.from, steps_.way_in, engine_.now() + in.latency);

  Time head = engine_.now() + in.latency;
  int node = transfer.from;
  std::uint64_t hop_count = 0;
  Rate slowest_link;
  routes_.for_each_link(route, [&](int index) {
    const Channel channel = links_.at(built(index));
    slowest_link = slower_of(slowest_link, channel.bandwidth);
    head += channel.latency;
    ++hop_count;
    if (channel.free <= head) return;
    trip.spend(node, steps_.hops, head, std::exchange(hop_count, 0));
    node = first_node_ + routes_.waits_at(index, own(transfer.from), own(transfer.to));
    head = channel.free;
    trip.spend(node, waits_behind, head);
  });
  trip.spend(node, steps_.hops, head, hop_count);
  trip.spend(transfer.to, steps_.way_out, head + out.latency);
  trip.spend(transfer.to, waits_behind, out.free);
  const Rate slowest = slower_of(slowest_link, slower_of(in.bandwidth, out.bandwidth));
  const bool is_port_slowest = slowest_link.is_unlimited() || slowest != slowest_link;
  if (transfer.pace != nullptr && slower_of(slowest, transfer.pace->rate) != slowest)
    trip.spend(transfer.to, transfer.pace->kind, trip.at() + body, transfer.bytes.count());
  else
    trip.spend(transfer.to, is_port_slowest ? steps_.wire_at_port : steps_.wire_at_link, trip.at() + body,
               transfer.bytes.count());
  return trip.at();
}

template <class Routes>
Rate WormholeNetwork<Routes>::slowest_on_path(const Transfer& transfer, const Route& route, Rate slowest) {
  if (transfer.pace != nullptr) slowest = slower_of(slowest, transfer.pace->rate);
  if (!knows_links()) [[unlikely]]
    return slowest_of_links(route, slowest);
  return transfer.from != transfer.to ? slower_of(slowest, links_.last_built().bandwidth) : slowest;
}

template <class Routes>
Rate WormholeNetwork<Routes>::slowest_of_links(const Route& route, Rate slowest) {
  routes_.for_each_link(route, [&](int index) { slowest = slower_of(slowest, link(index).bandwidth); });
  return slowest;
}

template <class Routes>
Time WormholeNetwork<Routes>::latency(int from, int to) {
  Time sum = injection(port_of(from), from).latency + ejection(to).latency;
  if constexpr (CountsHops<Routes>)
    if (knows_links()) return sum + links_.last_built().latency * routes_.hops(own(from), own(to));
  routes_.for_each_link(routes_.route(own(from), own(to)), [&](int index) { sum += link(index).latency; });
  return sum;
}

template <class Routes>
Channel& WormholeNetwork<Routes>::injection(Port& port, int node) {
  if (!port.channel.is_built()) [[unlikely]]
    port.channel = platform_.injection(own(node));
  return port.channel;
}

template <class Routes>
Channel& WormholeNetwork<Routes>::ejection(int node) {
  Channel& channel = ejections_[static_cast<std::size_t>(own(node))];
  if (!channel.is_built()) [[unlikely]]
    channel = platform_.ejection(own(node));
  return channel;
}

template <class Routes>
int WormholeNetwork<Routes>::built(int link) {
  if (!links_.is_built(link)) [[unlikely]] {
    if (!links_.has_any()) links_are_alike_ = platform_.links_are_alike();
    links_.build(link, platform_.link(link));
  }
  return link;
}

template <class Routes>
const LinkChannels::Figures& WormholeNetwork<Routes>::link(int index) {
  return links_.figures(built(index));
}

template class WormholeNetwork<TorusRoutes>;
template class WormholeNetwork<AdaptiveTorusRoutes>;
template class WormholeNetwork<CrossbarRoutes>;
template class WormholeNetwork<FatTreeRoutes>;

}  // namespace hindcast
