// Scan along a chain in segments: each rank combines a segment of what the ranks before it have come to with its own
// and hands it on, while the next one is on its way.
// Needs: nothing. Rank 0, which only sends, copies its operand; an operation of the program's own takes a copy more
// with each combination.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

constexpr int receives_ahead = 2;  // receives that are posted

Task combine_and_pass_on(Collective& collective, Segments own, Segments results, Block like, bool is_end) {
  const ScratchBlocks memory(collective.pool(), like.part(0, results.longest()), receives_ahead);
  const auto buffer = [&](int i) { return memory.of(i % receives_ahead, results.of(i).count); };
  const int before = collective.rank() - 1, after = collective.rank() + 1;
  for (int i = 0; i < receives_ahead && i < results.count(); ++i) collective.post_receive(buffer(i), before);
  for (int i = 0; i < results.count(); ++i) {
    if (i >= receives_ahead && !is_end) co_await collective.next();  // the sending of segment i - receives_ahead
    co_await collective.next();
    collective.combine(buffer(i).data, own.of(i).data, results.of(i));
    if (!is_end) collective.post_send(results.of(i), after);
    if (i + receives_ahead < results.count()) collective.post_receive(buffer(i + receives_ahead), before);
  }
  co_await collective.all();
}

Task scan_pipeline(Collective& collective, Block mine, Block result) {
  const std::size_t bytes = collective.parameters().segment;
  const Segments own(mine, bytes), results(result, bytes);
  const bool is_end = collective.rank() + 1 == collective.size();
  if (collective.rank() > 0) {
    co_await combine_and_pass_on(collective, own, results, mine, is_end);
  } else {
    for (int i = 0; i < own.count() && !is_end; ++i) collective.post_send(own.of(i), 1);
    co_await collective.all();
    collective.copy(mine, result);
  }
}

const Row<Algorithm> scan_pipeline_row{
    {.operation = CollectiveOperation::scan,
     .place = 30,
     .name = "pipeline",
     .function = scan_pipeline,
     .means = means::messages,
     .defaults = {8 * KiB, 0},
     .segment_is_open = true,
     .cuts_vectors = true,
     .cost =
         "max((n-1) (T(s) + C(s)) + (q-1) [R(s) + C(s) + S(s) if n > 2 else max(S(s), R(s) + C(s))], q S(s) + K(m))"}};

}  // namespace

}  // namespace hindcast::mpi
