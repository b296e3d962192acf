// Reductions on a circulant graph, by any number of ranks in the fewest rounds and with the least data (Traff 2023). A
// rank has the operand in blocks, one for every rank from itself on, around the end. In each round it keeps the first
// half of those that are left, the longer one, and gives the others to the rank as many further on, whose first blocks
// they are for.
#pragma once

#include <vector>

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

class Circulant {
 public:
  // Copies the operand, whose block for a rank is `of(rank)`.
  template <typename Of>
  Circulant(Collective& collective, const Block& whole, Of of)
      : collective_(collective), own_(collective.pool(), whole), received_(collective.pool(), whole) {
    for (int i = 0; i < collective.size(); ++i) {
      const Block block = of(collective.neighbour(i));
      collective.copy(block, own_.block().part(begin_.back(), block.count));
      begin_.push_back(begin_.back() + block.count);
    }
  }

  // Ends with the sum of the calling rank's block as the first one.
  Task reduce() { return reduce_in(collective_, *this); }
  // The reverse: all ranks' first blocks.
  Task gather() { return gather_in(collective_, *this); }
  // For the rank `distance` further on.
  Block block(int distance) const { return range(distance, distance + 1); }

 private:
  static Task reduce_in(Collective& collective, Circulant& blocks) {
    for (int left = collective.size(); left > 1;) {
      const int kept = (left + 1) / 2, given = left - kept;
      const Block sum = blocks.range(0, given);
      const Block received = blocks.received_.block().part(0, sum.count);
      co_await collective.exchange(blocks.range(kept, left), collective.neighbour(kept), received,
                                   collective.neighbour(-kept));
      collective.combine(received.data, sum);
      left = kept;
    }
  }

  static Task gather_in(Collective& collective, Circulant& blocks) {
    std::vector<int> halves;  // how many blocks were left before each round of the reduction
    for (int left = collective.size(); left > 1; left = (left + 1) / 2) halves.push_back(left);
    for (; !halves.empty(); halves.pop_back()) {
      const int left = halves.back(), kept = (left + 1) / 2;
      co_await collective.exchange(blocks.range(0, left - kept), collective.neighbour(-kept), blocks.range(kept, left),
                                   collective.neighbour(kept));
    }
  }

  Block range(int first, int end) const {
    const MPI_Count begin = begin_[static_cast<std::size_t>(first)];
    return own_.block().part(begin, begin_[static_cast<std::size_t>(end)] - begin);
  }

  Collective& collective_;
  Scratch own_;
  Scratch received_;
  std::vector<MPI_Count> begin_{0};  // of each block, in elements
};

}  // namespace hindcast::mpi
