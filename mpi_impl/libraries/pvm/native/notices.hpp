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
  // Those of this kind about it, which are to be told now.
  std::vector<Notice> take(int what, int about);
  // Those that this task is to be told of it.
  std::vector<Notice> take_own(int task, int what, int about);
  // Those who want to know of new hosts.
  std::vector<Notice> count_new_host();
  void forget(int task);

 private:
  std::vector<Notice> all_;
};

}  // namespace hindcast::pvm
