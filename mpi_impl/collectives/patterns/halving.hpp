// The first half of Rabenseifner's algorithms (2004): a reduction of which every place ends with a part of its own. In
// round k partners 2^k apart each take half of the part that both have. As nearest places combine first, the order of
// operands is kept.
#pragma once

#include <array>

#include "mpi_impl/collectives/patterns/layout_of_ranks.hpp"
#include "mpi_impl/collectives/scan/running_sum.hpp"

namespace hindcast::mpi {

class Halving {
 public:
  // The sum is in the result at the end, if that has memory; an operation of the program's own copies the operand, and
  // may leave the sum elsewhere.
  Halving(Collective& collective, const Block& mine, const Block& result, const Folding& folding)
      : collective_(collective),
        folding_(folding),
        sum_(collective, mine, result, folding.rounds() + (folding.stands_for_pair() ? 1 : 0)) {
    parts_[0] = {0, mine.count};
  }

  // The rank that stands for another takes its operand first.
  Task take_operand_of_pair() { return take_operand_of_pair_in(collective_, *this); }
  Task run() { return run_in(collective_, *this); }

  using Part = RunningSum::Part;
  int rounds() const { return rounds_; }
  // What the place has after so many rounds, and what its partner of the next one has after that.
  const Part& part(int rounds) const { return parts_[static_cast<std::size_t>(rounds)]; }
  Part partners_part(int round) const {
    const Part &whole = part(round), &kept = part(round + 1);
    return kept.begin == whole.begin ? Part{kept.begin + kept.count, whole.count - kept.count}
                                     : Part{whole.begin, whole.count - kept.count};
  }
  int partner(int round) const { return folding_.rank_at(folding_.place() ^ (1 << round)); }
  // Holds the operand's sum, in the part that is left.
  const Block& sum() const { return sum_.sum(); }

 private:
  static Task take_operand_of_pair_in(Collective& collective, Halving& halving) {
    co_await halving.sum_.exchange(MPI_PROC_NULL, collective.rank() - 1, true);
  }

  static Task run_in(Collective&, Halving& halving) {
    for (; halving.rounds_ < halving.folding_.rounds(); ++halving.rounds_) {
      const int round = halving.rounds_;
      const bool is_lower = (halving.folding_.place() & (1 << round)) == 0;
      halving.halve(round, is_lower);
      const int partner = halving.partner(round);
      co_await halving.sum_.exchange(partner, halving.partners_part(round), partner, halving.part(round + 1),
                                     !is_lower);
    }
  }

  void halve(int round, bool is_lower) {
    const Part whole = part(round);
    const MPI_Count half = whole.count / 2;
    parts_[static_cast<std::size_t>(round) + 1] =
        is_lower ? Part{whole.begin, half} : Part{whole.begin + half, whole.count - half};
  }
  Collective& collective_;
  const Folding& folding_;
  RunningSum sum_;
  std::array<Part, 32> parts_;
  int rounds_ = 0;
};

}  // namespace hindcast::mpi
