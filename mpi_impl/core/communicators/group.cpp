#include "mpi_impl/core/communicators/group.hpp"

#include <algorithm>
#include <tuple>

namespace hindcast::mpi {

namespace {

// The stride if the ranks are a progression, else 0.
int stride_of(const std::vector<int>& ranks) {
  if (ranks.size() < 2) return 1;
  const int stride = ranks[1] - ranks[0];
  for (std::size_t i = 2; i < ranks.size(); ++i)
    if (ranks[i] - ranks[i - 1] != stride) return 0;
  return stride;
}

}  // namespace

Group::Group(std::vector<int> world_ranks) : size_(static_cast<int>(world_ranks.size())) {
  stride_ = stride_of(world_ranks);
  if (stride_ != 0) {
    first_ = world_ranks.empty() ? 0 : world_ranks.front();
    return;
  }
  list_ = std::move(world_ranks);
  by_world_rank_.reserve(list_.size());
  for (std::size_t i = 0; i < list_.size(); ++i) by_world_rank_.emplace_back(list_[i], static_cast<int>(i));
  std::sort(by_world_rank_.begin(), by_world_rank_.end());
}

int Group::rank_of(int world_rank) const {
  if (list_.empty()) {
    const int distance = world_rank - first_;
    if (distance % stride_ != 0) return MPI_UNDEFINED;
    const int rank = distance / stride_;
    return rank >= 0 && rank < size_ ? rank : MPI_UNDEFINED;
  }
  const auto found = std::lower_bound(by_world_rank_.begin(), by_world_rank_.end(), std::pair(world_rank, 0));
  return found != by_world_rank_.end() && found->first == world_rank ? found->second : MPI_UNDEFINED;
}

int Group::compare(const Group& a, const Group& b) {
  if (&a == &b) return MPI_IDENT;
  if (a.size() != b.size()) return MPI_UNEQUAL;
  bool same_order = true;
  for (int rank = 0; rank < a.size(); ++rank) {
    const int world_rank = a.world_rank(rank);
    if (b.world_rank(rank) == world_rank) continue;
    same_order = false;
    if (b.rank_of(world_rank) == MPI_UNDEFINED) return MPI_UNEQUAL;
  }
  return same_order ? MPI_IDENT : MPI_SIMILAR;
}

bool Group::is_before(const Group& a, const Group& b) {
  if (&a == &b) return false;
  return std::tie(a.first_, a.stride_, a.size_, a.list_) < std::tie(b.first_, b.stride_, b.size_, b.list_);
}

MPI_Group GroupHandles::give(const GroupPointer& group) {
  if (const auto given = given_.find(group.get()); given != given_.end()) {
    ++find(given->second)->further_holders;
    return given->second;
  }
  GroupObject& object = create();
  object.group = group;
  given_.emplace(group.get(), object.handle);
  return object.handle;
}

void GroupHandles::take_back(GroupObject& object) {
  if (object.further_holders > 0) {
    --object.further_holders;
    return;
  }
  const auto given = given_.find(object.group.get());
  if (given != given_.end() && given->second == object.handle) given_.erase(given);
  object.group.reset();
  destroy(object);
}

GroupPointer Groups::get(std::vector<int> world_ranks) {
  if (stride_of(world_ranks) != 0) return std::make_shared<const Group>(std::move(world_ranks));
  return lists_.get(std::move(world_ranks));
}

}  // namespace hindcast::mpi
