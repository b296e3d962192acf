#include "mpi_impl/core/topologies/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hindcast::mpi {

namespace {

int rank_beside(const Grid& grid, std::vector<int> coordinates, std::size_t dimension, int distance) {
  coordinates[dimension] += distance;
  const int rank = grid.rank_of(std::move(coordinates));
  return rank >= 0 ? rank : MPI_PROC_NULL;
}

std::vector<int> neighbours_on(const Grid& grid, int rank) {
  const std::vector<int> place = grid.coordinates_of(rank);
  std::vector<int> neighbours;
  for (std::size_t d = 0; d < grid.dims.size(); ++d)
    for (const int distance : {-1, 1}) neighbours.push_back(rank_beside(grid, place, d, distance));
  return neighbours;
}

std::vector<int> neighbours_in(const Graph& graph, int rank) {
  const auto first = graph.edges.begin() + graph.begin_of(rank);
  return {first, first + graph.degree_of(rank)};
}

void refuse_one_way(const Graph& graph, const Comm& comm, const std::vector<int>& neighbours) {
  for (const int neighbour : neighbours) {
    const auto there = std::count(neighbours.begin(), neighbours.end(), neighbour);
    const std::vector<int> others = neighbours_in(graph, neighbour);
    const auto back = std::count(others.begin(), others.end(), comm.rank);
    if (there == back) continue;
    throw Error{MPI_ERR_TOPOLOGY,
                fmt::format("the graph of {} has {} edge{} from rank {} to rank {}, but {} back; a neighbourhood "
                            "collective needs as many: make it with MPI_Dist_graph_create",
                            comm.name(), there, there == 1 ? "" : "s", comm.rank, neighbour, back),
                &comm};
  }
}

}  // namespace

Neighbours neighbours_of(const Comm& comm) {
  const Topology& topology = *comm.topology;
  if (const Grid* grid = std::get_if<Grid>(&topology)) {
    const std::vector<int> neighbours = neighbours_on(*grid, comm.rank);
    return {neighbours, neighbours, true};
  }
  if (const GraphPointer* graph = std::get_if<GraphPointer>(&topology)) {
    const std::vector<int> neighbours = neighbours_in(**graph, comm.rank);
    refuse_one_way(**graph, comm, neighbours);
    return {neighbours, neighbours};
  }
  const auto& neighbourhood = std::get<Neighbourhood>(topology);
  return {neighbourhood.in.ranks, neighbourhood.out.ranks};
}

int in_degree_of(const Comm& comm) {
  const Topology& topology = *comm.topology;
  if (const Grid* grid = std::get_if<Grid>(&topology)) return 2 * static_cast<int>(grid->dims.size());
  if (const GraphPointer* graph = std::get_if<GraphPointer>(&topology)) return (*graph)->degree_of(comm.rank);
  return static_cast<int>(std::get<Neighbourhood>(topology).in.ranks.size());
}

int out_degree_of(const Comm& comm) {
  const auto* neighbourhood = std::get_if<Neighbourhood>(&*comm.topology);
  return neighbourhood != nullptr ? static_cast<int>(neighbourhood->out.ranks.size()) : in_degree_of(comm);
}

}  // namespace hindcast::mpi
