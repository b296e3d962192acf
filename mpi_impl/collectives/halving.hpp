// The first half of Rabenseifner's algorithms (2004): a reduction of which every place ends with a part of its own. In
// round k partners 2^k apart each take half of the part that both have. As nearest places combine first, the order of
// operands is kept.
#pragma once

#include <array>
#include <utility>

#include "mpi_impl/collectives/layout_of_ranks.hpp"

namespace hindcast::mpi {

class Halving {
 public:
  // Copies the operand.
  Halving(Collective& collective, const Block& mine, const Folding& folding)
      : collective_(collective),
        folding_(folding),
        one_(collective.pool(), mine),
        other_(collective.pool(), mine),
        sum_(one_.block()),
        received_(other_.block()) {
    parts_[0] = {0, mine.count};
    collective.copy(mine, sum_);
  }

  // The rank that stands for another takes its operand first.
  Task take_operand_of_pair() { return take_operand_of_pair_in(collective_, *this); }
  Task run() { return run_in(collective_, *this); }

  struct Part {
    int begin;
    int count;
  };
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
  const Block& sum() const { return sum_; }

 private:
  static Task take_operand_of_pair_in(Collective& collective, Halving& halving) {
    co_await collective.receive(halving.received_, collective.rank() - 1);
    collective.combine(halving.received_.data, halving.sum_);
  }

  static Task run_in(Collective& collective, Halving& halving) {
    for (; 1 << halving.rounds_ < halving.folding_.places(); ++halving.rounds_) {
      const int round = halving.rounds_;
      const bool is_lower = (halving.folding_.place() & (1 << round)) == 0;
      halving.halve(round, is_lower);
      const Part kept = halving.part(round + 1), given = halving.partners_part(round);
      const int partner = halving.partner(round);
      co_await collective.exchange(halving.sum_.part(given.begin, given.count), partner,
                                   halving.received_.part(kept.begin, kept.count), partner);
      halving.combine(kept, is_lower);
    }
  }

  void halve(int round, bool is_lower) {
    const Part whole = part(round);
    const int half = whole.count / 2;
    parts_[static_cast<std::size_t>(round) + 1] =
        is_lower ? Part{whole.begin, half} : Part{whole.begin + half, whole.count - half};
  }
  void combine(const Part& kept, bool is_lower) {
    const Block own = sum_.part(kept.begin, kept.count), others = received_.part(kept.begin, kept.count);
    if (is_lower) {
      collective_.combine(own.data, others);
      std::swap(sum_, received_);
    } else {
      collective_.combine(others.data, own);
    }
  }

  Collective& collective_;
  const Folding& folding_;
  Scratch one_;
  Scratch other_;
  Block sum_;
  Block received_;
  std::array<Part, 32> parts_;
  int rounds_ = 0;
};

}  // namespace hindcast::mpi
