// A torus in which a message may choose its route: along the dimensions in any order, each the shorter way round. All
// of these are equally long. Routers that decide at every hop have more to choose from, of the same length; which links
// of a dimension a message takes, and when, is then a matter of the other dimensions only, as it is here.
#pragma once

#include <algorithm>
#include <array>

#include "simulator/hardware/network/torus_routes.hpp"

namespace hindcast {

class AdaptiveTorusRoutes : public TorusRoutes {
 public:
  explicit AdaptiveTorusRoutes(const TorusRoutes& torus) : TorusRoutes(torus) {}

  struct Route {
    std::array<Leg, dimensions_max> legs;
    int leg_count = 0;
    void add(const Leg& leg) { legs[leg_count++] = leg; }
  };
  // The one along the dimensions in their order.
  Route route(int from, int to) const {
    Route route;
    for_each_leg(from, to, [&](const Leg& leg) { route.add(leg); });
    return route;
  }
  template <class Visit>
  static void for_each_link(const Route& route, Visit&& visit) {
    for (int i = 0; i < route.leg_count; ++i) for_each_link_of(route.legs[i], visit);
  }
  // Calls visit(route) for the others than route(from, to), until it says that it has seen enough.
  template <class Visit>
  void for_each_other_route(int from, int to, Visit&& visit) const;
};

template <class Visit>
void AdaptiveTorusRoutes::for_each_other_route(int from, int to, Visit&& visit) const {
  // What there is to go, dimension by dimension, in the order of route().
  struct Way {
    int dimension;
    int node_stride;
    int at;
    int target;
  };
  std::array<Way, dimensions_max> ways;
  std::array<int, dimensions_max> order{};
  int count = 0;
  int node_stride = 1;
  for (int d = 0; d < dimensions(); ++d) {
    const Way way{d, node_stride, from / node_stride % extent(d), to / node_stride % extent(d)};
    node_stride *= extent(d);
    if (way.at == way.target) continue;
    order[count] = count;
    ways[count++] = way;
  }
  while (std::next_permutation(order.begin(), order.begin() + count)) {
    Route route;
    int node = from;
    for (int i = 0; i < count; ++i) {
      const Way& way = ways[order[i]];
      route.add(leg(way.dimension, node, way.node_stride, way.at, way.target));
      node += (way.target - way.at) * way.node_stride;
    }
    if (visit(route)) return;
  }
}

}  // namespace hindcast
