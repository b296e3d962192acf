// How algorithms arrange ranks: k-nomial and k-ary trees, and the power of two that is nearest below their number.
#pragma once

#include <algorithm>
#include <bit>

#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/core/communicators/knomial.hpp"

namespace hindcast::mpi {

inline Knomial knomial(const Collective& collective, int root, int radix) {
  return {collective.neighbour(-root), collective.size(), radix};
}

// In a k-ary tree, each of the ranks, numbered from the root on, has the next k as children. A chain has k = 1.
class Kary {
 public:
  Kary(const Collective& collective, int root, int radix)
      : collective_(collective), place_(collective.neighbour(-root)), root_(root), radix_(radix) {}
  bool is_root() const { return place_ == 0; }
  int parent() const { return rank_at((place_ - 1) / radix_); }
  int children() const {
    const long first = static_cast<long>(place_) * radix_ + 1;
    return static_cast<int>(std::clamp(collective_.size() - first, 0L, static_cast<long>(radix_)));
  }
  int child(int i) const { return rank_at(place_ * radix_ + 1 + i); }

 private:
  int rank_at(int place) const { return (place + root_) % collective_.size(); }
  const Collective& collective_;
  int place_;
  int root_;
  int radix_;
};

// If the number of ranks is no power of two, the first ones work in pairs, in which the odd rank stands for both. The
// places that are left are as many as the greatest power of two, in the order of ranks.
class Folding {
 public:
  explicit Folding(const Collective& collective) : ranks_(collective.size()) {
    while (2 * places_ <= ranks_) places_ *= 2;
    pairs_ = ranks_ - places_;
    const int rank = collective.rank();
    is_in_pair_ = rank < 2 * pairs_;
    stands_for_pair_ = is_in_pair_ && rank % 2 == 1;
    place_ = place_of(rank);
  }
  int places() const { return places_; }
  int rounds() const { return std::countr_zero(static_cast<unsigned>(places_)); }
  int place() const { return place_; }
  // Has no place: the next rank stands for it.
  bool is_folded() const { return is_in_pair_ && !stands_for_pair_; }
  // Stands for the rank before it too.
  bool stands_for_pair() const { return stands_for_pair_; }
  int rank_at(int place) const { return place < pairs_ ? 2 * place + 1 : place + pairs_; }
  int place_of(int rank) const { return rank < 2 * pairs_ ? rank / 2 : rank - pairs_; }
  // The first rank that a place stands for.
  int first_rank(int place) const { return place < pairs_ ? 2 * place : place + pairs_; }

 private:
  int ranks_;
  int places_ = 1;
  int pairs_;
  int place_;
  bool is_in_pair_;
  bool stands_for_pair_;
};

}  // namespace hindcast::mpi
