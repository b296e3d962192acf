// Topologies that are graphs of which each rank knows the edges at itself.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

struct Edge {
  int source;
  int destination;
  int weight;
};

const Neighbourhood& neighbourhood_of(const Comm& comm) { return std::get<Neighbourhood>(*comm.topology); }

bool has_weights(const int* weights) { return weights != MPI_UNWEIGHTED; }

void check_ranks(const Comm& comm, int argument, const char* name, int count, const int* ranks) {
  for (int i = 0; i < count; ++i)
    if (ranks[i] < 0 || ranks[i] >= comm.size)
      throw Error{MPI_ERR_RANK, fmt::format("argument {} ({}): {}[{}] is {}, but {} has ranks 0 to {}", argument, name,
                                            name, i, ranks[i], comm.name(), comm.size - 1)};
}

void check_weights(int argument, const char* name, int count, const int* weights) {
  if (count > 0 && (weights == nullptr || weights == MPI_WEIGHTS_EMPTY))
    throw Error{MPI_ERR_ARG, fmt::format("argument {} ({}) has no weights for {} edges; give them, or MPI_UNWEIGHTED",
                                         argument, name, count)};
  for (int i = 0; has_weights(weights) && i < count; ++i)
    if (weights[i] < 0)
      throw Error{MPI_ERR_ARG, fmt::format("argument {} ({}): {}[{}] is {}; a weight is not negative", argument, name,
                                           name, i, weights[i])};
}

Neighbourhood::Edges edges_at(int count, const int* ranks, const int* weights) {
  Neighbourhood::Edges edges{{ranks, ranks + count}, {}};
  if (has_weights(weights)) edges.weights.assign(weights, weights + count);
  return edges;
}

MPI_Comm make_with(Process& process, Comm& comm, const Info* info, Neighbourhood neighbourhood) {
  const std::uint32_t context = agree_on_context(process, comm, groups_of(comm));
  Comm& made = make_comm(process, context, comm.group, *comm.errhandler);
  made.topology = std::make_shared<const Topology>(std::move(neighbourhood));
  if (info != nullptr) made.hints = std::make_unique<Hints>(info->hints);
  return made.handle;
}

std::vector<Edge> listed_edges(int count, const int* sources, const int* degrees, const int* destinations,
                               const int* weights) {
  std::vector<Edge> edges;
  for (int i = 0, next = 0; i < count; ++i)
    for (int end = next + degrees[i]; next < end; ++next)
      edges.push_back({sources[i], destinations[next], has_weights(weights) ? weights[next] : 0});
  return edges;
}

// On rank 0: to every rank the edges that it is at an end of, those to itself once.
std::vector<std::vector<std::byte>> sorted_by_rank(const Comm& comm, const std::vector<Edge>& edges) {
  std::vector<std::vector<std::byte>> lists(static_cast<std::size_t>(comm.size));
  const auto add = [&](int rank, const Edge& edge) {
    const auto bytes = bytes_of(edge);
    std::vector<std::byte>& list = lists[static_cast<std::size_t>(rank)];
    list.insert(list.end(), bytes.begin(), bytes.end());
  };
  for (const Edge& edge : edges) {
    add(edge.source, edge);
    if (edge.destination != edge.source) add(edge.destination, edge);
  }
  return lists;
}

void add(Neighbourhood::Edges& edges, int rank, const Edge& edge, bool is_weighted) {
  edges.ranks.push_back(rank);
  if (is_weighted) edges.weights.push_back(edge.weight);
}

void put(const Neighbourhood::Edges& edges, int longest, int* ranks, int* weights) {
  const auto count = std::min(edges.ranks.size(), static_cast<std::size_t>(longest));
  std::copy_n(edges.ranks.begin(), count, ranks);
  if (!edges.weights.empty() && has_weights(weights)) std::copy_n(edges.weights.begin(), count, weights);
}

}  // namespace

void Dist_graph_create_adjacent(Process& process, Comm& comm, int in_count, const int* sources,
                                const int* source_weights, int out_count, const int* destinations,
                                const int* destination_weights, const Info* info, int, MPI_Comm& handle) {
  check_ranks(comm, 3, "sources", in_count, sources);
  check_ranks(comm, 6, "destinations", out_count, destinations);
  check_weights(4, "sourceweights", in_count, source_weights);
  check_weights(7, "destweights", out_count, destination_weights);
  Neighbourhood neighbourhood{edges_at(in_count, sources, source_weights),
                              edges_at(out_count, destinations, destination_weights), has_weights(source_weights)};
  handle = make_with(process, comm, info, std::move(neighbourhood));
}

void Dist_graph_create(Process& process, Comm& comm, int count, const int* sources, const int* degrees,
                       const int* destinations, const int* weights, const Info* info, int, MPI_Comm& handle) {
  check_ranks(comm, 3, "sources", count, sources);
  int edge_count = 0;
  for (int i = 0; i < count; ++i) {
    if (degrees[i] < 0)
      throw Error{MPI_ERR_ARG,
                  fmt::format("argument 4 (degrees): degrees[{}] is {}; it must not be negative", i, degrees[i])};
    edge_count += degrees[i];
  }
  if (edge_count > 0 && destinations == nullptr)
    throw Error{MPI_ERR_ARG, "argument 5 (destinations) is a null pointer; give the ends of the edges"};
  check_ranks(comm, 5, "destinations", edge_count, destinations);
  check_weights(6, "weights", edge_count, weights);
  const std::vector<Edge> mine = listed_edges(count, sources, degrees, destinations, weights);
  const auto all = records_in<Edge>(gather_lists_at_first(process, comm, std::as_bytes(std::span(mine))));
  std::vector<std::vector<std::byte>> lists;
  if (comm.rank == 0) lists = sorted_by_rank(comm, all);
  Neighbourhood neighbourhood{{}, {}, has_weights(weights)};
  for (const Edge& edge : records_in<Edge>(scatter_lists_from_first(process, comm, lists))) {
    if (edge.destination == comm.rank) add(neighbourhood.in, edge.source, edge, neighbourhood.is_weighted);
    if (edge.source == comm.rank) add(neighbourhood.out, edge.destination, edge, neighbourhood.is_weighted);
  }
  handle = make_with(process, comm, info, std::move(neighbourhood));
}

void Dist_graph_neighbors_count(Process&, Comm& comm, int& in_count, int& out_count, int& is_weighted) {
  const Neighbourhood& neighbourhood = neighbourhood_of(comm);
  in_count = static_cast<int>(neighbourhood.in.ranks.size());
  out_count = static_cast<int>(neighbourhood.out.ranks.size());
  is_weighted = neighbourhood.is_weighted;
}

void Dist_graph_neighbors(Process&, Comm& comm, int most_in, int* sources, int* source_weights, int most_out,
                          int* destinations, int* destination_weights) {
  put(neighbourhood_of(comm).in, most_in, sources, source_weights);
  put(neighbourhood_of(comm).out, most_out, destinations, destination_weights);
}

}  // namespace hindcast::mpi::body
