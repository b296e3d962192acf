#include "mpi_impl/libraries/cray/mpi/hardware_queue.hpp"

namespace hindcast::mpi {

T3eHardwareQueue::T3eHardwareQueue(MessageQueues& hardware, shmem::Pe& pe, const t3e::QueueCosts& costs,
                                   std::vector<t3e::PacketQueue::Address>& queues, T3eAbsorber& library, Time poll)
    : queues_(queues), library_(library), poll_(poll), own_(hardware, pe.rank(), pe.node(), costs) {
  queues.push_back(own_.address());
  own_.is_taken_from_by(*this);
  pe.rank().main_thread().goes_with(this, 1 + t3e::PacketQueue::lines_of_thread);
}

Errand T3eHardwareQueue::put(T3eMessage& message, int to_rank) {
  Errand status = own_.status();
  if (!status.is_over() || own_.was_rejected()) return put_after_earlier(std::move(status), message, to_rank);
  own_.send(message, queues_[static_cast<std::size_t>(to_rank)]);
  return {};
}

Errand T3eHardwareQueue::put_after_earlier(Errand status, T3eMessage& message, int to_rank) {
  co_await status;
  if (own_.was_rejected()) co_await finish_puts();
  own_.send(message, queues_[static_cast<std::size_t>(to_rank)]);
}

// Whose queue is full may be waiting for room in ours.
Errand T3eHardwareQueue::finish_puts() {
  for (;;) {
    co_await own_.status();
    if (!own_.was_rejected()) co_return;
    co_await library_.absorb();
    if (own_.has_to_settle_for_status()) co_await settled();
    if (own_.was_rejected()) co_await own_.send_again_if_room();
    if (own_.was_rejected() && own_.size() == 0) co_await own_.room();
  }
}

// What comes while a packet is sent again is left for the next call.
Errand T3eHardwareQueue::absorb(std::size_t& come) {
  come = own_.size();
  if (!own_.was_rejected()) return {};
  return own_.send_again_if_room();
}

// Whether something has come while a packet was sent again is known only at the thread's time.
Errand T3eHardwareQueue::put_again() {
  co_await own_.send_again_if_room();
  co_await settled();
}

void T3eHardwareQueue::fetch(FetchLevel level) const {
  if (level <= 1) own_.fetch_what_has_come(level);
  if (level > 0 && own_.size() > 0) fetch_for(own_.next(), level - 1);
}

T3eMessage* T3eHardwareQueue::take() {
  if (own_.size() == 0) return nullptr;
  auto& message = static_cast<T3eMessage&>(own_.receive());
  if (Thread::current()->engine().fetches_ahead()) {
    library_.fetch_for(message, 2);
    if (own_.size() > 0) fetch_for(own_.next(), 1);
  }
  return &message;
}

// It looks once in so much time since it began.
Errand T3eHardwareQueue::end_wait(const Wait& why) {
  Thread& thread = *Thread::current();
  const std::int64_t period = poll_.in_ps();
  const std::int64_t polls = ((thread.clock() - waits_since_).in_ps() + period - 1) / period;
  thread.pass_until(waits_since_ + poll_ * polls, why);
  return {};
}

}  // namespace hindcast::mpi
