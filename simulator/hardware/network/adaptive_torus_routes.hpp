// A torus whose routers choose: at every hop a packet takes, of the links that bring it nearer, the one on which its
// head gets to the next node first, and of several such that of the first dimension. There is one for each dimension in
// which it has a way to go; which way round is settled where it sets out, as in TorusRoutes. So all routes of a pair
// are equally long, and a packet that nothing is in the way of goes along one dimension after the other.
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>

#include "simulator/engine/units.hpp"
#include "simulator/hardware/network/torus_routes.hpp"

namespace hindcast {

class AdaptiveTorusRoutes : public TorusRoutes {
 public:
  AdaptiveTorusRoutes(const TorusRoutes& torus, Bytes packet) : TorusRoutes(torus), packet_(packet) {}

  // The most bytes of a message that go one way together.
  Bytes packet() const { return packet_; }

  using Route = boost::container::small_vector<int, 32>;  // its links in order
  // Of a packet whose head sets out at `head`. A head that is at one end of a link at `time` is at the other at
  // `comes(link, time)`.
  template <class Comes>
  Route route(int from, int to, Time head, Comes&& comes) const;
  // With nothing in its way.
  Route route(int from, int to) const {
    return route(from, to, Time(), [](int, Time head) { return head; });
  }
  template <class Visit>
  static void for_each_link(const Route& route, Visit&& visit) {
    for (const int index : route) visit(index);
  }

 private:
  // What is left to go in one dimension.
  struct Way {
    int dimension;
    int node_stride;
    int at;
    int steps;
    bool is_down;
  };
  boost::container::static_vector<Way, dimensions_max> ways(int from, int to) const;
  int next_node(int node, const Way& way) const;
  int next_link(int node, const Way& way) const {
    return first_link_of(way.is_down ? next_node(node, way) : node) + way.dimension * 2 + (way.is_down ? 1 : 0);
  }

  Bytes packet_;
};

template <class Comes>
AdaptiveTorusRoutes::Route AdaptiveTorusRoutes::route(int from, int to, Time head, Comes&& comes) const {
  Route links;
  auto left = ways(from, to);
  for (int node = from; node != to;) {
    Way* best = nullptr;
    Time soonest;
    for (Way& way : left) {
      if (way.steps == 0) continue;
      const Time there = comes(next_link(node, way), head);
      if (best != nullptr && there >= soonest) continue;
      best = &way;
      soonest = there;
    }
    links.push_back(next_link(node, *best));
    head = soonest;
    const int next = next_node(node, *best);
    best->at += (next - node) / best->node_stride;
    --best->steps;
    node = next;
  }
  return links;
}

inline boost::container::static_vector<AdaptiveTorusRoutes::Way, TorusRoutes::dimensions_max> AdaptiveTorusRoutes::ways(
    int from, int to) const {
  boost::container::static_vector<Way, dimensions_max> ways;
  int node_stride = 1;
  for (int d = 0; d < dimensions(); ++d) {
    const int at = from / node_stride % extent(d);
    const int target = to / node_stride % extent(d);
    if (at != target) {
      const Leg leg = this->leg(d, from, node_stride, at, target);
      ways.push_back({d, node_stride, at, leg.steps, leg.stride < 0});
    }
    node_stride *= extent(d);
  }
  return ways;
}

inline int AdaptiveTorusRoutes::next_node(int node, const Way& way) const {
  const int round_the_ring = way.node_stride * (extent(way.dimension) - 1);
  if (way.is_down) return way.at == 0 ? node + round_the_ring : node - way.node_stride;
  return way.at + 1 == extent(way.dimension) ? node - round_the_ring : node + way.node_stride;
}

}  // namespace hindcast
