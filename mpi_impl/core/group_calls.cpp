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
  std::vector<int> members;
  for (int i = 0; i < count; ++i) members.push_back(group.group->world_rank(ranks[i]));
  handle = make_group(process, std::move(members));
}

void Group_excl(Process& process, GroupObject& group, int count, const int* ranks, MPI_Group& handle) {
  const std::vector<bool> is_out = listed(*group.group, count, ranks);
  std::vector<int> members;
  for (int rank = 0; rank < group.group->size(); ++rank)
    if (!is_out[static_cast<std::size_t>(rank)]) members.push_back(group.group->world_rank(rank));
  handle = make_group(process, std::move(members));
}

void Group_free(Process& process, MPI_Group& handle, GroupObject& group) {
  handle = MPI_GROUP_NULL;
  group.group.reset();
  process.groups.destroy(group);
}

}  // namespace hindcast::mpi::body
