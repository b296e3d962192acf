#include "mpi_impl/libraries/cellos/native/striding.hpp"

#include <algorithm>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/libraries/cellos/native/steps.hpp"

namespace hindcast::cellos {

namespace {

Bytes moved_of(const Message& message, const PreReceive& pre_receive) {
  return std::min(message.payload_bytes, pre_receive.to.bytes());
}

void move(const Message& message, const PreReceive& pre_receive) {
  scatter(message.data(), moved_of(message, pre_receive), pre_receive.to);
}

}  // namespace

Striding::Striding(System& system) : system_(system), owner_(system.engine().new_owner()) {}

void Striding::pre_receive(Cell& cell, PreReceive& pre_receive) {
  Thread& thread = *Thread::current();
  thread.spend(cell.costs().receive);
  Mailbox& mailbox = cell.mailbox(pre_receive.space);
  if (Message* message = mailbox.find(pre_receive.key)) {
    mailbox.remove(*message);
    move(*message, pre_receive);
    spend_copy_out(thread, cell.costs(), message->is_misaligned(cell.costs()), moved_of(*message, pre_receive),
                   message->message);
    cell.release_now(thread, *message);
    return pre_receive.sink->received(pre_receive, *message, {DeliveredBy::calling, thread.clock()});
  }
  pre_receive.taker = this;
  pre_receive.at = thread.clock();
  pre_receive.order = thread.reserve_act();
  for (int place = 0; place < 2; ++place) thread.reserve_act();  // for the end of a copy, and what the library starts
  thread.keep(pre_receive);
  mailbox.expect(pre_receive);
}

void Striding::entered(Message& message) {
  system_.engine().at(message.injected, EventKind::hardware, owner_, *this,
                      reinterpret_cast<std::uint64_t>(message.sent));
}

// --- in handlers ---

void Striding::take(Expected& expected, Message& message) {
  auto& pre_receive = static_cast<PreReceive&>(expected);
  const Time now = system_.engine().now();
  move(message, pre_receive);
  if (pre_receive.at > now) {  // it will have been in the queue when the call looks for it
    message.taken_by = &pre_receive;
    return message.receiver->rank().attendant().insert_work(pre_receive.at, pre_receive.order, *this,
                                                            reinterpret_cast<std::uint64_t>(&message) | copying);
  }
  message.receiver->release(message);
  pre_receive.sink->received(pre_receive, message, {DeliveredBy::controller, now});
}

// The interface of the broadcast net can be emptied straight into the program's memory.
bool Striding::is_waiting(const Expected& expected) const { return expected.at <= system_.engine().now(); }

void Striding::fire(const Event& event) {
  if ((event.data & copying) != 0) return copy_in_past(*reinterpret_cast<Message*>(event.data & ~copying), event);
  reinterpret_cast<DoneSink*>(event.data)->done();
}

void Striding::copy_in_past(Message& message, const Event& event) {
  auto& pre_receive = *static_cast<PreReceive*>(message.taken_by);
  Thread& thread = message.receiver->rank().attendant();
  const Bytes bytes = moved_of(message, pre_receive);
  CostOfSteps cost;
  const Costs& costs = message.receiver->costs();
  spend_copy_out(cost, costs, message.is_misaligned(costs), bytes, message.message);
  thread.serve_now(event.order, cost.sum() + pre_receive.sink->work_in_call(message));
  ServedSteps steps(thread, event.at, event.order);
  spend_copy_out(steps, costs, message.is_misaligned(costs), bytes, message.message);
  message.receiver->release_at(steps.at(), event.order + 1, thread, message);
  pre_receive.sink->received(pre_receive, message, {DeliveredBy::call_in_past, steps.at(), event.order + 2});
}

}  // namespace hindcast::cellos
