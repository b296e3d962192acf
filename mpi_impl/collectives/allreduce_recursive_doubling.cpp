// Allreduce by recursive doubling: in round k, partners 2^k apart swap what they have and both combine it, the lower
// rank's part first. If n is no power of two, the first ranks work in pairs: the even one gives its operand to the odd
// one, which takes part for both and gives it the result. Needs: nothing. Costs: floor(log2 n) (T(m) + combining), and
// 2 T(m) + combining more if n is no power of two.
#include <utility>

#include "mpi_impl/collectives/algorithms.hpp"

namespace hindcast::mpi {

void allreduce_recursive_doubling(Collective& collective, const Block& mine, const Block& result, const Op& op) {
  if (mine.count == 0) return;
  const int rank = collective.rank();
  int power = 1;
  while (2 * power <= collective.size()) power *= 2;
  const int pairs = collective.size() - power;

  Scratch first(mine), second(mine);
  Block sum = first.block();
  Block other = second.block();
  collective.copy(mine, sum);
  if (rank < 2 * pairs && rank % 2 == 0) {
    collective.send(sum, rank + 1);
    return collective.receive(result, rank + 1);
  }
  if (rank < 2 * pairs) {
    collective.receive(other, rank - 1);
    collective.combine(other.data, sum, op);
  }

  const int place = rank < 2 * pairs ? rank / 2 : rank - pairs;
  for (int distance = 1; distance < power; distance *= 2) {
    const int partner_place = place ^ distance;
    const int partner = partner_place < pairs ? 2 * partner_place + 1 : partner_place + pairs;
    collective.exchange(sum, partner, other, partner);
    if (partner < rank) {
      collective.combine(other.data, sum, op);
    } else {
      collective.combine(sum.data, other, op);
      std::swap(sum, other);
    }
  }
  collective.copy(sum, result);
  if (rank < 2 * pairs) collective.send(sum, rank - 1);
}

}  // namespace hindcast::mpi
