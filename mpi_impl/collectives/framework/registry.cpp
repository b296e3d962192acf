#include "mpi_impl/collectives/framework/registry.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "mpi_impl/collectives/costs/costs.hpp"
#include "mpi_impl/collectives/framework/algorithms.hpp"

namespace hindcast::mpi {

namespace {

using O = CollectiveOperation;

constexpr std::size_t KiB = 1024;
constexpr Parameters none{};
constexpr Parameters binary{0, 2};  // not to be chosen
constexpr Parameters ternary{0, 3};
constexpr Parameters quaternary{0, 4};
constexpr Parameters eight{0, 8};

// A row for an algorithm without parameters.
constexpr Algorithm row(O operation, const char* name, AlgorithmFunction function, Needs needs, const char* text,
                        CostFunction* cost, Parameters fixed = none) {
  return {operation, name, function, needs, fixed, false, false, text, cost};
}
constexpr Algorithm with_radix(O operation, const char* name, AlgorithmFunction function, Parameters defaults,
                               const char* text, CostFunction* cost, Needs needs = Need::nothing) {
  return {operation, name, function, needs, defaults, true, false, text, cost};
}
constexpr Algorithm with_segment(O operation, const char* name, AlgorithmFunction function, Needs needs,
                                 Parameters defaults, const char* text, CostFunction* cost) {
  return {operation, name, function, needs, defaults, false, true, text, cost};
}

constexpr Algorithm table[] = {
    row(O::barrier, "dissemination", barrier_dissemination, Need::nothing, "ceil(log2 n) T(0)",
        cost::barrier_dissemination),
    with_radix(O::barrier, "nway_dissemination", barrier_nway_dissemination, quaternary,
               "ceil(log_k n) (T(0) + (k-2) (S(0) + R(0)))", cost::barrier_nway_dissemination),
    row(O::barrier, "recursive_doubling", barrier_recursive_doubling, Need::nothing,
        "floor(log2 n) T(0) [+ 2 T(0) unless n = 2^k]", cost::barrier_recursive_doubling),
    with_radix(O::barrier, "tree", barrier_tree, binary,
               "longest way up T(0) + (k-1) R(0), and down T(0) + i S(0) to the i-th child", cost::barrier_tree),
    row(O::barrier, "linear", barrier_linear, Need::nothing, "2 T(0) + (n-2) (R(0) + S(0))", cost::barrier_linear),
    row(O::barrier, "native", barrier_native, Need::barrier, "D", cost::barrier_native),
    with_radix(O::barrier, "tree_broadcast", barrier_tree_broadcast, ternary,
               "longest way up T(0) + (k-1) R(0), + B(0)", cost::barrier_tree_broadcast, Need::broadcast),

    row(O::bcast, "binomial", bcast_binomial, Need::nothing, "ceil(log2 n) T(m)", cost::bcast_binomial),
    with_radix(O::bcast, "knomial", bcast_knomial, quaternary, "ceil(log_k n) (T(m) + (k-2) S(m))",
               cost::bcast_knomial),
    row(O::bcast, "linear", bcast_linear, Need::nothing, "T(m) + (n-2) S(m)", cost::bcast_linear),
    with_segment(O::bcast, "pipeline", bcast_tree, Need::nothing, {8 * KiB, 1}, "(n-1) T(s) + (q-1) (R(s) + S(s))",
                 cost::bcast_tree),
    {O::bcast,
     "tree",
     bcast_tree,
     Need::nothing,
     {8 * KiB, 2},
     true,
     true,
     "longest way down T(s) + i S(s) to the i-th child, + (q-1) (R(s) + k S(s))",
     cost::bcast_tree},
    row(O::bcast, "scatter_ring", bcast_scatter_ring, Need::nothing,
        "sum T(m/2^i), i = 1..ceil(log2 n), + (n-1) T(m/n)", cost::bcast_scatter_ring),
    row(O::bcast, "scatter_recursive_doubling", bcast_scatter_recursive_doubling, Need::power_of_two,
        "sum 2 T(m/2^i), i = 1..log2 n", cost::bcast_scatter_recursive_doubling),
    row(O::bcast, "native", bcast_native, Need::broadcast, "B(m)", cost::bcast_native),

    row(O::gather, "linear", gather_linear, Need::nothing, "T(m) + (n-2) R(m)", cost::gather_linear),
    row(O::gather, "binomial", gather_knomial, Need::nothing, "sum T(2^i m), i = 0..ceil(log2 n)-1",
        cost::gather_knomial, binary),
    with_radix(O::gather, "knomial", gather_knomial, quaternary, "sum T(k^i m) + (k-2) R(k^i m)", cost::gather_knomial),
    row(O::gather, "host", gather_host, Need::host, "G((n-1) m) + K(m)", cost::gather_host),
    row(O::gatherv, "linear", gather_linear, Need::nothing, "T(m) + (n-2) R(m)", cost::gather_linear),
    row(O::gatherv, "binomial", gatherv_binomial, Need::nothing,
        "S(8) + sum T(8 2^i), i < L-1, + sum T(2^i m), i < L, + (L-1) (L-2)/2 R(0) + K((n-1) m), L = ceil(log2 n)",
        cost::gatherv_binomial),

    row(O::scatter, "linear", scatter_linear, Need::nothing, "T(m) + (n-2) S(m) + max(0, K(m) - R(m))",
        cost::scatter_linear),
    row(O::scatter, "binomial", scatter_knomial, Need::nothing,
        "sum T(2^i m), i = 0..ceil(log2 n)-1, + max(0, K(m) - R(m))", cost::scatter_knomial, binary),
    with_radix(O::scatter, "knomial", scatter_knomial, quaternary,
               "sum T(k^i m) + (k-2) S(k^i m), + max(0, K(m) - R(m))", cost::scatter_knomial),
    row(O::scatter, "broadcast", scatter_broadcast, Need::broadcast, "B(n m), of which m are copied",
        cost::scatter_broadcast),
    row(O::scatter, "host", scatter_host, Need::host, "H((n-1) m) + K(m)", cost::scatter_host),
    row(O::scatterv, "linear", scatter_linear, Need::nothing, "T(m) + (n-2) S(m) + max(0, K(m) - R(m))",
        cost::scatter_linear),
    row(O::scatterv, "binomial", scatterv_binomial, Need::nothing,
        "K((n-1) m) + sum T(2^i m) + S(8 2^i), i = 0..ceil(log2 n)-1, + max(0, K(m) - R(m))", cost::scatterv_binomial),
    row(O::scatterv, "broadcast", scatterv_broadcast, Need::broadcast, "B(16 n) + B(n m), of which 16 and m are copied",
        cost::scatterv_broadcast),

    row(O::allgather, "ring", allgather_ring, Need::nothing, "(n-1) T(m) + K(m)", cost::allgather_ring),
    row(O::allgather, "recursive_doubling", allgather_recursive_doubling, Need::power_of_two,
        "sum T(2^i m), i = 0..log2 n - 1, + K(m)", cost::allgather_recursive_doubling),
    with_radix(O::allgather, "bruck", allgather_bruck, binary,
               "sum T(k^i m) + (k-2) (S(k^i m) + R(k^i m)), + K((n+1) m)", cost::allgather_bruck),
    row(O::allgather, "neighbor_exchange", allgather_neighbor_exchange, Need::even, "T(m) + (n/2-1) T(2 m) + K(m)",
        cost::allgather_neighbor_exchange),
    row(O::allgather, "linear", allgather_linear, Need::nothing, "T(m) + (n-2) (S(m) + R(m)) + K(m)",
        cost::allgather_linear),
    row(O::allgather, "gather_bcast", allgather_gather_bcast, Need::nothing, "T(m) + (n-2) R(m) + ceil(log2 n) T(n m)",
        cost::allgather_gather_bcast),
    row(O::allgather, "gather_broadcast", allgather_gather_broadcast, Need::broadcast, "T(m) + (n-2) R(m) + B(n m)",
        cost::allgather_gather_broadcast),
    row(O::allgather, "broadcasts", allgather_broadcasts, Need::broadcast, "B(m) + Y(m) + (n-2) Q(m) + K(m)",
        cost::allgather_broadcasts),
    row(O::allgather, "host", allgather_host, Need::host | Need::broadcast, "G((n-1) m) + K(m) + B(n m)",
        cost::allgather_host),

    row(O::allgatherv, "ring", allgather_ring, Need::nothing, "(n-1) T(m) + K(m)", cost::allgather_ring),
    row(O::allgatherv, "recursive_doubling", allgather_recursive_doubling, Need::power_of_two,
        "sum T(2^i m), i = 0..log2 n - 1, + K(n m)", cost::allgather_recursive_doubling),
    with_radix(O::allgatherv, "bruck", allgather_bruck, binary,
               "sum T(k^i m) + (k-2) (S(k^i m) + R(k^i m)), + K((n+1) m)", cost::allgather_bruck),
    row(O::allgatherv, "neighbor_exchange", allgather_neighbor_exchange, Need::even, "T(m) + (n/2-1) T(2 m) + K(n m)",
        cost::allgather_neighbor_exchange),
    row(O::allgatherv, "linear", allgather_linear, Need::nothing, "T(m) + (n-2) (S(m) + R(m)) + K(m)",
        cost::allgather_linear),
    row(O::allgatherv, "gather_bcast", allgather_gather_bcast, Need::nothing,
        "T(m) + (n-2) R(m) + ceil(log2 n) T(n m) + K(n m)", cost::allgather_gather_bcast),
    row(O::allgatherv, "gather_broadcast", allgather_gather_broadcast, Need::broadcast,
        "T(m) + (n-2) R(m) + B(n m) + K(n m)", cost::allgather_gather_broadcast),
    row(O::allgatherv, "broadcasts", allgather_broadcasts, Need::broadcast, "B(m) + Y(m) + (n-2) Q(m) + K(m)",
        cost::allgather_broadcasts),

    row(O::alltoall, "ring", alltoall_ring, Need::nothing, "(n-1) T(m) + K(m)", cost::alltoall_in_rounds),
    row(O::alltoall, "pairwise", alltoall_pairwise, Need::power_of_two, "(n-1) T(m) + K(m)", cost::alltoall_in_rounds),
    row(O::alltoall, "linear", alltoall_linear, Need::nothing, "T(m) + (n-2) (S(m) + R(m)) + K(m)",
        cost::alltoall_linear),
    with_radix(O::alltoall, "batches", alltoall_batches, eight, "ceil((n-1)/k) (T(m) + (k-1) (S(m) + R(m))) + K(m)",
               cost::alltoall_batches),
    with_radix(O::alltoall, "bruck", alltoall_bruck, binary,
               "sum T(b m) + (k-2) (S(b m) + R(b m)) + 2 (k-1) K(b m), b about n/k, + 2 K(n m)", cost::alltoall_bruck),
    row(O::alltoall, "broadcasts", alltoall_broadcasts, Need::broadcast, "B(n m) + Y(n m) + (n-2) Q(n m) + K(m)",
        cost::alltoall_broadcasts),
    row(O::alltoall, "host", alltoall_host, Need::host, "G((n-1) n m) + K(n (n+2) m) + H((n-1) n m)",
        cost::alltoall_host),
    row(O::alltoallv, "ring", alltoall_ring, Need::nothing, "(n-1) T(m) + K(m)", cost::alltoall_in_rounds),
    row(O::alltoallv, "pairwise", alltoall_pairwise, Need::power_of_two, "(n-1) T(m) + K(m)", cost::alltoall_in_rounds),
    row(O::alltoallv, "linear", alltoall_linear, Need::nothing, "T(m) + (n-2) (S(m) + R(m)) + K(m)",
        cost::alltoall_linear),
    with_radix(O::alltoallv, "batches", alltoall_batches, eight, "ceil((n-1)/k) (T(m) + (k-1) (S(m) + R(m))) + K(m)",
               cost::alltoall_batches),
    row(O::alltoallv, "broadcasts", alltoall_broadcasts, Need::broadcast,
        "B(m) + Y(m) + (n-2) Q(m) of 16 n and of n m bytes, + K(m)", cost::alltoallv_broadcasts),
    row(O::alltoallw, "ring", alltoall_ring, Need::nothing, "(n-1) T(m) + K(m)", cost::alltoall_in_rounds),
    row(O::alltoallw, "pairwise", alltoall_pairwise, Need::power_of_two, "(n-1) T(m) + K(m)", cost::alltoall_in_rounds),
    row(O::alltoallw, "linear", alltoall_linear, Need::nothing, "T(m) + (n-2) (S(m) + R(m)) + K(m)",
        cost::alltoall_linear),
    with_radix(O::alltoallw, "batches", alltoall_batches, eight, "ceil((n-1)/k) (T(m) + (k-1) (S(m) + R(m))) + K(m)",
               cost::alltoall_batches),
    row(O::alltoallw, "broadcasts", alltoall_broadcasts, Need::broadcast,
        "B(m) + Y(m) + (n-2) Q(m) of 16 n and of n m bytes, + K(n m) + K(m)", cost::alltoallv_broadcasts),

    row(O::reduce, "binomial", reduce_knomial, Need::nothing, "ceil(log2 n) (T(m) + C(m))", cost::reduce_knomial,
        binary),
    with_radix(O::reduce, "knomial", reduce_knomial, quaternary, "ceil(log_k n) (T(m) + (k-2) R(m) + (k-1) C(m))",
               cost::reduce_knomial),
    row(O::reduce, "linear", reduce_linear, Need::nothing, "T(m) + (n-2) (R(m) + W(m)) + (n-1) C(m) + K(m)",
        cost::reduce_linear),
    with_segment(O::reduce, "pipeline", reduce_pipeline, Need::nothing, {8 * KiB, 0},
                 "(n-1) (T(s) + C(s)) + (q-1) (R(s) + C(s) + S(s)) (of 2 ranks, max(S, R + C))", cost::reduce_pipeline),
    row(O::reduce, "rabenseifner", reduce_rabenseifner, Need::nothing,
        "sum 2 T(m/2^i) + C(m/2^i), i = 1..log2 n [+ 2 T(m) + C(m) + sum W(m/2^i) unless n = 2^k]",
        cost::reduce_rabenseifner),
    with_radix(O::reduce, "tree", reduce_tree, ternary, "longest way up T(m) + (k-1) (R(m) + W(m)) + k C(m)",
               cost::reduce_tree, Need::commutative),
    row(O::reduce, "native", reduce_native, Need::reduction, "E for every element", cost::allreduce_native),

    row(O::allreduce, "recursive_doubling", allreduce_recursive_doubling, Need::nothing,
        "floor(log2 n) (T(m) + C(m)) [+ 2 T(m) + C(m) + floor(log2 n) W(m) unless n = 2^k]",
        cost::allreduce_recursive_doubling),
    row(O::allreduce, "ring", allreduce_ring, Need::commutative, "(n-1) (2 T(m/n) + C(m/n))", cost::allreduce_ring),
    with_segment(O::allreduce, "ring_segmented", allreduce_ring_segmented, Need::commutative, {8 * KiB, 0},
                 "(n-1) (T(s) + (q-1) (S(s) + R(s)) + q C(s) + T(m/n))", cost::allreduce_ring_segmented),
    row(O::allreduce, "rabenseifner", allreduce_rabenseifner, Need::nothing,
        "sum 2 T(m/2^i) + C(m/2^i), i = 1..log2 n [+ 2 T(m) + C(m) + sum W(m/2^i) unless n = 2^k]",
        cost::allreduce_rabenseifner),
    row(O::allreduce, "circulant", allreduce_circulant, Need::commutative,
        "sum 2 T(b m/n) + C(b m/n), b = n - ceil(n/2), then likewise of the rest, + 2 K(m)", cost::allreduce_circulant),
    row(O::allreduce, "reduce_bcast", allreduce_reduce_bcast, Need::nothing, "ceil(log2 n) (2 T(m) + C(m))",
        cost::allreduce_reduce_bcast, binary),
    with_radix(O::allreduce, "tree_broadcast", allreduce_tree_broadcast, ternary,
               "longest way up T(m) + (k-1) (R(m) + W(m)) + k C(m), + B(m)", cost::allreduce_tree_broadcast,
               Need::commutative | Need::broadcast),
    row(O::allreduce, "native", allreduce_native, Need::reduction, "E for every element", cost::allreduce_native),

    row(O::reduce_scatter_block, "recursive_halving", reduce_scatter_recursive_halving, Need::commutative,
        "sum T(n m/2^i) + C(n m/2^i), i = 1..log2 n, + K(m) [+ T(n m) + C(n m) + T(m) + sum W(n m/2^i) unless n = 2^k]",
        cost::reduce_scatter_recursive_halving),
    row(O::reduce_scatter_block, "pairwise", reduce_scatter_pairwise, Need::commutative, "(n-1) (T(m) + C(m))",
        cost::reduce_scatter_in_rounds),
    row(O::reduce_scatter_block, "ring", reduce_scatter_ring, Need::commutative, "(n-1) (T(m) + C(m))",
        cost::reduce_scatter_in_rounds),
    row(O::reduce_scatter_block, "circulant", reduce_scatter_circulant, Need::commutative,
        "sum T(b m) + C(b m), b = n - ceil(n/2), then likewise of the rest, + K((n+1) m)",
        cost::reduce_scatter_circulant),
    row(O::reduce_scatter_block, "reduce_scatter", reduce_scatter_reduce_scatter, Need::nothing,
        "ceil(log2 n) (T(n m) + C(n m)) + T(m) + (n-2) S(m) + max(0, K(m) - R(m))", cost::reduce_scatter_reduce_scatter,
        binary),
    row(O::reduce_scatter, "recursive_halving", reduce_scatter_recursive_halving, Need::commutative,
        "sum T(n m/2^i) + C(n m/2^i), i = 1..log2 n, + K(m) [+ T(n m) + C(n m) + T(m) + sum W(n m/2^i) unless n = 2^k]",
        cost::reduce_scatter_recursive_halving),
    row(O::reduce_scatter, "pairwise", reduce_scatter_pairwise, Need::commutative, "(n-1) (T(m) + C(m))",
        cost::reduce_scatter_in_rounds),
    row(O::reduce_scatter, "ring", reduce_scatter_ring, Need::commutative, "(n-1) (T(m) + C(m))",
        cost::reduce_scatter_in_rounds),
    row(O::reduce_scatter, "circulant", reduce_scatter_circulant, Need::commutative,
        "sum T(b m) + C(b m), b = n - ceil(n/2), then likewise of the rest, + K((n+1) m)",
        cost::reduce_scatter_circulant),
    row(O::reduce_scatter, "reduce_scatter", reduce_scatter_reduce_scatter, Need::nothing,
        "ceil(log2 n) (T(n m) + C(n m)) + T(m) + (n-2) S(m) + max(0, K(m) - R(m))", cost::reduce_scatter_reduce_scatter,
        binary),

    row(O::scan, "recursive_doubling", scan_recursive_doubling, Need::nothing,
        "ceil(log2 n) (T(m) + C(m)), or ceil(log2 n) S(m) + K(m)", cost::scan_recursive_doubling),
    row(O::scan, "linear", scan_linear, Need::nothing, "(n-1) (T(m) + C(m)), or S(m) + K(m)", cost::scan_linear),
    with_segment(O::scan, "pipeline", scan_pipeline, Need::nothing, {8 * KiB, 0},
                 "(n-1) (T(s) + C(s)) + (q-1) (R(s) + C(s) + S(s)) (of 2 ranks, max(S, R + C)), or q S(s) + K(m)",
                 cost::scan_pipeline),
    row(O::exscan, "recursive_doubling", exscan_recursive_doubling, Need::nothing,
        "ceil(log2 n) (T(m) + 2 C(m)) - C(m)", cost::exscan_recursive_doubling),
    row(O::exscan, "linear", exscan_linear, Need::nothing, "(n-1) T(m) + (n-2) C(m)", cost::exscan_linear),
    with_segment(O::exscan, "pipeline", exscan_pipeline, Need::nothing, {8 * KiB, 0},
                 "(n-1) T(s) + (n-2) C(s) + (q-1) (R(s) + C(s) + S(s)) (of 2 ranks, max(S, R))", cost::exscan_pipeline),

    row(O::neighbor_allgather, "linear", neighbor_linear, Need::nothing, "T(m) + (d-1) (S(m) + R(m))",
        cost::neighbor_linear),
    row(O::neighbor_allgather, "dimensions", neighbor_dimensions, Need::grid, "d T(m)", cost::neighbor_dimensions),
    row(O::neighbor_allgatherv, "linear", neighbor_linear, Need::nothing, "T(m) + (d-1) (S(m) + R(m))",
        cost::neighbor_linear),
    row(O::neighbor_allgatherv, "dimensions", neighbor_dimensions, Need::grid, "d T(m)", cost::neighbor_dimensions),
    row(O::neighbor_alltoall, "linear", neighbor_linear, Need::nothing, "T(m) + (d-1) (S(m) + R(m))",
        cost::neighbor_linear),
    row(O::neighbor_alltoall, "dimensions", neighbor_dimensions, Need::grid, "d T(m)", cost::neighbor_dimensions),
    row(O::neighbor_alltoallv, "linear", neighbor_linear, Need::nothing, "T(m) + (d-1) (S(m) + R(m))",
        cost::neighbor_linear),
    row(O::neighbor_alltoallv, "dimensions", neighbor_dimensions, Need::grid, "d T(m)", cost::neighbor_dimensions),
    row(O::neighbor_alltoallw, "linear", neighbor_linear, Need::nothing, "T(m) + (d-1) (S(m) + R(m))",
        cost::neighbor_linear),
    row(O::neighbor_alltoallw, "dimensions", neighbor_dimensions, Need::grid, "d T(m)", cost::neighbor_dimensions),
};

}  // namespace

const char* name_of(CollectiveOperation operation) {
  static constexpr const char* names[] = {
      "barrier",
      "bcast",
      "gather",
      "gatherv",
      "scatter",
      "scatterv",
      "allgather",
      "allgatherv",
      "alltoall",
      "alltoallv",
      "alltoallw",
      "reduce",
      "allreduce",
      "reduce_scatter_block",
      "reduce_scatter",
      "scan",
      "exscan",
      "neighbor_allgather",
      "neighbor_allgatherv",
      "neighbor_alltoall",
      "neighbor_alltoallv",
      "neighbor_alltoallw",
  };
  static_assert(std::size(names) == collective_operations);
  return names[static_cast<int>(operation)];
}

std::string text_of(Needs needs) {
  static constexpr std::pair<Need, const char*> texts[] = {
      {Need::power_of_two, "a power of two of ranks"},
      {Need::even, "an even number of ranks"},
      {Need::commutative, "a commutative operation"},
      {Need::grid, "a Cartesian topology"},
      {Need::broadcast, "the machine's broadcast"},
      {Need::barrier, "the machine's barrier"},
      {Need::reduction, "the machine's reduction of an element"},
      {Need::host, "the machine's host among all of the run, as the root if there is one"},
  };
  std::string all;
  for (const auto& [need, text] : texts)
    if (needs.has(need)) all += (all.empty() ? "" : " and ") + std::string(text);
  return all.empty() ? "nothing" : all;
}

std::span<const Algorithm> algorithms() { return table; }

std::span<const Algorithm> algorithms_of(CollectiveOperation operation) {
  const auto [first, last] =
      std::equal_range(std::begin(table), std::end(table), Algorithm{operation},
                       [](const Algorithm& a, const Algorithm& b) { return a.operation < b.operation; });
  return {first, last};
}

const Algorithm* find_algorithm(CollectiveOperation operation, std::string_view name) {
  for (const Algorithm& algorithm : algorithms_of(operation))
    if (algorithm.name == name) return &algorithm;
  return nullptr;
}

}  // namespace hindcast::mpi
