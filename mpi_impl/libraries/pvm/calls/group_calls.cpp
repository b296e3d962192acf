// The functions of pvm3.h about groups: who is in them, and when all have come.
#include "mpi_impl/libraries/pvm/calls/group.hpp"

#include <algorithm>

#include "mpi_impl/libraries/pvm/calls/bodies.hpp"

namespace hindcast::pvm {

namespace {

GroupAnswer ask_for_members(Call& call, const std::string& group) {
  return call.task().ask_about_groups(
      CallWait(call.name(), "for the group server to answer"),
      [&](const Groups& groups, const GroupReply& reply) { groups.members(group, reply); });
}

}  // namespace

int check_group(const char* group) { return group == nullptr || *group == 0 ? PvmNullGroup : PvmOk; }

GroupAnswer members_of(Call& call, const std::string& group) {
  const auto frozen = call.task().frozen_groups.find(group);
  if (frozen == call.task().frozen_groups.end()) {
    GroupAnswer answer = ask_for_members(call, group);
    if (answer.is_frozen) call.task().frozen_groups[group] = answer.members;
    return answer;
  }
  const std::vector<int>& members = frozen->second;
  return {static_cast<int>(std::ssize(members) - std::count(members.begin(), members.end(), 0)), members, true};
}

int instance_in(const GroupAnswer& group, int tid) {
  if (group.result < 0) return group.result;
  const auto found = std::find(group.members.begin(), group.members.end(), tid);
  return found != group.members.end() ? static_cast<int>(found - group.members.begin()) : PvmNotInGroup;
}

int member_at(const GroupAnswer& group, int instance) {
  if (group.result < 0) return group.result;
  const bool is_there = instance >= 0 && instance < std::ssize(group.members);
  const int tid = is_there ? group.members[static_cast<std::size_t>(instance)] : 0;
  return tid != 0 ? tid : PvmNoInst;
}

int own_instance(Call& call, const std::string& group) {
  const auto joined = call.task().instances.find(group);
  return joined != call.task().instances.end() ? joined->second
                                               : instance_in(members_of(call, group), call.task().tid());
}

namespace bodies {

int pvm_joingroup(Call& call, char* group) {
  if (check_group(group) < 0) return call.done(PvmNullGroup);
  const int tid = call.task().tid();
  const int instance =
      call.task()
          .ask_about_groups(CallWait(call.name(), "for the group server to answer"),
                            [&](Groups& groups, const GroupReply& reply) { groups.join(group, tid, reply); })
          .result;
  if (instance < 0) return call.done(instance);
  call.task().instances[group] = instance;
  call.task().frozen_groups.erase(group);  // one of the same name that is no more
  return call.done(instance);
}

int pvm_lvgroup(Call& call, char* group) {
  if (check_group(group) < 0) return call.done(PvmNullGroup);
  const int tid = call.task().tid();
  call.task().wait_for_roots(call.name(), group);
  const int result =
      call.task()
          .ask_about_groups(CallWait(call.name(), "for the group server to answer"),
                            [&](Groups& groups, const GroupReply& reply) { groups.leave(group, tid, reply); })
          .result;
  if (result == PvmOk) call.task().instances.erase(group);
  call.task().frozen_groups.erase(group);
  return call.done(result);
}

int pvm_gsize(Call& call, char* group) {
  return call.done(check_group(group) < 0 ? PvmNullGroup : members_of(call, group).result);
}

int pvm_gettid(Call& call, char* group, int instance) {
  return call.done(check_group(group) < 0 ? PvmNullGroup : member_at(members_of(call, group), instance));
}

int pvm_getinst(Call& call, char* group, int tid) {
  if (check_group(group) < 0) return call.done(PvmNullGroup);
  return call.done(tid > 0 ? instance_in(members_of(call, group), tid) : PvmBadParam);
}

int pvm_barrier(Call& call, char* group, int count) {
  if (check_group(group) < 0) return call.done(PvmNullGroup);
  if (count < 1 && count != Groups::all) return call.done(PvmBadParam);
  const int tid = call.task().tid();
  return call.done(
      call.task()
          .ask_about_groups(CallWait(call.name(), std::string("for the others of group ") + group),
                            [&](Groups& groups, const GroupReply& reply) { groups.barrier(group, tid, count, reply); })
          .result);
}

int pvm_freezegroup(Call& call, char* group, int size) {
  if (check_group(group) < 0) return call.done(PvmNullGroup);
  if (size < 1 && size != Groups::all) return call.done(PvmBadParam);
  const int tid = call.task().tid();
  GroupAnswer answer = call.task().ask_about_groups(
      CallWait(call.name(), std::string("for the others of group ") + group),
      [&](Groups& groups, const GroupReply& reply) { groups.freeze(group, tid, size, reply); });
  if (answer.result >= 0) call.task().frozen_groups[group] = std::move(answer.members);
  return call.done(answer.result);
}

}  // namespace bodies

}  // namespace hindcast::pvm
