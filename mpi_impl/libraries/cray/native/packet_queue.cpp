#include "mpi_impl/libraries/cray/native/packet_queue.hpp"

#include <fmt/format.h>

#include <cassert>

#include "simulator/engine/thread/wait_for_room.hpp"

namespace hindcast::t3e {

BlockedOn PacketQueue::SendWait::describe() const {
  const int to = queue_.to_->owner().id;
  return {"SEND", fmt::format("to rank {}: {}", to, what_), {to}};
}

PacketQueue::PacketQueue(MessageQueues& queues, Rank& rank, int node, const QueueCosts& costs)
    : rank_(rank),
      main_thread_(rank.main_thread()),
      queues_(queues),
      costs_(costs),
      own_(node, rank, costs.slots),
      wakes_thread_(rank) {}

// --- on the rank's thread ---

void PacketQueue::send(QueueMessage& packet, const Address& to) {
  assert(is_inserted());
  Thread::current()->pass_until(status_at_, status_wait_);
  last_ = &packet;
  to_ = &to.queue->own_;
  queues_.prepare(packet, own_, {to_, to.node}, costs_.packet + costs_.header, *this);
  packet.way_back = way_back_ = ways_back_.from(to.node);
  submit(costs_.send);
}

void PacketQueue::submit(const FixedStep& step) {
  Thread& thread = *Thread::current();
  thread.spend(step.kind, step.cost, last_->message, costs_.packet.count());
  status_ = Status::unknown;
  status_at_ = thread.clock();
  thread.act(queues_, MessageQueues::act_of(*last_));
}

// On the stack there is nothing else to do meanwhile, and an errand of its own would take longer.
Errand PacketQueue::status() {
  Thread& thread = *Thread::current();
  if (status_ == Status::unknown) {
    if (thread.is_off_stack()) return status_off_stack();
    while (const Wait* const why = await_status()) thread.wait(*why);
  }
  thread.pass_until(status_at_, status_wait_);
  return {};
}

Errand PacketQueue::status_off_stack() {
  while (const Wait* const why = await_status()) co_await woken(*why);
  Thread::current()->pass_until(status_at_, status_wait_);
}

const Wait* PacketQueue::await_status() {
  is_awaited_ = status_ == Status::unknown;
  own_.let_arrivals_wake(!is_awaited_ || rank_.only_thread == nullptr);
  return is_awaited_ ? &status_wait_ : nullptr;
}

// Of a packet that has not arrived by the engine's now the thread cannot know before the status had the time to come
// back; nor of one that has not been sent by then.
bool PacketQueue::has_to_settle_for_status() const {
  if (status_ != Status::unknown) return false;
  const Thread& thread = *Thread::current();
  const Time way_back_min = way_back_ == Time::never() ? Time() : way_back_;
  return thread.clock() >= later_of(status_at_ + Time::ps(1), rank_.engine.now() + way_back_min);
}

bool PacketQueue::was_rejected() const {
  return status_ == Status::rejected && status_at_ <= Thread::current()->clock();
}

Errand PacketQueue::send_again_if_room() {
  co_await settled();
  if (!to_->is_full()) {
    submit(costs_.send);
  } else if (!is_told_of_room_) {
    to_->tell_of_room(*this);
    is_told_of_room_ = true;
  }
}

Errand PacketQueue::room() {
  const SendWait call(*this, "for room in its message queue");
  const WaitForRoom why(call);
  co_await woken(why);
}

QueueMessage& PacketQueue::receive() {
  QueueMessage& packet = own_.first();
  Thread::current()->spend(costs_.receive, packet.message);
  own_.remove_first();
  return packet;
}

// --- in handlers ---

void PacketQueue::arrived(QueueMessage& packet, bool is_inserted, Time status_at) {
  if (way_back_ == Time::never()) ways_back_.learn(packet.to, packet.way_back);
  status_ = is_inserted ? Status::inserted : Status::rejected;
  status_at_ = status_at;
  if (is_inserted)
    last_ = nullptr;
  else
    wakes_thread_.at(status_at);
  if (is_awaited_) rank_.attendant().wake();
}

void PacketQueue::fetch(FetchLevel level) const {
  if (level > 0 && is_awaited_) fetch_thread(main_thread_, level - 1);
}

void PacketQueue::has_room() {
  is_told_of_room_ = false;
  rank_.attendant().wake();
}

}  // namespace hindcast::t3e
