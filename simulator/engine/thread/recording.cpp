// What a recorder is told of a thread's steps.
#include "simulator/engine/thread.hpp"
#include "simulator/engine/thread/shared_processor.hpp"

namespace hindcast {

const StepKind& Wait::step() const { return step_wait; }

void Thread::spend_recorded(const StepKind& kind, Time cost, MessageId message, std::uint64_t amount,
                            const Wait* wait) {
  if (processor_ != nullptr) return processor_->take_turns(*this, &kind, cost, message, amount, wait);
  record_own(kind, cost, message, amount);
  charge(cost, wait);
}

// What lies ahead of the clock has to be kept until nothing can move it any more. A thread that runs far ahead gives
// way now and then, so that this is not much.
void Thread::record_own(const StepKind& kind, Time cost, MessageId message, std::uint64_t amount) {
  if (++steps_ahead_ > steps_ahead_max) {
    settle();
    steps_ahead_ = 0;
  }
  record(kind, clock_, clock_ + cost, message, amount, false);
}

void Thread::record(const StepKind& kind, Time begin, Time end, MessageId message, std::uint64_t amount,
                    bool is_service) {
  engine_.recorder()->on_thread(
      *this, Step{&kind, message, begin, end, amount, owner_.upcoming(EventKind::act), is_service, -1});
}

void Thread::record_mark(const StepKind& kind, MessageId message, std::uint64_t amount, int peer,
                         const MessageLabel* label) {
  engine_.recorder()->on_thread(
      *this, Step{&kind, message, clock_, clock_, amount, owner_.upcoming(EventKind::act), false, peer, false, label});
}

}  // namespace hindcast
