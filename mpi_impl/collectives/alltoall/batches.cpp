// All-to-all in batches: every rank posts the receives and sends for k others at a time, so that no more are under way.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"

namespace hindcast::mpi {

namespace {

Task alltoall_batches(Collective& collective, Blocks out, Blocks in) {
  const int n = collective.size(), batch = collective.parameters().radix;
  collective.copy(out.of(collective.rank()), in.of(collective.rank()));
  for (int first = 1; first < n; first += batch) {
    const int end = std::min(first + batch, n);
    for (int distance = first; distance < end; ++distance) {
      const int from = collective.neighbour(-distance);
      collective.post_receive(in.of(from), from);
    }
    for (int distance = first; distance < end; ++distance) {
      const int to = collective.neighbour(distance);
      collective.post_send(out.of(to), to);
    }
    co_await collective.all();
  }
}

constexpr Algorithm alltoall_batches_algorithm{
    .operation = CollectiveOperation::alltoall,
    .place = 40,
    .name = "batches",
    .function = alltoall_batches,
    .means = means::messages,
    .defaults = {0, 8},
    .radix_is_open = true,
    .carries = Carries::single_block,
    .cost = "K(m) + sum(i = 1..ceil((n-1)/k): T(m) + (min(k, n-1 - (i-1) k) - 1) (S(m) + R(m)))"};
const Row<Algorithm> alltoall_batches_row{alltoall_batches_algorithm},
    alltoallv_batches_row{alltoall_batches_algorithm.of(CollectiveOperation::alltoallv, 40)},
    alltoallw_batches_row{alltoall_batches_algorithm.of(CollectiveOperation::alltoallw, 40)};

}  // namespace

}  // namespace hindcast::mpi
