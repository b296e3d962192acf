#include "simulator/hardware/network/torus_routes.hpp"

#include <stdexcept>

namespace hindcast {

TorusRoutes::TorusRoutes(const std::vector<std::int64_t>& extents, Ends ends)
    : dimensions_(static_cast<int>(extents.size())), is_mesh_(ends == Ends::open) {
  if (extents.empty() || extents.size() > dimensions_max) throw std::invalid_argument("a torus has 1 to 4 dimensions");
  std::int64_t nodes = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] < 1 || extents[d] > nodes_max) throw std::invalid_argument("a torus has 1 to 1048576 nodes");
    extents_[d] = static_cast<int>(extents[d]);
    farthest_[d] = is_mesh_ ? extents_[d] : extents_[d] / 2;
    inverses_[d] = (std::uint64_t{1} << inverse_bits) / static_cast<std::uint64_t>(extents[d]) + 1;
    nodes *= extents[d];
    if (nodes > nodes_max) throw std::invalid_argument("a torus has 1 to 1048576 nodes");
  }
  nodes_ = static_cast<int>(nodes);
}

std::vector<std::int64_t> TorusRoutes::square_for(int nodes) {
  std::int64_t best_length = 0;
  std::int64_t best_width = 0;
  for (std::int64_t width = 1; width * width < nodes + 2 * width; ++width) {
    std::int64_t length = (nodes + width - 1) / width;
    if (length > 2 * width) continue;
    if (length < width) length = width;
    if (best_width == 0 || length * width <= best_length * best_width) {
      best_length = length;
      best_width = width;
    }
  }
  return {best_length, best_width};
}

std::vector<std::int64_t> TorusRoutes::power_of_two_for(int nodes) {
  std::int64_t width = 1;
  std::int64_t length = 1;
  while (width * length < nodes) (length > width ? width : length) *= 2;
  return {width, length};
}

std::vector<std::int64_t> TorusRoutes::cube_for(int nodes) {
  std::vector<std::int64_t> sides{1, 1, 1};
  std::size_t next = sides.size();
  for (std::int64_t built = 1; built < nodes; built *= 2) {
    next = (next == 0 ? sides.size() : next) - 1;
    sides[next] *= 2;
  }
  return sides;
}

TorusRoutes::Link TorusRoutes::link(int index) const {
  return Link{index / (dimensions_ * 2), index / 2 % dimensions_, index % 2 != 0};
}

int TorusRoutes::upper_neighbour(int node, int dimension) const {
  int stride = 1;
  for (int d = 0; d < dimension; ++d) stride *= extents_[d];
  const bool is_last = node / stride % extents_[dimension] == extents_[dimension] - 1;
  return is_last ? node - stride * (extents_[dimension] - 1) : node + stride;
}

}  // namespace hindcast
