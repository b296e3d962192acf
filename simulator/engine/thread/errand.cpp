#include "simulator/engine/thread/errand.hpp"

#include "simulator/engine/rank.hpp"

namespace hindcast {

bool may_carry_out_off_stack(const Thread& thread) {
  return thread.may_go_on_off_stack() && thread.progress() == Progress::hardware &&
         thread.rank().only_thread == &thread;
}

CarryingOut::CarryingOut(Thread& thread, Errand& errand, bool stays_on_stack)
    : thread_(thread),
      errand_(errand),
      may_be_suspended_(!stays_on_stack && may_carry_out_off_stack(thread)),
      next_(errand.begin(this)) {}

void CarryingOut::to_end() {
  for (;;) {
    const bool was_on_errand = thread_.be_on_errand(may_be_suspended_);
    next_.resume();
    thread_.be_on_errand(was_on_errand);
    if (errand_.is_over()) break;
    thread_.give_way_with(*this, onward_);
    if (errand_.is_over()) break;
  }
  errand_.await_resume();
}

// However many acts it has: to let them fire first would be to miss what wakes it meanwhile.
Onward CarryingOut::go_on() {
  next_.resume();
  return errand_.is_over() ? Onward::runs() : onward_;
}

bool CarryingOut::gives_way(std::coroutine_handle<> part, Onward onward, const Fetchable* looked_at) {
  if (!may_be_suspended_) {
    onward.what == Onward::What::settle ? thread_.settle(onward.wait) : thread_.wait(*onward.wait);
    return false;
  }
  next_ = part;
  onward_ = onward;
  looked_at_ = looked_at;
  return true;
}

// The frame of the part that goes on is fetched before what that has waited for, as this often stands in the frame.
void CarryingOut::fetch(FetchLevel level) const {
  constexpr int lines_of_part = 4;
  if (level == 0) {
    fetch_lines(next_.address(), 0, lines_of_part);
    errand_.fetch();
  } else if (level == 1 && onward_.wait != nullptr) {
    onward_.wait->fetch_off_stack();
  }
  if (looked_at_ != nullptr) looked_at_->fetch(level);
}

}  // namespace hindcast
