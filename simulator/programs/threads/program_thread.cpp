#include "simulator/programs/threads/program_thread.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"
#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::programs {

namespace {
const StepKind look_at_lock{"look at a lock", "processor.poll"};
}

bool ProgramThread::wait_in(WaitQueue& queue, Waiter& self, const Wait& why) {
  queue.push(self);
  bool has_waited = false;
  while (!self.is_granted) {
    const bool is_signalled =
        (signals_pending.numbers() | threads.signals_pending.numbers()) != 0 && signals_due() != 0;
    if (is_signalled && signals_awaited == 0) {
      if (self.ends_at_signal) self.queue->remove(self);
      const int effect = handle_signals();
      if (!self.ends_at_signal) continue;
      self.signal_effect = effect;
      if (effect >= hindcast_signal_restarts) return false;
      queue.push(self);
      continue;
    }
    const bool is_cancelled = (self.can_be_cancelled || is_cancelled_at_once) && must_cancel();
    if (is_cancelled || is_signalled || thread->clock() >= self.until) {
      self.queue->remove(self);
      if (!has_waited && !is_cancelled && !is_signalled) look_in_vain();
      if (has_waited && !self.waits_for_time_alone) thread->settle(&why);  // it has looked until then
      return false;
    }
    if (self.until < Time::never())
      thread->wait_without_polling_until(self.until, why);
    else
      thread->wait_without_polling(why);
    has_waited = true;
  }
  return true;
}

void grant(Waiter& waiter) {
  waiter.queue->remove(waiter);
  waiter.is_granted = true;
  waiter.thread->wake();
}

long ProgramThread::system_number() const {
  constexpr long apart = 1'000'000;  // processes have smaller numbers
  return hindcast_rank_process() + (static_cast<long>(number) - 1) * apart;
}

void ProgramThread::wake() {
  if (thread != nullptr) thread->wake();
}

void ProgramThread::look_in_vain() { thread->spend(look_at_lock, threads.program().costs().yield); }

void ProgramThread::let_others_run() {
  takes_in_a_row = 0;
  const Time before = std::exchange(clock_at_takes, thread->clock());
  if (before == thread->clock() && threads.are_several()) look_in_vain();
}

void ProgramThread::act_on_cancel() {
  if (must_cancel()) threads.program().entry_points().leave_thread(PTHREAD_CANCELED);
}

void ProgramThread::let_go(const void* lock) {
  const auto last = std::find_if(held.rbegin(), held.rend(), [&](const Held& one) { return one.lock == lock; });
  if (last != held.rend()) held.erase(std::next(last).base());
}

}  // namespace hindcast::programs
