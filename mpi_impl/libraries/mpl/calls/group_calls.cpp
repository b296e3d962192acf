// The functions of mpl.h that make groups and tell what they are.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "mpi_impl/libraries/mpl/calls/collective.hpp"
#include "mpi_impl/libraries/mpl/calls/members.hpp"
#include "mpi_impl/libraries/mpl/include/mpl.h"

using namespace hindcast;
using namespace hindcast::mpl;

extern "C" {

int mpc_group(int gsize, const int* glist, int label, int* gid) {
  const programs::LibraryCall library_call("mpc_group");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_group", "argument 2 (glist)", glist);
  check_pointer(self, "mpc_group", "argument 4 (gid)", gid);
  if (const int tasks = self.system().tasks(); gsize < 1 || gsize > tasks)
    refuse(self, "mpc_group",
           fmt::format("argument 1 (gsize) is {}; it must be 1 at least, and at most {}, as there are no more tasks",
                       gsize, tasks));
  const std::vector<int> members(glist, glist + gsize);
  for (const int task : members) check_task(self, "mpc_group", "a task of argument 2 (glist)", task);
  if (std::find(members.begin(), members.end(), self.task()) == members.end())
    refuse(self, "mpc_group", "argument 2 (glist) has not the calling task in it; let only members call");
  *gid = self.system().groups().join(members, label, self.task()).id;
  synchronize(Members(self, "mpc_group", *gid));
  return 0;
}

int mpc_partition(int parent_gid, int key, int label, int* gid) {
  const programs::LibraryCall library_call("mpc_partition");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_partition", "argument 4 (gid)", gid);
  const Members parent(self, "mpc_partition", parent_gid);
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

int mpc_getlabel(int* label, int gid) {
  const programs::LibraryCall library_call("mpc_getlabel");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_getlabel", "argument 1 (label)", label);
  *label = Members(self, "mpc_getlabel", gid).label();
  return 0;
}

int mpc_getsize(int* gsize, int gid) {
  const programs::LibraryCall library_call("mpc_getsize");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_getsize", "argument 1 (gsize)", gsize);
  *gsize = Members(self, "mpc_getsize", gid).size();
  return 0;
}

int mpc_getmembers(int* glist, int gid) {
  const programs::LibraryCall library_call("mpc_getmembers");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_getmembers", "argument 1 (glist)", glist);
  const Members members(self, "mpc_getmembers", gid);
  for (int rank = 0; rank < members.size(); ++rank) glist[rank] = members.task_of(rank);
  return 0;
}

int mpc_getrank(int* rank, int taskid, int gid) {
  const programs::LibraryCall library_call("mpc_getrank");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_getrank", "argument 1 (rank)", rank);
  *rank = Members(self, "mpc_getrank", gid).rank_of_argument("argument 2 (taskid)", taskid);
  return 0;
}

int mpc_gettaskid(int rank, int* taskid, int gid) {
  const programs::LibraryCall library_call("mpc_gettaskid");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_gettaskid", "argument 2 (taskid)", taskid);
  const Members members(self, "mpc_gettaskid", gid);
  if (rank < 0 || rank >= members.size()) refuse(self, "mpc_gettaskid", "argument 1 (rank) is none of the group's");
  *taskid = members.task_of(rank);
  return 0;
}

}  // extern "C"
