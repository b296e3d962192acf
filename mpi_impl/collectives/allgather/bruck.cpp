// Allgather by Bruck and others (1997): each rank has the blocks of the ranks from itself on, and in every round has k
// times as many, from k - 1 ranks at once.
// Needs: nothing.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

namespace {

// The blocks of all ranks in their order from one rank on.
class Rotated {
 public:
  Rotated(Collective& collective, const Blocks& all, int first) : all_(all), first_(first), ranks_(collective.size()) {
    before_.push_back(0);
    for (int i = 0; i < ranks_; ++i) before_.push_back(before_.back() + all.of(rank(i)).bytes());
    memory_.emplace(collective.pool(), before_.back());
  }
  int rank(int place) const { return (first_ + place) % ranks_; }
  Block range(int first, int blocks) const {
    const std::size_t begin = before_[static_cast<std::size_t>(first)];
    return bytes_at(memory_->bytes() + begin, before_[static_cast<std::size_t>(first + blocks)] - begin);
  }

 private:
  Blocks all_;
  int first_;
  int ranks_;
  std::vector<std::size_t> before_;
  std::optional<Scratch> memory_;
};

Task allgather_bruck(Collective& collective, Block mine, Blocks all) {
  const int n = collective.size(), radix = collective.parameters().radix;
  const Rotated blocks(collective, all, collective.rank());
  collective.copy(mine, blocks.range(0, 1));
  for (int held = 1; held < n; held *= radix) {
    for (int digit = 1; digit < radix && digit * held < n; ++digit)
      collective.post_receive(blocks.range(digit * held, std::min(held, n - digit * held)),
                              collective.neighbour(digit * held));
    for (int digit = 1; digit < radix && digit * held < n; ++digit)
      collective.post_send(blocks.range(0, std::min(held, n - digit * held)), collective.neighbour(-digit * held));
    co_await collective.all();
  }
  for (int i = 0; i < n; ++i) collective.copy(blocks.range(i, 1), all.of(blocks.rank(i)));
}

constexpr Algorithm allgather_bruck_algorithm{.operation = CollectiveOperation::allgather,
                                              .place = 30,
                                              .name = "bruck",
                                              .function = allgather_bruck,
                                              .means = means::messages,
                                              .defaults = {0, 2},
                                              .radix_is_open = true,
                                              .cost = "levels(k: T(b m) + (c-1) (S(b m) + R(b m))) + (n+1) K(m)"};
const Row<Algorithm> allgather_bruck_row{allgather_bruck_algorithm},
    allgatherv_bruck_row{allgather_bruck_algorithm.of(CollectiveOperation::allgatherv, 30)};

}  // namespace

}  // namespace hindcast::mpi
