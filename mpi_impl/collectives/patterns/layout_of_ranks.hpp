// How algorithms arrange ranks: k-nomial and k-ary trees, and the power of two that is nearest below their number.
#pragma once

#include <algorithm>
#include <bit>

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

// In a k-nomial tree, whose ranks are numbered from its root on, the number of a rank is written in base k. Its
// parent's has a 0 in place of the lowest digit that is not 0; so below it are the ranks from it on, as many as that
// digit's place is worth.
class Knomial {
 public:
  Knomial(const Collective& collective, int root, int radix)
      : place_(collective.neighbour(-root)), ranks_(collective.size()), radix_(radix) {
    while (stride_ < ranks_ && place_ / stride_ % radix_ == 0) stride_ *= radix_;
  }
  int place() const { return place_; }
  bool is_root() const { return place_ == 0; }
  // To the parent, back towards the root.
  int distance_to_parent() const { return place_ / stride_ % radix_ * stride_; }
  // The children are at the digits 1 to radix - 1 times each smaller stride, as far as there are ranks.
  int widest_stride() const { return stride_ / radix_; }
  bool has_child(int distance) const { return distance < ranks_ - place_; }
  // How many ranks there are from a rank of this distance on, of so many at most.
  int held(int distance, int most) const { return std::min(most, ranks_ - place_ - distance); }
  int held() const { return held(0, stride_); }

 private:
  int place_;
  int ranks_;
  int radix_;
  int stride_ = 1;
};

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
