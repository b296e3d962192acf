// A tree of an active set's members, the first of them at its root.
#pragma once

#include <algorithm>

namespace hindcast::shmem {

class Tree {
 public:
  Tree(int arity, int members, int me) : arity_(arity), members_(members), me_(me) {}

  bool is_root() const { return me_ == 0; }
  int parent() const { return (me_ - 1) / arity_; }
  // Which of its parent's children the caller is, from 0 on.
  int place() const { return (me_ - 1) % arity_; }
  int children() const { return std::clamp(members_ - child(0), 0, arity_); }
  int child(int place) const { return arity_ * me_ + 1 + place; }

 private:
  int arity_;
  int members_;
  int me_;
};

}  // namespace hindcast::shmem
