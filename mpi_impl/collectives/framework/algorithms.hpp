// The algorithms of the collectives, each in a file of its own that says what it does, what it needs and what it costs;
// registry.cpp has a row for each. In the costs, n is the number of ranks and m the bytes of a block; a message of m
// bytes takes T(m), S(m) is the time between two sends of a rank and R(m) that between two receives, C(m) combines m
// bytes and K(m) copies them, W(m) is what a message costs more that waits for its receive. On machines that have such,
// B(m) is a broadcast of the machine's, Y(m) what it costs more if its receiver does not wait for it alone, Q(m) the
// time between two of them; D is the machine's barrier and E its reduction of an element; of so many bytes for all in
// sum, H(m) is the scatter of a machine's host and G(m) its gather.
//
// MPI_IN_PLACE does not get here: what is in its place is a block whose memory is that of the result. So where a block
// and the result may be the same memory, the result is written last.
#pragma once

#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/core/topologies/neighbours.hpp"

namespace hindcast::mpi {

Task barrier_dissemination(Collective& collective);
Task barrier_nway_dissemination(Collective& collective);
Task barrier_recursive_doubling(Collective& collective);
Task barrier_tree(Collective& collective);
Task barrier_linear(Collective& collective);
Task barrier_native(Collective& collective);
Task barrier_tree_broadcast(Collective& collective);

Task bcast_binomial(Collective& collective, Block data, int root);
Task bcast_knomial(Collective& collective, Block data, int root);
Task bcast_linear(Collective& collective, Block data, int root);
Task bcast_tree(Collective& collective, Block data, int root);
Task bcast_scatter_ring(Collective& collective, Block data, int root);
Task bcast_scatter_recursive_doubling(Collective& collective, Block data, int root);
Task bcast_native(Collective& collective, Block data, int root);

// `all` matters at the root only.
Task gather_linear(Collective& collective, Block mine, Blocks all, int root);
Task gather_knomial(Collective& collective, Block mine, Blocks all, int root);
Task gatherv_binomial(Collective& collective, Block mine, Blocks all, int root);
Task scatter_linear(Collective& collective, Blocks all, Block mine, int root);
Task scatter_knomial(Collective& collective, Blocks all, Block mine, int root);
Task scatter_broadcast(Collective& collective, Blocks all, Block mine, int root);
Task scatter_host(Collective& collective, Blocks all, Block mine, int root);
Task gather_host(Collective& collective, Block mine, Blocks all, int root);
Task scatterv_broadcast(Collective& collective, Blocks all, Block mine, int root);
Task scatterv_binomial(Collective& collective, Blocks all, Block mine, int root);

Task allgather_ring(Collective& collective, Block mine, Blocks all);
Task allgather_recursive_doubling(Collective& collective, Block mine, Blocks all);
Task allgather_bruck(Collective& collective, Block mine, Blocks all);
Task allgather_neighbor_exchange(Collective& collective, Block mine, Blocks all);
Task allgather_linear(Collective& collective, Block mine, Blocks all);
Task allgather_gather_bcast(Collective& collective, Block mine, Blocks all);
Task allgather_gather_broadcast(Collective& collective, Block mine, Blocks all);
Task allgather_host(Collective& collective, Block mine, Blocks all);
Task allgather_broadcasts(Collective& collective, Block mine, Blocks all);

Task alltoall_ring(Collective& collective, Blocks out, Blocks in);
Task alltoall_pairwise(Collective& collective, Blocks out, Blocks in);
Task alltoall_linear(Collective& collective, Blocks out, Blocks in);
Task alltoall_batches(Collective& collective, Blocks out, Blocks in);
Task alltoall_bruck(Collective& collective, Blocks out, Blocks in);
Task alltoall_host(Collective& collective, Blocks out, Blocks in);
Task alltoall_broadcasts(Collective& collective, Blocks out, Blocks in);
using AlltoallTask = Task(Collective& collective, Blocks out, Blocks in);
Task alltoall_in_place(Collective& collective, AlltoallTask* algorithm, Blocks in);

// `result` matters at the root only.
Task reduce_linear(Collective& collective, Block mine, Block result, int root);
Task reduce_knomial(Collective& collective, Block mine, Block result, int root);
Task reduce_pipeline(Collective& collective, Block mine, Block result, int root);
Task reduce_rabenseifner(Collective& collective, Block mine, Block result, int root);
Task reduce_tree(Collective& collective, Block mine, Block result, int root);
Task reduce_native(Collective& collective, Block mine, Block result, int root);

Task allreduce_recursive_doubling(Collective& collective, Block mine, Block result);
Task allreduce_ring(Collective& collective, Block mine, Block result);
Task allreduce_ring_segmented(Collective& collective, Block mine, Block result);
Task allreduce_rabenseifner(Collective& collective, Block mine, Block result);
Task allreduce_circulant(Collective& collective, Block mine, Block result);
Task allreduce_reduce_bcast(Collective& collective, Block mine, Block result);
Task allreduce_tree_broadcast(Collective& collective, Block mine, Block result);
Task allreduce_native(Collective& collective, Block mine, Block result);

// `mine` has a block for every rank, side by side; the calling rank's result may lie at the beginning of them.
Task reduce_scatter_recursive_halving(Collective& collective, Blocks mine, Block result);
Task reduce_scatter_pairwise(Collective& collective, Blocks mine, Block result);
Task reduce_scatter_ring(Collective& collective, Blocks mine, Block result);
Task reduce_scatter_circulant(Collective& collective, Blocks mine, Block result);
Task reduce_scatter_reduce_scatter(Collective& collective, Blocks mine, Block result);

Task scan_linear(Collective& collective, Block mine, Block result);
Task scan_recursive_doubling(Collective& collective, Block mine, Block result);
Task scan_pipeline(Collective& collective, Block mine, Block result);
Task exscan_linear(Collective& collective, Block mine, Block result);
Task exscan_recursive_doubling(Collective& collective, Block mine, Block result);
Task exscan_pipeline(Collective& collective, Block mine, Block result);

// A block for every destination, and one for every source.
Task neighbor_linear(Collective& collective, const Neighbours& neighbours, Blocks out, Blocks in);
Task neighbor_dimensions(Collective& collective, const Neighbours& neighbours, Blocks out, Blocks in);

}  // namespace hindcast::mpi
