// The groups of a partition's tasks. A group is made by all its members, each by a call of its own; calls with the same
// list of members are about the same group, one after the other.
#pragma once

#include <deque>
#include <map>
#include <vector>

namespace hindcast::mpl {

struct Group {
  int id;                    // the same for all its members
  int label;                 // of the program's choice
  std::vector<int> members;  // tasks, by their ranks in the group

  int size() const { return static_cast<int>(members.size()); }
  // -1: it is not a member.
  int rank_of(int task) const;
};

class Groups {
 public:
  // By a member: the group that this call of its makes, or is about. Ids begin at 1; 0 is the group of all.
  const Group& join(const std::vector<int>& members, int label, int task);
  // Null if there is none of this id.
  const Group* find(int id) const;

 private:
  struct Made {
    std::vector<int> ids;      // in the order in which they were made
    std::map<int, int> calls;  // by task
  };

  std::deque<Group> groups_;
  std::map<std::vector<int>, Made> by_members_;
};

}  // namespace hindcast::mpl
