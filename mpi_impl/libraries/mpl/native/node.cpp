#include "mpi_impl/libraries/mpl/native/node.hpp"

#include <fmt/format.h>

namespace hindcast::mpl {

BlockedOn SendWait::describe() const { return {call_, fmt::format("until the message has left for task {}", to_), {}}; }

void BufferReceive::take(Message& message, const Match& match) {
  fill(message, match);
  message.receiver->system().free_message(message);
  over.complete(match.at);
}

Node::Node(System& system, Rank& rank, int place) : system_(system), rank_(rank), place_(place), task_(system.tasks()) {
  attach(rank, *this);
  system.add(*this);
}

// --- on the rank's threads ---

void Node::send(const Outgoing& outgoing) {
  Thread& thread = *Thread::current();
  Message& message = system_.new_message();
  message.message = outgoing.message != 0 ? outgoing.message : take_message_number();
  message.key = outgoing.key;
  message.payload = outgoing.data;
  message.payload_bytes = outgoing.bytes;
  message.receiver = &system_.node(outgoing.to);
  message.from = place_;
  message.to = message.receiver->place_;
  message.prefix = outgoing.prefix;
  message.bytes = costs().header + outgoing.whole();
  thread.spend(costs().send, message.message);
  if (outgoing.whole() > costs().short_max) {
    thread.spend(costs().long_set_up, message.message);
    message.sent = outgoing.sent;
    // Whoever waits for it waits from then on, and a recorder is told the same, whatever else has still to be fired.
    if (outgoing.sent != nullptr) thread.settle();
  } else {
    system_.capture(message);
    if (outgoing.sent != nullptr) outgoing.sent->complete(thread.clock());
  }
  thread.act(system_, reinterpret_cast<std::uint64_t>(&message));
}

void Node::send_and_wait(Outgoing outgoing, const Wait& why) {
  Completion sent;
  outgoing.sent = &sent;
  send(outgoing);
  wait_for(sent, why);
}

void Node::post(Receive& receive, const matching::Key& pattern) {
  Thread& thread = *Thread::current();
  thread.spend(costs().post);
  receive.posted_at = thread.clock();
  auto* message = static_cast<Message*>(unexpected_.find(pattern));
  if (message == nullptr) return posted_.add(receive, pattern);
  unexpected_.remove(*message);
  receive.take(*message, {later_of(thread.clock(), message->arrived_at), true});
}

void Node::end_receive(Bytes left_to_copy, MessageId message) {
  Thread& thread = *Thread::current();
  thread.spend(costs().receive, message);
  if (left_to_copy > Bytes()) thread.spend(costs().copy_out, left_to_copy.count(), message);
}

void Node::receive_and_wait(BufferReceive& receive, const matching::Key& pattern, const Wait& why) {
  post(receive, pattern);
  wait_for(receive.over, why);
  end_receive(receive.left_to_copy, receive.over.message);
}

// --- in handlers ---

// A receive posted by a thread that runs ahead counts from its own time on: until then the message waits.
void Node::arrived(Message& message) {
  const Time now = system_.engine().now();
  message.arrived_at = now;
  if (auto* receive = static_cast<Receive*>(posted_.take(message.key)))
    return receive->take(message, {later_of(now, receive->posted_at), receive->posted_at > now});
  unexpected_.add(message);
}

}  // namespace hindcast::mpl
