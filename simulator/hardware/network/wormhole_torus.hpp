// A wormhole-routed torus, by path reservation.
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
// A transfer to its own node passes the node's two ports and no link.
#pragma once

#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/injection_port.hpp"
#include "simulator/hardware/network/link_channels.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/network/room.hpp"
#include "simulator/hardware/network/torus_routes.hpp"

namespace hindcast {

// The figures of the platform's links, asked for once each, when the first route needs them.
class TorusLinks {
 public:
  virtual Channel link(int index) = 0;  // an index of TorusRoutes
  virtual Channel injection(int node) = 0;
  virtual Channel ejection(int node) = 0;

 protected:
  ~TorusLinks() = default;
};

class WormholeTorus final : public Network, private EventSink, private Entrance {
 public:
  // Transfers go between nodes below `nodes_used`. `links` must outlive the network.
  WormholeTorus(Engine& engine, const TorusRoutes& routes, TorusLinks& links, int nodes_used);

  void submit(Transfer& transfer) override;
  void fetch(const Transfer& transfer) const override;
  Time latency(int from, int to) override;

 private:
  struct alignas(64) Port : InjectionPort {};  // each in a line of the cache

  void fire(const Event& event) override;
  void fetch(const Event& event, FetchStep step) const override;
  void admit(Transfer& transfer) override;
  bool has_room(Transfer& transfer) { return transfer.room == nullptr || transfer.room->take(transfer, *this); }
  void enter(Transfer& transfer, Port& port);
  Channel& injection(int node);
  Channel& ejection(int node);
  const LinkChannels::Figures& link(int index);
  Rate slowest_on_path(const Transfer& transfer, const TorusRoutes::Route& route);
  void schedule_entry(int node);
  void record(const Transfer& transfer, const TorusRoutes::Route& route, Time body) const;

  Engine& engine_;
  TorusRoutes routes_;
  TorusLinks& platform_;
  std::vector<Port> ports_;  // by node
  std::vector<Channel> ejections_;
  LinkChannels links_;
};

}  // namespace hindcast
