// A wormhole-routed network, by path reservation. `Routes` is its geometry, such as TorusRoutes: nodes, links by
// number, and the links of each route in order. Which one it is is known when this is compiled, so that no link costs a
// call.
//
// A message enters the network when its sender's injection port is free and its receiver has room (room.hpp); until
// then it waits in the sender and reserves nothing. On entry its path (injection port, links, ejection port) is
// reserved:
//
//   t_0 = now,   t_i = max(t_(i-1) + latency_i, free_i),   free_i = t_i + bytes / bandwidth,   arrival = free_n
//
// where the bandwidth is the least on the path. A worm that stalls is taken up by buffers and virtual channels, not by
// the links behind it. docs/networks.md has the reasons and how far this is from a hop-by-hop simulation.
//
// Where routers choose the next link (AdaptiveTorusRoutes), they do so for each of a message's packets, and when the
// message enters: by what is reserved then. Messages of a pair stay in order: they leave by one port, which is reserved
// in the order of entries.
//
// A transfer to its own node passes the node's two ports and no link.
#pragma once

#include <vector>

#include "simulator/engine/composed_step_kind.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/injection_port.hpp"
#include "simulator/hardware/network/link_channels.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/network/network_links.hpp"
#include "simulator/hardware/network/room.hpp"

namespace hindcast {

// Whether routes depend on what is in a message's way.
template <class Routes>
concept ChoosesAtHops = requires(const Routes& routes, Time (*comes)(int link, Time head)) {
  routes.route(0, 0, Time(), comes);
  routes.packet();
};

// Whether it is known how long a route is without going along it.
template <class Routes>
concept CountsHops = requires(const Routes& routes) {
  routes.hops(0, 0);
};

template <class Routes>
class WormholeNetwork final : public Network, private EventSink, private Entrance {
 public:
  // Transfers go between the nodes that it joins. `links` must outlive the network.
  WormholeNetwork(Engine& engine, const Routes& routes, NetworkLinks& links, JoinedNodes nodes,
                  const NetworkKeys& keys);

  void submit(Transfer& transfer) override;
  void fetch(const Transfer& transfer, FetchLevel level) const override;
  bool keeps_pairs_in_order() const override { return true; }
  Time latency(int from, int to) override;

 private:
  using Route = typename Routes::Route;
  struct alignas(64) Port : InjectionPort {};  // each in a line of the cache
  // What a transfer's time in the network goes to.
  struct Steps {
    explicit Steps(const NetworkKeys& keys);
    const ComposedStepKind way_in;
    const ComposedStepKind hops;
    const ComposedStepKind way_out;
    const ComposedStepKind wire_at_link;
    const ComposedStepKind wire_at_port;
  };

  // The network's number of one of the machine's nodes.
  int own(int node) const { return node - first_node_; }
  Port& port_of(int node) { return ports_[static_cast<std::size_t>(own(node))]; }
  const Port& port_of(int node) const { return ports_[static_cast<std::size_t>(own(node))]; }

  void fire(const Event& event) override;
  void fetch(const Event& event, FetchLevel level) const override;
  void admit(Transfer& transfer) override;
  bool has_room(Transfer& transfer) { return transfer.room == nullptr || transfer.room->take(transfer, *this); }
  void enter(Transfer& transfer, Port& port);
  // Reserves its path; returns when its tail arrives.
  Time pass(const Transfer& transfer, Port& port);
  Time pass_in_packets(const Transfer& transfer, Port& port) requires ChoosesAtHops<Routes>;
  Time reserve(const Route& route, Time enters, Time body, Port& port, Channel& out);
  [[gnu::noinline]] Time reserve_unlike_links(const Route& route, Time head, Time body);
  bool is_free(const Route& route, Time head);
  Channel& injection(Port& port, int node);
  Channel& ejection(int node);
  // Whether what all links are like is known, as one of them has been built.
  bool knows_links() const { return links_are_alike_ && links_.has_any(); }
  int built(int link);
  const LinkChannels::Figures& link(int index);
  Rate slowest_on_path(const Transfer& transfer, const Route& route, Rate slowest);
  [[gnu::noinline]] Rate slowest_of_links(const Route& route, Rate slowest);
  void wait_on_for_room(Transfer& transfer);
  void schedule_entry(int node);
  Time record(const Transfer& transfer, const Route& route, Time body);

  Engine& engine_;
  const Routes routes_;
  NetworkLinks& platform_;
  const int first_node_;
  bool links_are_alike_ = false;
  std::vector<Port> ports_;  // by node
  std::vector<Channel> ejections_;
  LinkChannels links_;
  const Steps steps_;
};

}  // namespace hindcast
