// All-to-all of two levels: leaders of groups gather all that their members send, swap what is for each other's groups
// in one message each way, and scatter what has come.
// Needs: several levels, and blocks of one length.
#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/patterns/grouped_blocks.hpp"
#include "mpi_impl/collectives/patterns/two_levels.hpp"
#include "mpi_impl/collectives/scatter/linear.hpp"

namespace hindcast::mpi {

namespace {

// What the members of a group send to all ranks and hear from them, at their leader.
class Exchanged {
 public:
  Exchanged(Collective& collective, const TwoLevels& levels, int members, std::size_t block_bytes)
      : collective_(collective),
        division_(levels.division()),
        members_(static_cast<std::size_t>(members)),
        bytes_(block_bytes),
        row_(block_bytes * static_cast<std::size_t>(division_.members())),
        rows_(collective.pool(), row_ * members_),
        other_(collective.pool(), row_ * members_) {
    for (int group = 0; group < division_.count(); ++group)
      lengths_.append(static_cast<std::size_t>(division_.size_of(group)) * members_ * bytes_);
  }

  // For each member a row: of what it sends at first, of what it gets in the end.
  Blocks rows() const { return blocks_of_bytes(rows_.bytes(), row_); }
  Blocks to_groups() const { return lengths_.at(other_.bytes()); }
  Blocks from_groups() const { return lengths_.at(rows_.bytes()); }
  Blocks rows_to_members() const { return blocks_of_bytes(other_.bytes(), row_); }

  // For each group what all members send there.
  void put_together() {
    std::byte* to = other_.bytes();
    for (int group = 0; group < division_.count(); ++group) {
      const std::size_t begin = static_cast<std::size_t>(division_.begin_of(group)) * bytes_,
                        bytes = static_cast<std::size_t>(division_.size_of(group)) * bytes_;
      for (std::size_t member = 0; member < members_; ++member, to += bytes)
        collective_.copy(bytes_at(rows_.bytes() + member * row_ + begin, bytes), bytes_at(to, bytes));
    }
  }
  // What has come is from each rank a block for every member.
  void take_apart() {
    const std::byte* from = rows_.bytes();
    for (std::size_t at = 0; at < row_; at += bytes_)
      for (std::size_t member = 0; member < members_; ++member, from += bytes_)
        collective_.copy(bytes_at(const_cast<std::byte*>(from), bytes_),
                         bytes_at(other_.bytes() + member * row_ + at, bytes_));
  }

 private:
  Collective& collective_;
  const Division& division_;
  std::size_t members_;
  std::size_t bytes_;
  std::size_t row_;
  Scratch rows_;
  Scratch other_;
  BlocksOfLengths lengths_;
};

Task alltoall_two_level(Collective& collective, Blocks out, Blocks in) {
  TwoLevels levels(collective);
  Collective& inside = levels.inside();
  GroupedBlocks given(collective, out, levels.division()), taken(collective, in, levels.division());
  given.fill();
  if (levels.is_leader()) {
    Exchanged exchanged(collective, levels, inside.size(), in.of(0).bytes());
    co_await levels.inner<GatherFunction>()(inside, given.whole(), exchanged.rows(), 0);
    exchanged.put_together();
    co_await levels.outer<AlltoallFunction>()(levels.between(), exchanged.to_groups(), exchanged.from_groups());
    exchanged.take_apart();
    co_await scatter_linear(inside, exchanged.rows_to_members(), taken.whole(), 0);
  } else {
    co_await levels.inner<GatherFunction>()(inside, given.whole(), {}, 0);
    co_await scatter_linear(inside, {}, taken.whole(), 0);
  }
  taken.put_back();
}

const Row<Algorithm> alltoall_two_level_row{
    {.operation = CollectiveOperation::alltoall,
     .place = 100,
     .name = "two_level",
     .function = alltoall_two_level,
     .means = means::messages,
     .needs = need::levels,
     .carries = Carries::blocks_between_groups,
     .inner = {CollectiveOperation::gather, "linear"},
     .outer = {CollectiveOperation::alltoallv, "linear"},
     .cost = "inner(a) + outer(p^2 m) + 2 K(p a) + within(T(a) + (n-2) S(a) + max(0, K(a) - "
             "R(a))) where a = g p m"}};

}  // namespace

}  // namespace hindcast::mpi
