#include "simulator/hardware/network/fat_tree_routes.hpp"

#include <algorithm>
#include <stdexcept>

namespace hindcast {

FatTreeRoutes::FatTreeRoutes(const std::vector<std::int64_t>& down_links, const std::vector<std::int64_t>& up_links)
    : levels_(static_cast<int>(down_links.size())) {
  if (down_links.empty() || down_links.size() > levels_max) throw std::invalid_argument("a fat tree has 1 to 8 levels");
  if (down_links.size() != up_links.size())
    throw std::invalid_argument("a fat tree has as many numbers of links up as of links down: one for each level");
  std::int64_t nodes = 1;
  for (const std::int64_t down : down_links) {
    if (down < 1 || down > nodes_max / nodes) throw std::invalid_argument("a fat tree has 1 to 1048576 nodes");
    nodes *= down;
  }
  nodes_ = static_cast<int>(nodes);

  std::int64_t pairs = 0;
  for (int level = 1; level <= levels_; ++level) {
    const Level& below = of(level - 1);
    Level& built = of_level_[static_cast<std::size_t>(level)];
    const std::int64_t up = up_links[static_cast<std::size_t>(level - 1)];
    built.down = static_cast<int>(down_links[static_cast<std::size_t>(level - 1)]);
    built.row = below.row * built.down;
    built.first_pair = static_cast<int>(pairs);
    pairs += static_cast<std::int64_t>(nodes_ / below.row) * below.width * std::min<std::int64_t>(up, nodes_max);
    if (pairs > links_max / 2) throw std::invalid_argument("a fat tree has at most 16777216 links");
    built.up = static_cast<int>(up);
    built.width = below.width * built.up;
  }
  link_count_ = static_cast<int>(pairs * 2);
}

FatTreeRoutes::Link FatTreeRoutes::link(int index) const {
  const int pair = index / 2;
  int level = levels_;
  while (of(level).first_pair > pair) --level;
  const Level& below = of(level - 1);
  const Level& above = of(level);
  const int within = pair - above.first_pair;
  const int child = within / above.up;
  const int row = child / below.width / above.down;
  const int beside = child % below.width + within % above.up * below.width;
  return Link{{level - 1, child}, {level, row * above.width + beside}, index % 2 != 0};
}

}  // namespace hindcast
