// Reduce-scatter by recursive halving: partners half of what is left of the ranks apart swap the halves of the data
// that the other one's half of the ranks will get. Of ranks too many for a power of two, one gives its operand to the
// other of its pair and gets its block from it.
// Needs: a commutative operation. One of the program's own takes a copy more.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"
#include "mpi_impl/collectives/scan/running_sum.hpp"

namespace hindcast::mpi {

namespace {

// The elements of the blocks of several ranks, side by side, in memory like that of all blocks.
class SideBySide {
 public:
  SideBySide(const Blocks& blocks, int ranks) : blocks_(blocks), ranks_(ranks) {}
  MPI_Count begin(int rank) const { return blocks_.begins != nullptr ? blocks_.begins[rank] : rank * blocks_.count; }
  Block all() const { return {blocks_.data, begin(ranks_), blocks_.type}; }
  RunningSum::Part part(int first, int end) const { return {begin(first), begin(end) - begin(first)}; }
  Block in(const Block& memory, int rank) const { return memory.part(begin(rank), begin(rank + 1) - begin(rank)); }

 private:
  Blocks blocks_;
  int ranks_;
};

Task reduce_scatter_recursive_halving(Collective& collective, Blocks mine, Block result) {
  const int rank = collective.rank();
  const Folding folding(collective);
  const SideBySide blocks(mine, collective.size());
  if (folding.is_folded()) {
    co_await collective.send(blocks.all(), rank + 1);
    co_await collective.receive(result, rank + 1);
    co_return;
  }
  RunningSum sum(collective, blocks.all(), {}, folding.rounds() + (folding.stands_for_pair() ? 1 : 0));
  if (folding.stands_for_pair()) co_await sum.exchange(MPI_PROC_NULL, rank - 1, true);
  int first = 0;  // of the places whose blocks are left
  for (int places = folding.places() / 2; places > 0; places /= 2) {
    const bool is_lower = folding.place() < first + places;
    const int partner = folding.rank_at(folding.place() ^ places);
    const int kept = is_lower ? first : first + places, given = is_lower ? first + places : first;
    const auto of_places = [&](int begin) {
      return blocks.part(folding.first_rank(begin), folding.first_rank(begin + places));
    };
    co_await sum.exchange(partner, of_places(given), partner, of_places(kept), partner < rank);
    first = kept;
  }
  if (folding.stands_for_pair()) co_await collective.send(blocks.in(sum.sum(), rank - 1), rank - 1);
  collective.copy(blocks.in(sum.sum(), rank), result);
}

constexpr Algorithm reduce_scatter_block_recursive_halving_algorithm{
    .operation = CollectiveOperation::reduce_scatter_block,
    .place = 10,
    .name = "recursive_halving",
    .function = reduce_scatter_recursive_halving,
    .means = means::messages,
    .needs = need::commutative,
    .cost =
        "swaps(L: 2^(L-1-i), a, C(a), T(n m) + C(n m)) + [max(T(m), S(m) + K(m)) if 2^L < n else K(m)] "
        "where L = floor(log2 n), a = b m"};
const Row<Algorithm> reduce_scatter_block_recursive_halving_row{reduce_scatter_block_recursive_halving_algorithm},
    reduce_scatter_recursive_halving_row{
        reduce_scatter_block_recursive_halving_algorithm.of(CollectiveOperation::reduce_scatter, 10)};

}  // namespace

}  // namespace hindcast::mpi
