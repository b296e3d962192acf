// Topologies: how the ranks of a communicator lie to each other. Ranks share a graph that all of them know; of a
// distributed graph a rank has its own edges only.
#pragma once

#include <compare>
#include <memory>
#include <variant>
#include <vector>

#include "mpi_impl/core/shared_objects.hpp"

namespace hindcast::mpi {

// A grid, its last dimension running fastest.
struct Grid {
  std::vector<int> dims;
  std::vector<bool> is_periodic;

  std::vector<int> coordinates_of(int rank) const;
  // -1 if a coordinate is outside of a dimension that is not periodic.
  int rank_of(std::vector<int> coordinates) const;
};

// Node i's neighbours are edges[index[i - 1]] to edges[index[i] - 1].
struct Graph {
  std::vector<int> index;
  std::vector<int> edges;

  int begin_of(int rank) const { return rank > 0 ? index[static_cast<std::size_t>(rank) - 1] : 0; }
  int degree_of(int rank) const { return index[static_cast<std::size_t>(rank)] - begin_of(rank); }
  auto operator<=>(const Graph&) const = default;
};
using GraphPointer = std::shared_ptr<const Graph>;

struct Neighbourhood {
  struct Edges {
    std::vector<int> ranks;
    std::vector<int> weights;  // as many, if there are weights
  };
  Edges in;
  Edges out;
  bool is_weighted = false;
};

using Topology = std::variant<Grid, GraphPointer, Neighbourhood>;
using TopologyPointer = std::shared_ptr<const Topology>;  // null: none

using Graphs = SharedObjects<Graph, Graph>;

// The free dimensions (0 in `dims`) such that the product of all is `nodes`, in falling order: the largest and the
// smallest differ as little as they can, then the largest is as small as it can be, then the next. Where all are fixed
// the product may be less. False if the fixed ones do not divide `nodes`, or there is no dimension for several.
bool balance(int nodes, std::vector<int>& dims);

}  // namespace hindcast::mpi
