// The geometry of a fat tree and its routes, computed without allocation.
//
// A switch of level l has down_links[l - 1] children, which are switches of the level below or, at the lowest, nodes.
// Each child has up_links[l - 1] parents. So the nodes below a switch of level l are M(l) = down_1 x ... x down_l in a
// row, and there are W(l) = up_1 x ... x up_l switches, which stand side by side, for each such row.
//
// A route goes up to the first level at which the row holds both ends, then down. Which of its parents it takes follows
// from the destination d alone (d-mod-k): on level l the one numbered d / W(l - 1) modulo up_l. So all messages to one
// node come down the same links, and those to different nodes are spread over the switches.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hindcast {

class FatTreeRoutes {
 public:
  static constexpr int levels_max = 8;
  static constexpr int links_max = 1 << 24;
  static constexpr int nodes_max = 1 << 20;

  // Throws std::invalid_argument if there is no such tree.
  FatTreeRoutes(const std::vector<std::int64_t>& down_links, const std::vector<std::int64_t>& up_links);

  int nodes() const { return nodes_; }
  int levels() const { return levels_; }
  int down_links(int level) const { return of(level).down; }
  int up_links(int level) const { return of(level).up; }
  int link_count() const { return link_count_; }
  int first_link_of(int node) const { return node * up_links(1) * 2; }

  // A node (level 0) or a switch.
  struct Place {
    int level;
    int number;
  };
  struct Link {
    Place child;
    Place parent;
    bool down;
  };
  Link link(int index) const;

  // The end at which a message waits for the link: inside the tree there are no nodes.
  int waits_at(int link, int from, int to) const { return link % 2 == 0 ? from : to; }

  struct Route {
    int from;
    int to;
    int levels;  // up, and down again
  };
  Route route(int from, int to) const {
    Route route{from, to, 0};
    while (from / of(route.levels).row != to / of(route.levels).row) ++route.levels;
    return route;
  }

  // Calls visit(index of a link) for each link of the route, in order.
  template <class Visit>
  void for_each_link(const Route& route, Visit&& visit) const {
    for (int level = 1; level <= route.levels; ++level) visit(link_above(route.from, route.to, level) * 2);
    for (int level = route.levels; level >= 1; --level) visit(link_above(route.to, route.to, level) * 2 + 1);
  }

 private:
  struct Level {
    int down = 1;
    int up = 1;
    int row = 1;         // M: nodes below a switch
    int width = 1;       // W: switches side by side
    int first_pair = 0;  // of links to the level below, each up and down
  };
  const Level& of(int level) const { return of_level_[static_cast<std::size_t>(level)]; }

  // The pair of links from the row that `node` is in on the level below, on the way to `to`.
  int link_above(int node, int to, int level) const {
    const Level& below = of(level - 1);
    const int child = node / below.row * below.width + to % below.width;
    return of(level).first_pair + child * of(level).up + to / below.width % of(level).up;
  }

  int nodes_ = 1;
  int levels_ = 0;
  int link_count_ = 0;
  std::array<Level, levels_max + 1> of_level_{};  // from 0, the nodes'
};

}  // namespace hindcast
