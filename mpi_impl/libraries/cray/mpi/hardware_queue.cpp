#include "mpi_impl/libraries/cray/mpi/hardware_queue.hpp"

namespace hindcast::mpi {

void T3eHardwareQueue::put(T3eMessage& message, int to_rank) {
  finish_puts();
  own_.send(message, *queues_[static_cast<std::size_t>(to_rank)]);
}

// Whose queue is full may be waiting for room in ours.
void T3eHardwareQueue::finish_puts() {
  for (;;) {
    own_.wait_for_status();
    if (!own_.was_rejected()) return;
    library_.absorb();
    if (own_.was_rejected()) own_.send_again_if_room();
    if (own_.was_rejected() && own_.size() == 0) own_.wait_for_room();
  }
}

// What comes while a packet is sent again is left for the next call.
std::size_t T3eHardwareQueue::absorb() {
  const std::size_t here = own_.size();
  if (own_.was_rejected()) own_.send_again_if_room();
  return here;
}

// Whether something has come while a packet was sent again is known only at the thread's time.
T3eMessage* T3eHardwareQueue::take() {
  if (own_.was_rejected()) {
    own_.send_again_if_room();
    Thread::current()->settle();
  }
  return own_.size() > 0 ? static_cast<T3eMessage*>(&own_.receive()) : nullptr;
}

// It looks once in so much time since it began.
void T3eHardwareQueue::wait(const Wait& why) {
  Thread& thread = *Thread::current();
  const Time since = thread.clock();
  thread.wait(why);
  const std::int64_t period = poll_.in_ps();
  const std::int64_t polls = ((thread.clock() - since).in_ps() + period - 1) / period;
  thread.pass_until(since + poll_ * polls, why);
}

}  // namespace hindcast::mpi
