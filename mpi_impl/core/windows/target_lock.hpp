// The lock of a rank's part of a window. Who asks first has it first; those who share it ask one after the other too.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <deque>
#include <vector>

namespace hindcast::mpi {

struct Answer;

class TargetLock {
 public:
  struct Wanted {
    int origin;
    bool is_exclusive;
    Answer* answer;
  };

  // Whether it is granted at once; else when others have released it.
  bool take(const Wanted& wanted) {
    if (!queue_.empty() || !is_free_for(wanted)) {
      queue_.push_back(wanted);
      return false;
    }
    grant(wanted);
    return true;
  }
  // Those to whom it is granted now: mostly one, if any.
  using Granted = boost::container::small_vector<Wanted, 1>;
  Granted release(int origin) {
    holders_.erase(std::ranges::find(holders_, origin));
    Granted granted;
    while (!queue_.empty() && is_free_for(queue_.front())) {
      grant(queue_.front());
      granted.push_back(queue_.front());
      queue_.pop_front();
    }
    return granted;
  }
  const std::vector<int>& holders() const { return holders_; }

 private:
  bool is_free_for(const Wanted& wanted) const {
    return holders_.empty() || (!wanted.is_exclusive && !is_held_exclusively_);
  }
  void grant(const Wanted& wanted) {
    is_held_exclusively_ = wanted.is_exclusive;
    holders_.push_back(wanted.origin);
  }

  std::vector<int> holders_;  // ranks of the window's
  bool is_held_exclusively_ = false;
  std::deque<Wanted> queue_;
};

}  // namespace hindcast::mpi
