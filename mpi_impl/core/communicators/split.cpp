// All choices go to rank 0, which makes the groups and tells every rank its own. Of two groups, rank 0 of the one that
// comes first does so for both.
#include "mpi_impl/core/communicators/split.hpp"

#include <algorithm>
#include <span>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

// What a rank brings, and what it is answered.
struct Choice {
  int color;
  int key;
};
struct Answer {
  int group = -1;  // as World::hand_over numbers it; -1 for MPI_COMM_NULL
  int remote = -1;
};
using Answers = std::vector<Answer>;

// The ranks of a group that chose a colour.
struct Chosen {
  std::vector<int> ranks;
  GroupPointer group;
};
using ByColor = std::map<int, Chosen>;

ByColor sorted_by_choice(World& world, const Group& group, const std::vector<Choice>& choices) {
  ByColor colors;
  for (std::size_t rank = 0; rank < choices.size(); ++rank)
    if (choices[rank].color != MPI_UNDEFINED) colors[choices[rank].color].ranks.push_back(static_cast<int>(rank));
  for (auto& [color, chosen] : colors) {
    std::stable_sort(chosen.ranks.begin(), chosen.ranks.end(), [&](int a, int b) {
      return choices[static_cast<std::size_t>(a)].key < choices[static_cast<std::size_t>(b)].key;
    });
    std::vector<int> members;
    for (const int rank : chosen.ranks) members.push_back(group.world_rank(rank));
    chosen.group = world.groups().get(std::move(members));
  }
  return colors;
}

void tell(const Chosen& chosen, const Answer& answer, Answers& answers) {
  for (const int rank : chosen.ranks) answers[static_cast<std::size_t>(rank)] = answer;
}

Answers divide(World& world, const Comm& comm, const std::vector<Choice>& choices) {
  Answers answers(choices.size());
  for (const auto& [color, chosen] : sorted_by_choice(world, *comm.group, choices))
    tell(chosen, {world.hand_over(chosen.group, chosen.group->size()), -1}, answers);
  return answers;
}

// For both groups.
std::pair<Answers, Answers> divide(World& world, const Comm& comm, const std::vector<Choice>& choices,
                                   const std::vector<Choice>& remote_choices) {
  std::pair<Answers, Answers> answers{Answers(choices.size()), Answers(remote_choices.size())};
  const ByColor there = sorted_by_choice(world, *comm.remote, remote_choices);
  for (const auto& [color, here] : sorted_by_choice(world, *comm.group, choices)) {
    const auto found = there.find(color);
    if (found == there.end()) continue;
    const int takers = here.group->size() + found->second.group->size();
    const int group = world.hand_over(here.group, takers);
    const int remote = world.hand_over(found->second.group, takers);
    tell(here, {group, remote}, answers.first);
    tell(found->second, {remote, group}, answers.second);
  }
  return answers;
}

// On rank 0 of both groups.
Answers divide_across(Process& process, Comm& comm, const std::vector<Choice>& choices) {
  const auto remote_size = static_cast<std::size_t>(comm.peer_count);
  if (!comm.comes_first) {
    Answers answers(choices.size());
    exchange_with_remote_first(process, comm, std::as_bytes(std::span(choices)), {});
    exchange_with_remote_first(process, comm, {}, std::as_writable_bytes(std::span(answers)));
    return answers;
  }
  std::vector<Choice> remote_choices(remote_size);
  exchange_with_remote_first(process, comm, {}, std::as_writable_bytes(std::span(remote_choices)));
  const auto [here, there] = divide(process.world(), comm, choices, remote_choices);
  exchange_with_remote_first(process, comm, std::as_bytes(std::span(there)), {});
  return here;
}

NewGroups new_groups(const GroupPointer& group, const GroupPointer& remote) {
  if (remote == nullptr) return {group.get()};
  return {group.get(), remote.get(), group->world_rank(0) < remote->world_rank(0)};
}

}  // namespace

GroupPointer first_members(World& world, const Comm& comm, int count) {
  if (count == comm.size) return comm.group;
  std::vector<int> members;
  for (int rank = 0; rank < count; ++rank) members.push_back(comm.world_rank(rank));
  return world.groups().get(std::move(members));
}

Comm* split(Process& process, Comm& comm, int color, int key) {
  const Choice mine{color, key};
  const auto choices = records_in<Choice>(gather_at_first(process, comm, bytes_of(mine)));
  Answers answers;
  if (comm.rank == 0)
    answers = comm.is_inter() ? divide_across(process, comm, choices) : divide(process.world(), comm, choices);
  Answer answer;
  scatter_from_first(process, comm, std::as_bytes(std::span(answers)), writable_bytes_of(answer));
  GroupPointer group, remote;
  if (answer.group >= 0) group = process.world().take_over(answer.group);
  if (answer.remote >= 0) remote = process.world().take_over(answer.remote);
  const std::uint32_t context = agree_on_context(process, comm, new_groups(group, remote));
  if (group == nullptr) return nullptr;
  if (remote == nullptr) return &make_comm(process, context, std::move(group), *comm.errhandler);
  return &make_intercomm(process, context, std::move(group), std::move(remote), *comm.errhandler);
}

}  // namespace hindcast::mpi
