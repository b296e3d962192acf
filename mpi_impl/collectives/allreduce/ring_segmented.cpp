// Allreduce around a ring, with the chunks in segments while they collect the operands: one is combined while the next
// is on its way.
// Needs: a commutative operation. One of the program's own takes a copy more with each combination.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

// One round of the first half: a chunk goes on, and the one before it is combined with the operand.
Task pass_on(Collective& collective, Block out, Block own, Block sum, Block room) {
  const std::size_t segment = collective.parameters().segment;
  const Segments sent(out, segment), operands(own, segment), sums(sum, segment), received(room, segment);
  for (int i = 0; i < received.count(); ++i) collective.post_receive(received.of(i), collective.neighbour(-1));
  for (int i = 0; i < sent.count(); ++i) collective.post_send(sent.of(i), collective.neighbour(1));
  for (int i = 0; i < received.count(); ++i) {
    co_await collective.next();
    collective.combine(received.of(i).data, operands.of(i).data, sums.of(i));
  }
  co_await collective.all();
}

Task allreduce_ring_segmented(Collective& collective, Block mine, Block result) {
  const int n = collective.size();
  const Chunks operands(mine, n), chunks(result, n);
  const Scratch room(collective.pool(), mine.part(0, chunks.longest()));
  if (n == 1) collective.copy(mine, result);
  for (int round = 0; round + 1 < n; ++round) {
    const Block out = (round == 0 ? operands : chunks).of(collective.neighbour(-round));
    const Block own = operands.of(collective.neighbour(-round - 1)), sum = chunks.of(collective.neighbour(-round - 1));
    co_await pass_on(collective, out, own, sum, room.block().part(0, sum.count));
  }
  for (int round = 0; round + 1 < n; ++round)
    co_await collective.exchange(chunks.of(collective.neighbour(1 - round)), collective.neighbour(1),
                                 chunks.of(collective.neighbour(-round)), collective.neighbour(-1));
}

const Row<Algorithm> allreduce_ring_segmented_row{
    {.operation = CollectiveOperation::allreduce,
     .place = 30,
     .name = "ring_segmented",
     .function = allreduce_ring_segmented,
     .means = means::messages,
     .needs = need::commutative,
     .defaults = {8 * KiB, 0},
     .segment_is_open = true,
     .cuts_vectors = true,
     .cost = "(n-1) (T(s) + (q-1) (S(s) + R(s)) + q C(s) + T(m/n)) where q = max(1, ceil(m/n/segment)), s = m/n/q"}};

}  // namespace

}  // namespace hindcast::mpi
