// The k-nomial tree, by which data comes from one rank to all, or from all to one, in few steps.
#pragma once

#include <algorithm>

namespace hindcast::mpi {

// The ranks' places are numbered from the root on, and the number of a place is written in base k. Its parent's has a 0
// in place of the lowest digit that is not 0; so below it are the places from it on, as many as that digit is worth.
class Knomial {
 public:
  Knomial(int place, int ranks, int radix) : place_(place), ranks_(ranks), radix_(radix) {
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

}  // namespace hindcast::mpi
