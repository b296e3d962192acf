// Groups: which ranks of the world, in which order. What a group is made of is shared by all ranks that have it; most
// are an arithmetic progression, which takes no memory at all.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/shared_objects.hpp"

namespace hindcast::mpi {

class Group {
 public:
  // The ranks first, first + stride, ...
  Group(int first, int stride, int size) : first_(first), stride_(stride), size_(size) {}
  explicit Group(std::vector<int> world_ranks);

  int size() const { return size_; }
  // The rank in the world of a rank of the group.
  int world_rank(int rank) const {
    return list_.empty() ? first_ + rank * stride_ : list_[static_cast<std::size_t>(rank)];
  }
  // The rank in the group of a rank in the world, or MPI_UNDEFINED.
  int rank_of(int world_rank) const;
  // Of the members' ranks in the world; -1 if there is none.
  int highest() const {
    if (size_ == 0) return -1;
    return list_.empty() ? std::max(first_, world_rank(size_ - 1)) : by_world_rank_.back().first;
  }
  bool has(int world_rank) const { return rank_of(world_rank) != MPI_UNDEFINED; }

  // MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL.
  static int compare(const Group& a, const Group& b);
  // In an order of its own, by the members alone.
  static bool is_before(const Group& a, const Group& b);

 private:
  int first_ = 0;
  int stride_ = 1;
  int size_ = 0;
  std::vector<int> list_;                           // empty for a progression
  std::vector<std::pair<int, int>> by_world_rank_;  // (world rank, rank), sorted; empty for a progression
};

using GroupPointer = std::shared_ptr<const Group>;

// What MPI_Group handles stand for.
struct GroupObject : Handled {
  GroupPointer group;
  std::size_t further_holders = 0;  // who have been given the handle as well, and have not freed it
};

// A rank's groups by handle. Who asks for the group of a communicator, window or file and has not freed what he was
// given before gets the same handle: a program that asks at every access and never frees has handles enough then.
class GroupHandles : public Table<GroupObject, HandleKind::group, 4> {
 public:
  MPI_Group give(const GroupPointer& group);
  void take_back(GroupObject& object);

 private:
  std::map<const Group*, MPI_Group> given_;
};

// Ranks that ask for the same group share it, unless it takes no memory for its members.
class Groups {
 public:
  GroupPointer get(std::vector<int> world_ranks);

 private:
  SharedObjects<std::vector<int>, Group> lists_;
};

}  // namespace hindcast::mpi
