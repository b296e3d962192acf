// Exclusive scan along a chain in segments: each rank keeps a segment of what the ranks before it have come to and
// hands it on combined with its own, while the next one is on its way.
// Needs: nothing. In place each segment is copied; an operation of the program's own takes a copy more with each
// combination.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

constexpr int posted_ahead = 2;  // receives that are posted, and sends that are under way

Task keep_and_pass_on(Collective& collective, Segments own, Segments results, Block like, bool is_end) {
  const bool is_in_place = own.of(0).data == results.of(0).data;
  const Block segment = like.part(0, own.longest());
  const ScratchBlocks incoming(collective.pool(), segment, is_in_place ? posted_ahead : 0);
  const ScratchBlocks outgoing(collective.pool(), segment, posted_ahead);
  const auto buffer = [&](const ScratchBlocks& of, int i) { return of.of(i % posted_ahead, own.of(i).count); };
  const auto heard = [&](int i) { return is_in_place ? buffer(incoming, i) : results.of(i); };
  const int before = collective.rank() - 1, after = collective.rank() + 1;
  for (int i = 0; i < posted_ahead && i < own.count(); ++i) collective.post_receive(heard(i), before);
  for (int i = 0; i < own.count(); ++i) {
    if (i >= posted_ahead && !is_end) co_await collective.next();  // the sending of segment i - posted_ahead
    co_await collective.next();
    if (!is_end) {
      collective.combine(heard(i).data, own.of(i).data, buffer(outgoing, i));
      collective.post_send(buffer(outgoing, i), after);
    }
    collective.copy(heard(i), results.of(i));
    if (i + posted_ahead < own.count()) collective.post_receive(heard(i + posted_ahead), before);
  }
  co_await collective.all();
}

Task exscan_pipeline(Collective& collective, Block mine, Block result) {
  const std::size_t bytes = collective.parameters().segment;
  const Segments own(mine, bytes), results(result, bytes);
  const bool is_end = collective.rank() + 1 == collective.size();
  if (collective.rank() > 0) {
    co_await keep_and_pass_on(collective, own, results, mine, is_end);
  } else if (!is_end) {
    for (int i = 0; i < own.count(); ++i) collective.post_send(own.of(i), 1);
    co_await collective.all();
  }
}

const Row<Algorithm> exscan_pipeline_row{
    {.operation = CollectiveOperation::exscan,
     .place = 30,
     .name = "pipeline",
     .function = exscan_pipeline,
     .means = means::messages,
     .defaults = {8 * KiB, 0},
     .segment_is_open = true,
     .cuts_vectors = true,
     .cost = "(n-1) T(s) + (n-2) C(s) + (q-1) [R(s) + C(s) + S(s) if n > 2 else max(S(s), R(s))]"}};

}  // namespace

}  // namespace hindcast::mpi
