#include "mpi_impl/transport/threads_in_turn.hpp"

#include <algorithm>

namespace hindcast::mpi {

namespace {

class TurnWait final : public Wait {
 public:
  BlockedOn describe() const override { return {"MPI", "for another thread to leave the library", {}}; }
};

}  // namespace

void ThreadsInTurn::enter() {
  Thread& thread = *Thread::current();
  if (inside_ == &thread) {
    ++calls_within_;
    return;
  }
  wait_for_turn(thread, TurnWait());
  calls_within_ = 1;
}

void ThreadsInTurn::leave() {
  if (inside_ == Thread::current() && --calls_within_ == 0) hand_on();
}

void ThreadsInTurn::wait_for_turn(Thread& thread, const Wait& why) {
  if (inside_ == nullptr) {
    inside_ = &thread;
    return;
  }
  entering_.push_back(&thread);
  knock(thread.engine(), thread.clock());
  while (inside_ != &thread) thread.wait_without_polling(why);
}

void ThreadsInTurn::let_others_in(const Gate& gate, const Wait& why) {
  if (entering_.empty()) return;
  Thread& thread = *Thread::current();
  const int calls_within = calls_within_;
  aside_.push_back(&thread);
  hand_on();
  while (inside_ != &thread && !gate.is_open()) thread.wait_without_polling(why);
  if (inside_ != &thread) {
    std::erase(aside_, &thread);
    wait_for_turn(thread, why);
  }
  calls_within_ = calls_within;
}

void ThreadsInTurn::hand_on() {
  std::deque<Thread*>& next = entering_.empty() ? aside_ : entering_;
  inside_ = next.empty() ? nullptr : next.front();
  if (inside_ == nullptr) return;
  next.pop_front();
  inside_->wake();
}

void ThreadsInTurn::knock(Engine& engine, Time at) {
  if (next_knock_ && *next_knock_ <= at) return;
  next_knock_ = at;
  engine.at(at, EventKind::hardware, owner_, *this, 0);
}

// Who is inside and about to wait hears it later.
void ThreadsInTurn::fire(const Event& event) {
  if (next_knock_ != event.at) return;  // an earlier one has come in its place
  next_knock_.reset();
  if (entering_.empty() || inside_ == nullptr) return;
  if (inside_->state() == Thread::State::waiting)
    inside_->wake();
  else
    knock(inside_->engine(), later_of(inside_->clock(), event.at) + Time::ps(1));
}

}  // namespace hindcast::mpi
