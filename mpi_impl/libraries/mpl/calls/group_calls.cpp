// The functions of mpl.h that make groups and tell what they are.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "mpi_impl/libraries/mpl/calls/bodies.hpp"
#include "mpi_impl/libraries/mpl/calls/collective.hpp"
#include "mpi_impl/libraries/mpl/calls/members.hpp"

namespace hindcast::mpl::bodies {

int mpc_group(const programs::LibraryCall& call, int gsize, const int* glist, int label, int* gid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 2 (glist)", glist);
  check_pointer(self, call.function(), "argument 4 (gid)", gid);
  if (const int tasks = self.system().tasks(); gsize < 1 || gsize > tasks)
    refuse(self, call.function(),
           fmt::format("argument 1 (gsize) is {}; it must be 1 at least, and at most {}, as there are no more tasks",
                       gsize, tasks));
  const std::vector<int> members(glist, glist + gsize);
  for (const int task : members) check_task(self, call.function(), "a task of argument 2 (glist)", task);
  if (std::find(members.begin(), members.end(), self.task()) == members.end())
    refuse(self, call.function(), "argument 2 (glist) has not the calling task in it; let only members call");
  *gid = self.system().groups().join(members, label, self.task()).id;
  synchronize(Members(self, call.function(), *gid));
  return 0;
}

int mpc_partition(const programs::LibraryCall& call, int parent_gid, int key, int label, int* gid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 4 (gid)", gid);
  const Members parent(self, call.function(), parent_gid);
  const int mine[2] = {label, key};
  std::vector<int> all(2 * static_cast<std::size_t>(parent.size()));
  concatenate(parent, mine, all.data(), sizeof mine);
  std::vector<std::tuple<int, int>> chosen;  // key, task
  for (int rank = 0; rank < parent.size(); ++rank) {
    const int* const others = &all[2 * static_cast<std::size_t>(rank)];
    if (others[0] == label) chosen.emplace_back(others[1], parent.task_of(rank));
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<int> members;
  for (const auto& [its_key, task] : chosen) members.push_back(task);
  *gid = self.system().groups().join(members, label, self.task()).id;
  return 0;
}

int mpc_getlabel(const programs::LibraryCall& call, int* label, int gid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 1 (label)", label);
  *label = Members(self, call.function(), gid).label();
  return 0;
}

int mpc_getsize(const programs::LibraryCall& call, int* gsize, int gid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 1 (gsize)", gsize);
  *gsize = Members(self, call.function(), gid).size();
  return 0;
}

int mpc_getmembers(const programs::LibraryCall& call, int* glist, int gid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 1 (glist)", glist);
  const Members members(self, call.function(), gid);
  for (int rank = 0; rank < members.size(); ++rank) glist[rank] = members.task_of(rank);
  return 0;
}

int mpc_getrank(const programs::LibraryCall& call, int* rank, int taskid, int gid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 1 (rank)", rank);
  *rank = Members(self, call.function(), gid).rank_of_argument("argument 2 (taskid)", taskid);
  return 0;
}

int mpc_gettaskid(const programs::LibraryCall& call, int rank, int* taskid, int gid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 2 (taskid)", taskid);
  const Members members(self, call.function(), gid);
  if (rank < 0 || rank >= members.size()) refuse(self, call.function(), "argument 1 (rank) is none of the group's");
  *taskid = members.task_of(rank);
  return 0;
}

}  // namespace hindcast::mpl::bodies
