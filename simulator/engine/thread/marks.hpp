// Instants of a thread that are not over yet, such as those of posted receives. Work that interrupts the thread before
// them puts them off.
#pragma once

#include <boost/intrusive/list.hpp>

#include "simulator/engine/postponement.hpp"

namespace hindcast {

// It leaves the thread's list when it is destroyed.
struct Mark {
  using Hook = boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

  Time at;
  EventOrder order = 0;  // its place among what the thread does at that instant: Thread::reserve_act()
  Hook hook;
};

class Marks {
 public:
  void keep(Mark& mark) { list_.push_back(mark); }
  // Those that are past are kept no more: nothing can put them off.
  void put_off(const Postponement& postponement, Time now) {
    for (auto next = list_.begin(); next != list_.end();) {
      Mark& mark = *next++;
      const Time delay = postponement.delay_of(mark.at, mark.order);
      if (delay == Time() && mark.at < now)
        mark.hook.unlink();
      else
        mark.at += delay;
    }
  }

 private:
  boost::intrusive::list<Mark, boost::intrusive::member_hook<Mark, Mark::Hook, &Mark::hook>,
                         boost::intrusive::constant_time_size<false>>
      list_;
};

}  // namespace hindcast
