#include "simulator/engine/shared_processor.hpp"

#include <utility>

#include "simulator/engine/rank.hpp"

namespace hindcast {

SharedProcessor::SharedProcessor(Engine& engine, Time slice, FixedStep switching)
    : engine_(engine), slice_(slice), switching_(std::move(switching)) {}

void SharedProcessor::add(Thread& thread) {
  threads_.push_back(&thread);
  thread.rank().stop_running_ahead();
  thread.share(*this);
}

Time SharedProcessor::begin_of_turn(const Thread& thread) const {
  const Time free = later_of(engine_.now(), free_at_);
  return must_switch_to(thread) ? free + switching_.cost : free;
}

void SharedProcessor::give_turn(const Thread& thread, Time end) {
  last_ = &thread;
  free_at_ = end;
}

Time SharedProcessor::interrupt(const Thread& on_behalf_of, Time cost) {
  const Time start = later_of(engine_.now(), interrupted_until_);
  interrupted_until_ = start + cost;
  for (Thread* thread : threads_)
    if (thread != &on_behalf_of) thread->put_off_turn(start, cost);
  free_at_ = free_at_ > engine_.now() ? free_at_ + cost : interrupted_until_;
  return start;
}

}  // namespace hindcast
