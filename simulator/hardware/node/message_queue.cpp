#include "simulator/hardware/node/message_queue.hpp"

#include <algorithm>
#include <utility>

namespace hindcast {

namespace {

const StepKind inserted{"inserted in the message queue", ""};
const StepKind rejected{"rejected by a full message queue", ""};

}  // namespace

void MessageQueue::remove_first() {
  messages_.pop_front();
  Thread& thread = *Thread::current();
  if (is_waited_for_) [[unlikely]]
    thread.act(*this, 0);
  else
    thread.act_quietly(*this, 0);
}

void MessageQueue::close(LostMessages& lost) {
  is_closed_ = true;
  taker_ = nullptr;
  lost_ = &lost;
  used_ = 0;
  for (; !messages_.empty(); messages_.pop_front()) lost.lost(*messages_.front());
  tell_those_who_wait();
}

bool MessageQueue::is_full() {
  if (used_ >= slots_) [[unlikely]]
    for (const auto& thread : owner_.threads) thread->fire_quiet_acts();
  return used_ >= slots_;
}

void MessageQueue::tell_of_room(QueueSender& sender) {
  is_waited_for_ = true;
  waiting_for_room_.push_back(&sender);
  for (const auto& thread : owner_.threads) thread->make_quiet_acts_heard();
}

bool MessageQueue::insert(QueueMessage& message) {
  if (is_closed_) [[unlikely]]
    return true;
  if (is_full()) return false;
  ++used_;
  messages_.push_back(&message);
  if (arrivals_wake_) owner_.attendant().wake(message.message);
  return true;
}

void MessageQueue::fetch_for_arrival(const QueueMessage& message, FetchLevel level) const {
  if (level == 0) return fetch_lines(this, 0, 2);
  if (level == 1) messages_.fetch();
  if (!arrivals_wake_) return;
  fetch_thread(owner_, level - 1);
  if (level == 1)
    fetch_lines(taker_, 0, 1);
  else if (taker_ != nullptr)
    taker_->fetch_for(message, level - 2);
}

void MessageQueue::fetch_what_has_come(FetchLevel level) const {
  constexpr int lines = 3;
  constexpr std::size_t most = 4;
  if (owner_.only_thread != nullptr) owner_.only_thread->fetch_quiet_acts(level);
  if (level == 0) return messages_.fetch();
  for (std::size_t i = 0; i < std::min(messages_.size(), most); ++i) fetch_lines(messages_.begin()[i], 0, lines);
}

// A slot is free again.
void MessageQueue::fire(const Event&) {
  --used_;
  if (is_waited_for_) [[unlikely]]
    tell_those_who_wait();
}

void MessageQueue::tell_those_who_wait() {
  is_waited_for_ = false;
  for (QueueSender* sender : std::exchange(waiting_for_room_, {})) sender->has_room();
}

void MessageQueues::prepare(QueueMessage& message, const MessageQueue& from, const MessageQueue::Address& to,
                            Bytes bytes, QueueSender& sender) {
  message.from = from.node();
  message.to = to.node;
  message.bytes = bytes;
  message.sink = this;
  message.queue = to.queue;
  message.sender = &sender;
}

void MessageQueues::fire(const Event& event) {
  auto& message = *reinterpret_cast<QueueMessage*>(event.data);
  if (message.way_back == Time::never()) message.way_back = network_.latency(message.to, message.from);
  network_.submit(message);
}

void MessageQueues::fetch(const Event& act, FetchLevel level) const {
  if (level <= 1) network_.fetch(*reinterpret_cast<const QueueMessage*>(act.data), level);
}

void MessageQueues::fetch(const Transfer& transfer, FetchLevel level) const {
  const auto& message = static_cast<const QueueMessage&>(transfer);
  if (level == 0) {
    fetch_lines(&message, 2, 3);
    fetch_lines(message.sender, 0, 1);
  } else {
    message.sender->fetch(level);
  }
  message.queue->fetch_for_arrival(message, level);
}

void MessageQueues::arrived(Transfer& transfer) {
  auto& message = static_cast<QueueMessage&>(transfer);
  QueueSender& sender = *message.sender;
  const Time now = engine_.now();
  const Time status_at = now + message.way_back;
  const MessageId id = message.message;
  MessageQueue& queue = *message.queue;
  const bool is_inserted = queue.insert(message);
  if (engine_.recorder() != nullptr) [[unlikely]]
    engine_.recorder()->in_hardware(message.to, Step{is_inserted ? &inserted : &rejected, id, now, now});
  sender.arrived(message, is_inserted, status_at);
  if (queue.is_closed_) [[unlikely]]
    queue.lost_->lost(message);
}

}  // namespace hindcast
