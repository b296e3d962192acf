// The geometry of a torus and its dimension-order routes, computed without allocation.
//
// Nodes are numbered with the first dimension running fastest. A route goes along the first dimension until it is
// right, then along the second, and so on, each time the shorter way round. Halfway round an even ring both ways are
// equally long: it goes up, except from the middle to 0, where it goes down. That is SimGrid's rule for its torus
// zones, kept so that a machine exported to plain SimGrid has the very same routes.
//
// A mesh is a torus whose rings are open: their ends are not joined, and there is one way along each.
//
// Each node owns a pair of links per dimension, to its upper neighbour (up) and from there (down).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace hindcast {

class TorusRoutes {
 public:
  static constexpr int dimensions_max = 4;
  static constexpr int nodes_max = 1 << 20;

  enum class Ends { joined, open };
  explicit TorusRoutes(const std::vector<std::int64_t>& extents, Ends ends = Ends::joined);

  // The smallest two-dimensional torus for so many nodes that is at most twice as long as it is wide.
  static std::vector<std::int64_t> square_for(int nodes);
  // The smallest one whose sides are powers of two, the second as long as the first or twice as long.
  static std::vector<std::int64_t> power_of_two_for(int nodes);
  // The same in three dimensions: the last as long as the first or twice as long, the one between as either.
  static std::vector<std::int64_t> cube_for(int nodes);

  int nodes() const { return nodes_; }
  int dimensions() const { return dimensions_; }
  int extent(int dimension) const { return extents_[dimension]; }
  bool is_mesh() const { return is_mesh_; }
  int link_count() const { return first_link_of(nodes_); }

  struct Link {
    int owner;
    int dimension;
    bool down;
  };
  Link link(int index) const;
  int links_of_node() const { return dimensions_ * 2; }
  int first_link_of(int node) const { return node * links_of_node(); }
  int upper_neighbour(int node, int dimension) const;
  // The node at which a message waits for the link.
  int waits_at(int index, int /*from*/, int /*to*/) const {
    const Link waited_for = link(index);
    return waited_for.down ? upper_neighbour(waited_for.owner, waited_for.dimension) : waited_for.owner;
  }

  // The part of a route that lies in one dimension, in numbers of links.
  struct Leg {
    int steps;
    int first_link;
    int stride;
    int wrap_stride;
    int until_wrap;  // how many links are walked before the one after is at the ring's other end
  };
  // From `node`, whose place in the dimension is `at`, to `target` in the same: they are not the same place. Nodes that
  // are neighbours in it are `node_stride` apart.
  Leg leg(int dimension, int node, int node_stride, int at, int target) const;
  // Calls visit(leg) for each dimension in which the nodes differ, in order.
  template <class Visit>
  void for_each_leg(int from, int to, Visit&& visit) const;
  // Calls visit(index of a link) for each link of the leg, in order.
  template <class Visit>
  static void for_each_link_of(const Leg& leg, Visit&& visit) {
    int index = leg.first_link;
    int until_wrap = leg.until_wrap;
    for (int step = 0; step < leg.steps; ++step) {
      visit(index);
      index += --until_wrap == 0 ? leg.wrap_stride : leg.stride;
    }
  }

  // Its links are found while it is walked along, which takes less than to write them down first.
  struct Route {
    int from;
    int to;
  };
  Route route(int from, int to) const { return {from, to}; }
  template <class Visit>
  void for_each_link(const Route& route, Visit&& visit) const {
    for_each_leg(route.from, route.to, [&](const Leg& leg) { for_each_link_of(leg, visit); });
  }
  // How many links a route has.
  int hops(int from, int to) const;

 private:
  // `farthest` is how far up a route goes at most: half the ring, or all of it if its ends are open. Which way routes
  // go cannot be foretold, so nothing here is left out that would be in vain.
  static bool goes_up(int at, int target, int extent, int farthest) {
    const bool is_straight = (target > at) & (target <= at + farthest);
    const bool is_round_the_end = (at > farthest) & (at + farthest - extent >= target);
    return is_straight | is_round_the_end;
  }

  // A node's number along a dimension, and the number of its row. To multiply takes much less than to divide, and
  // gives the very quotient as long as both numbers are at most nodes_max.
  struct Division {
    unsigned quotient;
    unsigned remainder;
  };
  static constexpr int inverse_bits = 40;
  static_assert(std::int64_t{nodes_max} * nodes_max <= std::int64_t{1} << inverse_bits);
  Division divide(unsigned node, int dimension) const {
    const auto quotient = static_cast<unsigned>(node * inverses_[dimension] >> inverse_bits);
    return {quotient, node - quotient * static_cast<unsigned>(extents_[dimension])};
  }

  int nodes_ = 1;
  int dimensions_ = 0;
  bool is_mesh_ = false;
  std::array<int, dimensions_max> extents_{};
  std::array<int, dimensions_max> farthest_{};
  std::array<std::uint64_t, dimensions_max> inverses_{};  // of the extents
};

inline TorusRoutes::Leg TorusRoutes::leg(int dimension, int node, int node_stride, int at, int target) const {
  const int extent = extents_[dimension];
  const int stride = node_stride * links_of_node();
  const int ring = stride * (extent - 1);
  const int ahead = target > at ? target - at : target - at + extent;
  if (goes_up(at, target, extent, farthest_[dimension]))
    return {ahead, node * links_of_node() + dimension * 2, stride, -ring, extent - at};
  // The link down to the lower neighbour is that neighbour's.
  const int owner = at == 0 ? node + node_stride * (extent - 1) : node - node_stride;
  return {extent - ahead, owner * links_of_node() + dimension * 2 + 1, -stride, ring, at == 0 ? extent : at};
}

inline int TorusRoutes::hops(int from, int to) const {
  unsigned rest_from = static_cast<unsigned>(from);
  unsigned rest_to = static_cast<unsigned>(to);
  int sum = 0;
  for (int d = 0; rest_from != rest_to; ++d) {
    const Division of_from = divide(rest_from, d);
    const Division of_to = divide(rest_to, d);
    const int straight = std::abs(static_cast<int>(of_from.remainder) - static_cast<int>(of_to.remainder));
    sum += is_mesh_ ? straight : std::min(straight, extents_[d] - straight);
    rest_from = of_from.quotient;
    rest_to = of_to.quotient;
  }
  return sum;
}

template <class Visit>
void TorusRoutes::for_each_leg(int from, int to, Visit&& visit) const {
  unsigned rest_from = static_cast<unsigned>(from);
  unsigned rest_to = static_cast<unsigned>(to);
  int node = from;
  int node_stride = 1;
  for (int d = 0; rest_from != rest_to; ++d) {
    const Division of_from = divide(rest_from, d);
    const Division of_to = divide(rest_to, d);
    const int at = static_cast<int>(of_from.remainder);
    const int target = static_cast<int>(of_to.remainder);
    rest_from = of_from.quotient;
    rest_to = of_to.quotient;
    if (at != target) {
      visit(leg(d, node, node_stride, at, target));
      node += (target - at) * node_stride;
    }
    node_stride *= extents_[d];
  }
}

}  // namespace hindcast
