#include "simulator/hardware/wormhole_torus.hpp"

#include <cassert>
#include <new>

namespace hindcast {

namespace {

// Our events carry the transfer that arrives or, with the lowest bit set, the node whose port becomes free.
constexpr std::uint64_t entry_mark = 1;

}  // namespace

WormholeTorus::WormholeTorus(Engine& engine, const TorusRoutes& routes, TorusLinks& links, int nodes_used)
    : engine_(engine),
      routes_(routes),
      platform_(links),
      nodes_(static_cast<std::size_t>(nodes_used)),
      links_(static_cast<Channel*>(std::calloc(static_cast<std::size_t>(routes.link_count()), sizeof(Channel)))) {
  if (links_ == nullptr) throw std::bad_alloc();
  for (Node& node : nodes_) node.port.owner = engine.new_owner();
}

void WormholeTorus::submit(Transfer& transfer) {
  assert(transfer.bytes > Bytes());
  Node& node = nodes_[static_cast<std::size_t>(transfer.from)];
  const bool is_only = node.port.waiting.empty();
  const bool port_is_free = node.port.takes_at_once(engine_.now());
  if (port_is_free && has_room(transfer)) return enter(transfer, node);
  node.port.waiting.push(transfer);
  if (is_only && !port_is_free) schedule_entry(transfer.from);
}

void WormholeTorus::admit(Transfer& transfer) {
  Node& node = nodes_[static_cast<std::size_t>(transfer.from)];
  enter(node.port.waiting.pop(), node);
}

void WormholeTorus::fire(const Event& event) {
  if ((event.data & entry_mark) != 0) {
    Node& node = nodes_[event.data >> 1];
    if (has_room(node.port.waiting.front())) enter(node.port.waiting.pop(), node);
  } else {
    auto& transfer = *reinterpret_cast<Transfer*>(event.data);
    transfer.sink->arrived(transfer);
  }
}

void WormholeTorus::schedule_entry(int node) {
  InjectionPort& port = nodes_[static_cast<std::size_t>(node)].port;
  engine_.at(port.channel.free, EventKind::hardware, port.owner, *this,
             static_cast<std::uint64_t>(node) << 1 | entry_mark);
}

void WormholeTorus::enter(Transfer& transfer, Node& node) {
  const TorusRoutes::Route route = routes_.route(transfer.from, transfer.to);
  const Time body = slowest_on_path(transfer, route).time_for(transfer.bytes);
  Time head = node.port.take(engine_.now(), body);
  TorusRoutes::for_each_link(route,
                             [&](int link) { head = links_[static_cast<std::size_t>(link)].reserve(head, body); });
  head = nodes_[static_cast<std::size_t>(transfer.to)].ejection.reserve(head, body);
  transfer.injected = node.port.channel.free;
  transfer.arrival = head + body;
  engine_.at(transfer.arrival, EventKind::hardware, node.port.owner, *this, reinterpret_cast<std::uint64_t>(&transfer));
  if (!node.port.waiting.empty()) schedule_entry(transfer.from);
  transfer.sink->entered(transfer);  // last: it may submit further transfers
}

Rate WormholeTorus::slowest_on_path(const Transfer& transfer, const TorusRoutes::Route& route) {
  Channel& in = nodes_[static_cast<std::size_t>(transfer.from)].port.channel;
  if (!in.is_built()) in = platform_.injection(transfer.from);
  Channel& out = nodes_[static_cast<std::size_t>(transfer.to)].ejection;
  if (!out.is_built()) out = platform_.ejection(transfer.to);
  Rate slowest = slower_of(in.bandwidth, out.bandwidth);
  TorusRoutes::for_each_link(route, [&](int link) {
    Channel& channel = links_[static_cast<std::size_t>(link)];
    if (!channel.is_built()) [[unlikely]]
      channel = platform_.link(link);
    slowest = slower_of(slowest, channel.bandwidth);
  });
  return slowest;
}

}  // namespace hindcast
