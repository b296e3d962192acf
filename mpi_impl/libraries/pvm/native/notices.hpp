// Who wants to be told of what.
#pragma once

#include <vector>

namespace hindcast::pvm {

// A message with this tag, when something becomes of a task or a host.
struct Notice {
  int task;  // who is to be told
  int what;
  int tag;
  int context;
  int about;  // a task's or a daemon's id; of hosts to come how many more times, below 0 always
};

class Notices {
 public:
  void add(const Notice& notice) { all_.push_back(notice); }
  // How often a task is to be told of new hosts, in the place of what it has said before; 0: not any more.
  void set_for_new_hosts(const Notice& notice);
  // Those of this kind about it, which are to be told now.
  std::vector<Notice> take(int what, int about);
  // The one that the same task has wanted in the same words, if there is one.
  std::vector<Notice> take_own(const Notice& wanted);
  // Those who want to know of new hosts, which have come together.
  std::vector<Notice> count_new_hosts();
  void forget(int task);

 private:
  std::vector<Notice> all_;
};

}  // namespace hindcast::pvm
