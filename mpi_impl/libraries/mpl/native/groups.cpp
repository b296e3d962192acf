#include "mpi_impl/libraries/mpl/native/groups.hpp"

#include <algorithm>

namespace hindcast::mpl {

int Group::rank_of(int task) const {
  const auto found = std::find(members.begin(), members.end(), task);
  return found != members.end() ? static_cast<int>(found - members.begin()) : -1;
}

const Group& Groups::join(const std::vector<int>& members, int label, int task) {
  Made& made = by_members_[members];
  const auto call = static_cast<std::size_t>(made.calls[task]++);
  if (call == made.ids.size()) {
    made.ids.push_back(static_cast<int>(groups_.size()) + 1);
    groups_.push_back({made.ids.back(), label, members});
  }
  return groups_[static_cast<std::size_t>(made.ids[call] - 1)];
}

const Group* Groups::find(int id) const {
  const bool is_there = id >= 1 && id <= static_cast<int>(groups_.size());
  return is_there ? &groups_[static_cast<std::size_t>(id - 1)] : nullptr;
}

}  // namespace hindcast::mpl
