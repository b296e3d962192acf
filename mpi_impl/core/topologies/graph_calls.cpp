// Topologies that are graphs which every rank knows.
#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/communicators/split.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

const Graph& graph_of(const Comm& comm) { return *std::get<GraphPointer>(*comm.topology); }

Graph checked_graph(const Comm& comm, int nodes, const int* index, const int* edges) {
  if (nodes > comm.size)
    throw Error{MPI_ERR_TOPOLOGY,
                fmt::format("argument 2 (nnodes) is {}, but {} has {} ranks", nodes, comm.name(), comm.size)};
  for (int node = 0, before = 0; node < nodes; before = index[node++])
    if (index[node] < before)
      throw Error{MPI_ERR_TOPOLOGY, fmt::format("argument 3 (index): index[{}] is {}, less than the one before; each "
                                                "adds the number of the node's neighbours",
                                                node, index[node])};
  Graph graph{{index, index + nodes}, {}};
  const int edge_count = nodes > 0 ? index[nodes - 1] : 0;
  if (edge_count > 0 && edges == nullptr)
    throw Error{MPI_ERR_ARG, "argument 4 (edges) is a null pointer; give the neighbours of all nodes"};
  for (int i = 0; i < edge_count; ++i)
    if (edges[i] < 0 || edges[i] >= nodes)
      throw Error{MPI_ERR_TOPOLOGY, fmt::format("argument 4 (edges): edges[{}] is {}, and the nodes are 0 to {}", i,
                                                edges[i], nodes - 1)};
  graph.edges.assign(edges, edges + edge_count);
  return graph;
}

void refuse_short_array(int argument, const char* name, int length, std::size_t needed) {
  if (length < 0 || static_cast<std::size_t>(length) < needed)
    throw Error{MPI_ERR_ARG,
                fmt::format("argument {} ({}) is {}; the array must have room for {}", argument, name, length, needed)};
}

}  // namespace

void Graph_create(Process& process, Comm& comm, int nodes, const int* index, const int* edges, int, MPI_Comm& handle) {
  Graph graph = checked_graph(comm, nodes, index, edges);
  handle = MPI_COMM_NULL;
  const GroupPointer group = comm.rank < nodes ? first_members(process.world(), comm, nodes) : nullptr;
  const std::uint32_t context = agree_on_context(process, comm, {group.get()});
  if (group == nullptr) return;
  Comm& made = make_comm(process, context, group, *comm.errhandler);
  made.topology = std::make_shared<const Topology>(process.world().graphs().get(std::move(graph)));
  handle = made.handle;
}

void Graph_map(Process&, Comm& comm, int nodes, const int* index, const int* edges, int& rank) {
  checked_graph(comm, nodes, index, edges);
  rank = comm.rank < nodes ? comm.rank : MPI_UNDEFINED;
}

void Graphdims_get(Process&, Comm& comm, int& nodes, int& edges) {
  nodes = static_cast<int>(graph_of(comm).index.size());
  edges = static_cast<int>(graph_of(comm).edges.size());
}

void Graph_get(Process&, Comm& comm, int longest_index, int longest_edges, int* index, int* edges) {
  const Graph& graph = graph_of(comm);
  refuse_short_array(2, "maxindex", longest_index, graph.index.size());
  refuse_short_array(3, "maxedges", longest_edges, graph.edges.size());
  std::copy(graph.index.begin(), graph.index.end(), index);
  std::copy(graph.edges.begin(), graph.edges.end(), edges);
}

void Graph_neighbors_count(Process&, Comm& comm, int rank, int& count) { count = graph_of(comm).degree_of(rank); }

void Graph_neighbors(Process&, Comm& comm, int rank, int longest, int* neighbours) {
  const Graph& graph = graph_of(comm);
  const int degree = graph.degree_of(rank);
  refuse_short_array(3, "maxneighbors", longest, static_cast<std::size_t>(degree));
  std::copy_n(graph.edges.begin() + graph.begin_of(rank), degree, neighbours);
}

}  // namespace hindcast::mpi::body
