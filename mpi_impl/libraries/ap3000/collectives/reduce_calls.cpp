// Reduction along a binomial tree, as MPI/AP has it: each rank combines its operand with what its children have,
// nearest ones first, and sends the result to its parent. Who passes on what it has received calls MPI once more. An
// operation of the library's own puts its result where it is wanted; one of the program's changes what has been
// received, and the root copies that in the end. Needs: MPI/AP, a commutative operation.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"
#include "mpi_impl/libraries/ap3000/mpi/group_operations.hpp"

namespace hindcast::mpi {

namespace {

constexpr Need mpi_ap{"the machine's own MPI",
                      [](const Situation& in) { return in.offers.own.library == calls_of_mpi_ap.library; }, true};

Task reduce_calls(Collective& collective, Block mine, Block result, int root) {
  if (mine.count == 0) co_return;
  const auto& own = dynamic_cast<Ap3000GroupOperations&>(collective.group_operations());
  const Knomial tree = knomial(collective, root, 2);
  const bool is_leaf = tree.widest_stride() == 0 || !tree.has_child(1);
  const Block nothing = mine.part(0, 0);
  const Scratch one(collective.pool(), is_leaf ? nothing : mine), other(collective.pool(), is_leaf ? nothing : mine);
  Block sum = mine;
  for (int stride = 1, level = 0; stride <= tree.widest_stride() && tree.has_child(stride); stride *= 2, ++level) {
    const Block received = level % 2 == 0 ? one.block() : other.block();
    co_await collective.receive(received, collective.neighbour(stride));
    const Block next = tree.is_root() && collective.combines_anywhere() ? result : received;
    collective.combine(sum.data, received.data, next);
    sum = next;
  }
  if (!tree.is_root()) {
    if (!is_leaf) own.pass_on();
    co_await collective.send(sum, collective.neighbour(-tree.distance_to_parent()));
  } else if (sum.data != result.data) {
    collective.move(sum, result);
    own.copy_result(Bytes(sum.bytes()));
  }
}

const Row<Algorithm> reduce_calls_row{{.operation = CollectiveOperation::reduce,
                                       .place = 110,
                                       .name = "binomial_calls",
                                       .function = reduce_calls,
                                       .means = means::trees,
                                       .needs = mpi_ap | need::commutative,
                                       .cost = "levels(2: T(m) + C(m)) + [(ceil(log2 n) - 1) P(m) if n > 2 else 0]"}};
const Row<OwnTerm> passing_on_term{{.name = "P", .text = "what a rank takes to pass m bytes on"}};

}  // namespace

}  // namespace hindcast::mpi
