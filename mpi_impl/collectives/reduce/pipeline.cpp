// Reduction in segments along a chain that ends at the root: each rank combines a segment with its own and sends it on,
// while the next one is on its way. If the order of operands matters the chain ends at rank 0, which hands the result
// to the root.
// Needs: nothing. An operation of the program's own takes a copy of each segment more at the end.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

constexpr int ahead = 2;            // receives that are posted
constexpr int buffers = ahead + 2;  // and segments that are being sent

// The part of a rank that has a predecessor: to the next one, or into `result` where the chain ends.
Task pass_on(Collective& collective, Segments own, Block like, Block result, bool is_end) {
  const Segments results(result, static_cast<std::size_t>(own.longest()) * like.type->size);
  const ScratchBlocks memory(collective.pool(), like.part(0, own.longest()), buffers);
  const int before = collective.neighbour(1), after = collective.neighbour(-1);
  const auto buffer = [&](int i) { return memory.of(i % buffers, own.of(i).count); };
  for (int i = 0; i < ahead && i < own.count(); ++i) collective.post_receive(buffer(i), before);
  for (int i = 0; i < own.count(); ++i) {
    if (i >= ahead && !is_end) co_await collective.next();  // the sending of segment i - ahead
    co_await collective.next();
    const Block sum = is_end && collective.combines_anywhere() ? results.of(i) : buffer(i);
    collective.combine(own.of(i).data, buffer(i).data, sum);
    if (is_end)
      collective.copy(sum, results.of(i));
    else
      collective.post_send(sum, after);
    if (i + ahead < own.count()) collective.post_receive(buffer(i + ahead), before);
  }
  co_await collective.all();
}

// The chain's end is `last`; the result is there.
Task reduce_along_chain(Collective& collective, Block mine, Block result, int last) {
  const Segments segments(mine, collective.parameters().segment);
  const int place = collective.neighbour(-last);
  if (collective.size() == 1) {
    collective.copy(mine, result);
  } else if (place == collective.size() - 1) {
    for (int i = 0; i < segments.count(); ++i) collective.post_send(segments.of(i), collective.neighbour(-1));
    co_await collective.all();
  } else {
    co_await pass_on(collective, segments, mine, place == 0 ? result : mine, place == 0);
  }
}

Task reduce_pipeline(Collective& collective, Block mine, Block result, int root) {
  if (mine.count == 0) co_return;
  if (collective.is_commutative() || root == 0) {
    co_await reduce_along_chain(collective, mine, result, root);
  } else if (collective.rank() == 0) {
    const Scratch sum(collective.pool(), mine);
    co_await reduce_along_chain(collective, mine, sum.block(), 0);
    co_await collective.send(sum.block(), root);
  } else {
    co_await reduce_along_chain(collective, mine, result, 0);
    if (collective.rank() == root) co_await collective.receive(result, 0);
  }
}

const Row<Algorithm> reduce_pipeline_row{
    {.operation = CollectiveOperation::reduce,
     .place = 40,
     .name = "pipeline",
     .function = reduce_pipeline,
     .means = means::messages,
     .defaults = {8 * KiB, 0},
     .segment_is_open = true,
     .cuts_vectors = true,
     .cost = "(n-1) (T(s) + C(s)) + (q-1) [R(s) + C(s) + S(s) if n > 2 else max(S(s), R(s) + C(s))]"}};

}  // namespace

}  // namespace hindcast::mpi
