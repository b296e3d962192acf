// Allreduce around a ring, for long data: a chunk for every rank goes once around and collects the operands, then once
// more with the result.
// Needs: a commutative operation. One of the program's own takes a copy more with each combination.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

Task allreduce_ring(Collective& collective, Block mine, Block result) {
  const int n = collective.size(), after = collective.neighbour(1), before = collective.neighbour(-1);
  const Chunks operands(mine, n), chunks(result, n);
  const Scratch room(collective.pool(), mine.part(0, chunks.longest()));
  if (n == 1) collective.copy(mine, result);
  for (int round = 0; round + 1 < n; ++round) {
    const Block out = (round == 0 ? operands : chunks).of(collective.neighbour(-round));
    const Block own = operands.of(collective.neighbour(-round - 1)), sum = chunks.of(collective.neighbour(-round - 1));
    const Block received = room.block().part(0, sum.count);
    co_await collective.exchange(out, after, received, before);
    collective.combine(received.data, own.data, sum);
  }
  for (int round = 0; round + 1 < n; ++round)
    co_await collective.exchange(chunks.of(collective.neighbour(1 - round)), after,
                                 chunks.of(collective.neighbour(-round)), before);
}

const Row<Algorithm> allreduce_ring_row{{.operation = CollectiveOperation::allreduce,
                                         .place = 20,
                                         .name = "ring",
                                         .function = allreduce_ring,
                                         .means = means::messages,
                                         .needs = need::commutative,
                                         .cuts_vectors = true,
                                         .cost = "(n-1) (2 T(m/n) + C(m/n))"}};

}  // namespace

}  // namespace hindcast::mpi
