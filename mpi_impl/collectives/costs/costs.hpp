// The cost formulas of the algorithms, as their files state them.
#pragma once

#include "mpi_impl/collectives/costs/cost_model.hpp"

namespace hindcast::mpi::cost {

CostFunction barrier_dissemination, barrier_recursive_doubling, barrier_tree, barrier_linear, barrier_native,
    barrier_tree_broadcast;
CostFunction bcast_binomial, bcast_knomial, bcast_linear, bcast_tree, bcast_scatter_ring,
    bcast_scatter_recursive_doubling, bcast_native;
CostFunction gather_linear, gather_knomial, scatter_linear, scatter_knomial, scatter_broadcast, scatterv_broadcast,
    scatter_host, gather_host;
CostFunction allgather_ring, allgather_recursive_doubling, allgather_bruck, allgather_neighbor_exchange,
    allgather_linear, allgather_gather_bcast, allgather_gather_broadcast, allgather_broadcasts, allgather_host;
CostFunction alltoall_in_rounds, alltoall_linear, alltoall_bruck, alltoall_broadcasts, alltoallv_broadcasts,
    alltoall_host;
CostFunction reduce_linear, reduce_knomial, reduce_pipeline, reduce_rabenseifner, reduce_tree;
CostFunction allreduce_recursive_doubling, allreduce_ring, allreduce_ring_segmented, allreduce_rabenseifner,
    allreduce_reduce_bcast, allreduce_tree_broadcast, allreduce_native;
CostFunction reduce_scatter_recursive_halving, reduce_scatter_in_rounds, reduce_scatter_reduce_scatter;
CostFunction scan_linear, scan_recursive_doubling, exscan_linear, exscan_recursive_doubling;
CostFunction barrier_nway_dissemination, gatherv_binomial, scatterv_binomial, alltoall_batches;
CostFunction allreduce_circulant, reduce_scatter_circulant, scan_pipeline, exscan_pipeline;

// Of ranks in a periodic grid of two dimensions.
CostFunction neighbor_linear, neighbor_dimensions;

}  // namespace hindcast::mpi::cost
