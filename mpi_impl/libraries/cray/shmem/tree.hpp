// Ways through an active set: up a tree of few levels, and down one whose root is soon out of it.
#pragma once

#include <algorithm>
#include <bit>

#include "mpi_impl/libraries/cray/shmem/active_set.hpp"

namespace hindcast::shmem {

// Every member but the root has a parent, and so many children at most. What children put reaches their parent at the
// same time: few levels are best.
class Tree {
 public:
  Tree(int arity, const ActiveSet& set, int root = 0)
      : arity_(arity), members_(set.size()), root_(root), me_((set.me() - root + members_) % members_) {}

  bool is_root() const { return me_ == 0; }
  int parent() const { return member((me_ - 1) / arity_); }
  // Which of its parent's children the caller is, from 0 on.
  int place() const { return (me_ - 1) % arity_; }
  int children() const { return std::clamp(members_ - first_child(), 0, arity_); }
  int child(int place) const { return member(first_child() + place); }

 private:
  // Of the set, by its number behind the root.
  int member(int number) const { return (root_ + number) % members_; }
  int first_child() const { return arity_ * me_ + 1; }

  int arity_;
  int members_;
  int root_;
  int me_;
};

// From one member to all, by a binomial tree: who puts to several does so one after the other, so the first that it
// puts to has most others to tell. `give(member)` puts what there is to a member, and then to the word of its pSync.
template <typename Give>
void pass_down(const ActiveSet& set, int root, const SyncWords& words, int word, Give give) {
  const int n = set.size();
  // Numbers behind the root: number k is told by k without its lowest bit, and tells those up to that bit behind it.
  const auto me = static_cast<unsigned>((set.me() - root + n) % n);
  const auto member = [&](unsigned number) { return (root + static_cast<int>(number)) % n; };
  if (me != 0) words.await(member(me & (me - 1)), word);
  unsigned distance = me == 0 ? std::bit_ceil(static_cast<unsigned>(n)) : me & -me;
  while ((distance >>= 1) > 0)
    if (me + distance < static_cast<unsigned>(n)) give(member(me + distance));
}

}  // namespace hindcast::shmem
