// Groups made and asked.
#include <fmt/format.h>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

MPI_Group make_group(Process& process, std::vector<int> world_ranks) {
  if (world_ranks.empty()) return MPI_GROUP_EMPTY;
  GroupObject& object = process.groups.create();
  object.group = process.world().groups().get(std::move(world_ranks));
  return object.handle;
}

// Which ranks of the group are listed; each must be in the group, and once.
std::vector<bool> listed(const Group& group, int count, const int* ranks) {
  std::vector<bool> is_listed(static_cast<std::size_t>(group.size()));
  for (int i = 0; i < count; ++i) {
    if (ranks[i] < 0 || ranks[i] >= group.size())
      throw Error{MPI_ERR_RANK, fmt::format("argument 3 (ranks): ranks[{}] is {}, and the group has ranks 0 to {}", i,
                                            ranks[i], group.size() - 1)};
    auto place = is_listed.begin() + ranks[i];
    if (*place)
      throw Error{MPI_ERR_RANK, fmt::format("argument 3 (ranks): rank {} is listed twice; name each once", ranks[i])};
    *place = true;
  }
  return is_listed;
}

std::vector<int> included(const Group& group, int count, const int* ranks) {
  std::vector<int> members;
  for (int i = 0; i < count; ++i) members.push_back(group.world_rank(ranks[i]));
  return members;
}

std::vector<int> left_over(const Group& group, const std::vector<bool>& is_out) {
  std::vector<int> members;
  for (int rank = 0; rank < group.size(); ++rank)
    if (!is_out[static_cast<std::size_t>(rank)]) members.push_back(group.world_rank(rank));
  return members;
}

// Those that are chosen by their rank in the world.
template <typename Choice>
std::vector<int> members_of(const Group& group, Choice choice) {
  std::vector<int> members;
  for (int rank = 0; rank < group.size(); ++rank)
    if (const int world_rank = group.world_rank(rank); choice(world_rank)) members.push_back(world_rank);
  return members;
}

// The ranks of all ranges (first, last, stride), as far as they may be ranks of the group.
std::vector<int> ranks_in(const Group& group, int count, const int (*ranges)[3]) {
  std::vector<int> ranks;
  for (int i = 0; i < count; ++i) {
    const std::int64_t first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
    if (stride == 0 || (last != first && (last > first) != (stride > 0)))
      throw Error{MPI_ERR_ARG, fmt::format("argument 3 (ranges): ranges[{}] is ({}, {}, {}); the stride must lead from "
                                           "the first rank towards the last",
                                           i, first, last, stride)};
    for (std::int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
      ranks.push_back(static_cast<int>(rank));
      if (rank < 0 || rank >= group.size()) break;  // refused when the ranks are listed
    }
  }
  return ranks;
}

}  // namespace

void Group_size(Process&, GroupObject& group, int& size) { size = group.group->size(); }

void Group_rank(Process& process, GroupObject& group, int& rank) { rank = group.group->rank_of(process.world_rank()); }

void Group_translate_ranks(Process&, GroupObject& from, int count, const int* ranks, GroupObject& to, int* result) {
  for (int i = 0; i < count; ++i) {
    if (ranks[i] == MPI_PROC_NULL) {
      result[i] = MPI_PROC_NULL;
      continue;
    }
    if (ranks[i] < 0 || ranks[i] >= from.group->size())
      throw Error{MPI_ERR_RANK, fmt::format("argument 3 (ranks1): ranks1[{}] is {}, and the group has ranks 0 to {}", i,
                                            ranks[i], from.group->size() - 1)};
    result[i] = to.group->rank_of(from.group->world_rank(ranks[i]));
  }
}

void Group_compare(Process&, GroupObject& a, GroupObject& b, int& result) {
  result = Group::compare(*a.group, *b.group);
}

void Group_incl(Process& process, GroupObject& group, int count, const int* ranks, MPI_Group& handle) {
  listed(*group.group, count, ranks);
  handle = make_group(process, included(*group.group, count, ranks));
}

void Group_excl(Process& process, GroupObject& group, int count, const int* ranks, MPI_Group& handle) {
  handle = make_group(process, left_over(*group.group, listed(*group.group, count, ranks)));
}

void Group_range_incl(Process& process, GroupObject& group, int count, int (*ranges)[3], MPI_Group& handle) {
  const std::vector<int> ranks = ranks_in(*group.group, count, ranges);
  const int rank_count = static_cast<int>(ranks.size());
  listed(*group.group, rank_count, ranks.data());
  handle = make_group(process, included(*group.group, rank_count, ranks.data()));
}

void Group_range_excl(Process& process, GroupObject& group, int count, int (*ranges)[3], MPI_Group& handle) {
  const std::vector<int> ranks = ranks_in(*group.group, count, ranges);
  handle =
      make_group(process, left_over(*group.group, listed(*group.group, static_cast<int>(ranks.size()), ranks.data())));
}

void Group_union(Process& process, GroupObject& a, GroupObject& b, MPI_Group& handle) {
  std::vector<int> members = members_of(*a.group, [](int) { return true; });
  const std::vector<int> rest = members_of(*b.group, [&](int world_rank) { return !a.group->has(world_rank); });
  members.insert(members.end(), rest.begin(), rest.end());
  handle = make_group(process, std::move(members));
}

void Group_intersection(Process& process, GroupObject& a, GroupObject& b, MPI_Group& handle) {
  handle = make_group(process, members_of(*a.group, [&](int world_rank) { return b.group->has(world_rank); }));
}

void Group_difference(Process& process, GroupObject& a, GroupObject& b, MPI_Group& handle) {
  handle = make_group(process, members_of(*a.group, [&](int world_rank) { return !b.group->has(world_rank); }));
}

void Group_free(Process& process, MPI_Group& handle, GroupObject& group) {
  handle = MPI_GROUP_NULL;
  if (group.handle == MPI_GROUP_EMPTY) return;  // what an operation gives may be empty, and be freed like any other
  process.groups.take_back(group);
}

}  // namespace hindcast::mpi::body
