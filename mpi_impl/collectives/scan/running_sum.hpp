// The sum of a reduction in rounds, in each of which a rank combines what it has with what it hears. Two places take
// turns, such that nothing has to be copied and the last sum is in the result. Where ranks swap their sums it may stay
// in its place (combined_landing.hpp): then it is in the result from the first round on, or is moved there at the end.
// An operation of the program's own changes its second operand: there the operand is copied first, and the last sum if
// it has come to be elsewhere.
#pragma once

#include <array>
#include <optional>

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

class RunningSum {
 public:
  // So many rounds in which something is heard. The result may be a block without memory: then it may be anywhere.
  RunningSum(Collective& collective, const Block& mine, const Block& result, int rounds)
      : collective_(collective), mine_(mine), result_(result), sum_(mine), rounds_left_(rounds) {
    if (collective.combines_anywhere()) return;
    sum_ = scratch_[0].emplace(collective.pool(), mine).block();
    collective.copy(mine, sum_);
  }
  RunningSum(const RunningSum&) = delete;
  RunningSum& operator=(const RunningSum&) = delete;

  const Block& sum() const { return has_stayed_ ? before_ : sum_; }

  // A round: to one rank, or nobody, the sum, and from one, or nobody, what is put before or after it.
  Round exchange(int to, int from, bool theirs_first) {
    return exchange(to, {0, sum_.count}, from, {0, sum_.count}, theirs_first);
  }
  // Of the sum one part goes, and another one is what is left of it.
  struct Part {
    MPI_Count begin;
    MPI_Count count;
  };
  Round exchange(int to, Part given, int from, Part kept, bool theirs_first) {
    before_ = sum_ = sum();
    has_stayed_ = false;
    const Block out = before_.part(given.begin, given.count);
    if (from == MPI_PROC_NULL) return collective_.exchange(out, to, {}, from);
    const Block own = before_.part(kept.begin, kept.count),
                whole = next_place(to == from && given.count == kept.count && kept.count == before_.count);
    if (collective_.combines_anywhere() || !theirs_first) sum_ = whole;
    return collective_.exchange(out, to, whole.part(kept.begin, kept.count), from,
                                {own.data, theirs_first, may_stay() ? &has_stayed_ : nullptr});
  }

  void put_in_result() {
    const bool is_copied = !collective_.combines_anywhere() || sum().data == mine_.data;
    if (is_copied)
      collective_.copy(sum(), result_);
    else if (sum().data != result_.data)
      collective_.move(sum(), result_);
  }

 private:
  bool may_stay() const {
    return collective_.combines_anywhere() && (before_.data != mine_.data || mine_.data == result_.data);
  }
  Block next_place(bool is_swap) {
    const bool is_as_the_last = rounds_left_-- % 2 == 1;
    if ((is_as_the_last || is_swap) && result_.data != nullptr && before_.data != result_.data) return result_;
    std::optional<Scratch>& scratch = scratch_[holds_sum(0) ? 1 : 0];
    if (!scratch) scratch.emplace(collective_.pool(), mine_);
    return scratch->block();
  }
  bool holds_sum(std::size_t i) const { return scratch_[i] && scratch_[i]->block().data == before_.data; }

  Collective& collective_;
  Block mine_;
  Block result_;
  Block sum_;     // unless it has stayed where it was
  Block before_;  // the last round
  bool has_stayed_ = false;
  std::array<std::optional<Scratch>, 2> scratch_;
  int rounds_left_;
};

}  // namespace hindcast::mpi
