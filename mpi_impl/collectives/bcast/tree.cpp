// Broadcast in segments down a k-ary tree: each rank sends a segment on to its children as soon as it has it, while the
// next one is on its way. With k = 1 the tree is a chain, and the broadcast a pipeline.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"

namespace hindcast::mpi {

namespace {

Task bcast_tree(Collective& collective, Block data, int root) {
  const Kary tree(collective, root, collective.parameters().radix);
  Flat flat(collective, data, tree.is_root());
  const Segments segments(flat.bytes(), collective.parameters().segment);
  const MPI_Count count = segments.count();
  const int children = tree.children();
  const bool receives = !tree.is_root();
  constexpr int ahead = 2;  // receives that are posted
  for (int i = 0; i < ahead && i < count && receives; ++i) collective.post_receive(segments.of(i), tree.parent());
  for (int i = 0; i < count; ++i) {
    if (receives) {
      for (int sent = 0; i >= ahead && sent < children; ++sent) co_await collective.next();  // of segment i - ahead
      co_await collective.next();
    }
    for (int child = 0; child < children; ++child) collective.post_send(segments.of(i), tree.child(child));
    if (receives && i + ahead < count) collective.post_receive(segments.of(i + ahead), tree.parent());
  }
  co_await collective.all();
  if (receives) flat.put_back();
}

const Row<Algorithm> bcast_pipeline_row{{.operation = CollectiveOperation::bcast,
                                         .place = 40,
                                         .name = "pipeline",
                                         .function = bcast_tree,
                                         .means = means::messages,
                                         .defaults = {8 * KiB, 1},
                                         .segment_is_open = true,
                                         .cost = "(n-1) T(s) + (q-1) [R(s) + S(s) if n > 2 else max(R(s), S(s))]"}};
const Row<Algorithm> bcast_tree_row{
    {.operation = CollectiveOperation::bcast,
     .place = 50,
     .name = "tree",
     .function = bcast_tree,
     .means = means::trees,
     .defaults = {8 * KiB, 2},
     .radix_is_open = true,
     .segment_is_open = true,
     .cost = "down_kary(k: s) + (q-1) max(min(k, n-1) S(s), R(s) + min(k, max(0, n-1-k)) S(s))"}};

}  // namespace

}  // namespace hindcast::mpi
