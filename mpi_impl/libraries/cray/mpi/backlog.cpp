// What nonblocking calls leave to be done (simulator/engine/thread/backlog.hpp). A send whose packet would have to wait
// for the status of the one before returns to the program at once, and so do the sends and receives after it, up to the
// next call that waits: that does them in their order, off the stack, each at the time that it would have had.
#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"

namespace hindcast::mpi {

// A wait before a put: fetched are what is put, who waits for that, and what comes after it.
class T3eEndpoint::PutWait final : public Wait {
 public:
  PutWait(const Wait& why, const InBacklog& next, const GateState* awaited, const Fifo<InBacklog>& after)
      : why_(why), next_(next), awaited_(awaited), after_(after) {}
  BlockedOn describe() const override { return why_.describe(); }
  void fetch_off_stack() const override {
    fetch_lines(next_.first, 0, 3);
    fetch_lines(next_.operation, 0, 2);
    fetch_lines(awaited_, 0, 1);
    after_.fetch();
  }

 private:
  const Wait& why_;
  const InBacklog& next_;
  const GateState* const awaited_;
  const Fifo<InBacklog>& after_;
};

// The first one is a send that would have to wait.
bool T3eEndpoint::may_be_in_backlog(const SendOperation& send, const T3eMessage& first) const {
  if (!send.may_be_in_backlog || first.protocol->needs_stack(*this, send)) return false;
  return thread().has_backlog() ||
         (!queue_.puts_at_once() && threads_in_turn_ == nullptr && may_carry_out_off_stack(thread()));
}

// It is not to grow without end in a program that never waits.
void T3eEndpoint::add_to_backlog(Operation& operation, T3eMessage* first) {
  constexpr std::size_t backlog_max = 1000;
  if (backlog_.empty()) thread().begin_backlog(*this);
  backlog_.push_back({&operation, first});
  if (backlog_.size() == backlog_max) thread().work_off_backlog();
}

// By the time that what became of a put is known the thread may be behind the engine's now: up to the next put, which
// passes it by, it does nothing that others notice.
Errand T3eEndpoint::do_backlog(const GateState* awaited) {
  thread().take_backlog();
  while (!backlog_.empty()) {
    const InBacklog next = backlog_.front();
    backlog_.pop_front();
    if (next.first == nullptr) {
      co_await post(static_cast<ReceiveOperation&>(*next.operation));
      continue;
    }
    const Time clock = thread().clock();
    while (const Wait* const why = queue_.await_earlier_put()) {
      const PutWait put_wait(*why, next, awaited, backlog_);
      co_await woken(put_wait);
      thread().goes_back_to(clock);
    }
    co_await begin(static_cast<SendOperation&>(*next.operation), *next.first);
  }
}

}  // namespace hindcast::mpi
