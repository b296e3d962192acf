#include "mpi_impl/libraries/pvm/native/groups.hpp"

#include <algorithm>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

namespace {

// They may ask for something else at once.
template <typename Waiting>
void answer_all(std::vector<Waiting>& waiting, const GroupAnswer& answer) {
  for (const Waiting& one : std::exchange(waiting, {})) one.reply(answer);
}

}  // namespace

int Groups::Group::size() const {
  return static_cast<int>(members.size() - static_cast<std::size_t>(std::count(members.begin(), members.end(), 0)));
}

bool Groups::Group::has(int tid) const { return std::find(members.begin(), members.end(), tid) != members.end(); }

void Groups::Group::remove(int tid) {
  std::replace(members.begin(), members.end(), tid, 0);
  while (!members.empty() && members.back() == 0) members.pop_back();
}

Groups::Group* Groups::find(const std::string& group) {
  const auto found = groups_.find(group);
  return found != groups_.end() ? &found->second : nullptr;
}

// The lowest instance that nobody has.
void Groups::join(const std::string& name, int tid, const GroupReply& reply) {
  Group& group = groups_[name];
  if (group.has(tid)) return reply({PvmDupGroup});
  if (group.is_frozen) return reply({PvmDenied});
  auto place = std::find(group.members.begin(), group.members.end(), 0);
  if (place == group.members.end()) place = group.members.insert(place, 0);
  *place = tid;
  reply({static_cast<int>(place - group.members.begin())});
  freeze_if_full(group);
}

void Groups::leave(const std::string& name, int tid, const GroupReply& reply) {
  Group* group = find(name);
  if (group == nullptr) return reply({PvmNoGroup});
  if (!group->has(tid)) return reply({PvmNotInGroup});
  reply({PvmOk});
  remove(*group, tid);
  if (group->members.empty()) groups_.erase(name);
}

void Groups::remove(Group& group, int tid) {
  if (!group.has(tid)) return;
  group.remove(tid);
  group.has_lost_member = group.is_frozen;
  if (group.has_lost_member) return answer_all(group.at_barrier, {PvmNoGroup});
  open_barrier_if_full(group);
}

void Groups::members(const std::string& name, const GroupReply& reply) const {
  const auto found = groups_.find(name);
  if (found == groups_.end()) return reply({PvmNoGroup});
  reply({found->second.size(), found->second.members, found->second.is_frozen});
}

int Groups::size_of(const std::string& name) const {
  const auto found = groups_.find(name);
  return found != groups_.end() ? found->second.size() : 0;
}

bool Groups::has_instance(const std::string& name, int instance) const {
  const auto found = groups_.find(name);
  if (found == groups_.end() || instance >= std::ssize(found->second.members)) return false;
  return found->second.members[static_cast<std::size_t>(instance)] != 0;
}

void Groups::barrier(const std::string& name, int tid, int count, GroupReply reply) {
  Group* group = find(name);
  if (group == nullptr) return reply({PvmNoGroup});
  if (!group->has(tid)) return reply({PvmNotInGroup});
  if (group->has_lost_member) return reply({PvmNoGroup});
  if (!group->at_barrier.empty() && group->barrier_count != count) return reply({PvmMismatch});
  group->barrier_count = count;
  group->at_barrier.push_back({tid, std::move(reply)});
  open_barrier_if_full(*group);
}

void Groups::open_barrier_if_full(Group& group) {
  const int count = group.barrier_count == all ? group.size() : group.barrier_count;
  if (group.at_barrier.empty() || static_cast<int>(group.at_barrier.size()) < count) return;
  answer_all(group.at_barrier, {PvmOk});
}

void Groups::freeze(const std::string& name, int tid, int size, GroupReply reply) {
  Group* group = find(name);
  if (group == nullptr) return reply({PvmNoGroup});
  if (!group->has(tid)) return reply({PvmNotInGroup});
  if (group->is_frozen) return reply({PvmDupGroup});
  group->size_to_freeze = size == all ? group->size() : size;
  group->at_freeze.push_back({tid, std::move(reply)});
  freeze_if_full(*group);
}

void Groups::freeze_if_full(Group& group) {
  if (group.at_freeze.empty() || static_cast<int>(group.at_freeze.size()) < group.size_to_freeze) return;
  group.is_frozen = true;
  answer_all(group.at_freeze, {group.size(), group.members});
}

void Groups::forget(int tid) {
  for (auto group = groups_.begin(); group != groups_.end();) {
    std::erase_if(group->second.at_barrier, [&](const Waiting& one) { return one.tid == tid; });
    std::erase_if(group->second.at_freeze, [&](const Waiting& one) { return one.tid == tid; });
    remove(group->second, tid);
    group = group->second.members.empty() ? groups_.erase(group) : std::next(group);
  }
}

}  // namespace hindcast::pvm
