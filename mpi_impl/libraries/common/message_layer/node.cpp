#include "mpi_impl/libraries/common/message_layer/node.hpp"

#include <algorithm>

#include "mpi_impl/libraries/common/waiting.hpp"

namespace hindcast::layer {

Node::Node(System& system, Rank& rank, int place)
    : system_(system), rank_(rank), place_(place), owner_(system.engine().new_owner()) {
  system.add(*this);
}

Node::~Node() {
  lose_what_has_come();
  system_.remove(number());
}

void Node::lose_what_has_come() {
  std::vector<Message*> left;
  unexpected_.for_each([&](matching::Item& item) { left.push_back(static_cast<Message*>(&item)); });
  for (Message* message : left) {
    set_aside(*message);
    system_.lose_message(*message);
  }
}

// --- on the rank's threads ---

Message& Node::send(const Outgoing& outgoing) {
  Thread& thread = *Thread::current();
  Message& message = system_.new_message(MessageKind::data);
  message.message = outgoing.number != 0 ? outgoing.number : take_number();
  message.key = outgoing.key;
  message.payload = outgoing.data;
  message.payload_bytes = outgoing.bytes;
  message.sent = outgoing.sent;
  message.acknowledged = outgoing.acknowledged;
  message.wants_acknowledgement = outgoing.acknowledged != nullptr;
  ++open_sends_;
  address(message, outgoing.to, outgoing.bytes);
  message.room = system_.room_at(message.to);
  thread.spend(outgoing.call != nullptr ? *outgoing.call : costs().send, message.message);
  thread.act(system_, reinterpret_cast<std::uint64_t>(&message));
  return message;
}

void Node::send_and_wait(Outgoing outgoing, const Wait& why) {
  Completion sent;
  outgoing.sent = &sent;
  send(outgoing);
  wait_for(sent, why);
}

void Node::forget(Message& message) {
  if (message.kind == MessageKind::data) system_.capture(message);
  message.sent = nullptr;
  message.acknowledged = nullptr;
}

void Node::recall(Message& message, void* note) {
  forget(message);
  Message& recall = system_.new_message(MessageKind::recall);
  recall.message = message.message;
  recall.key = message.key;
  recall.wanted = &message;
  recall.note = note;
  ++open_sends_;
  address(recall, message.receiver, Bytes());
  Thread& thread = *Thread::current();
  thread.spend(costs().send, recall.message);
  thread.act(system_, reinterpret_cast<std::uint64_t>(&recall));
}

void Node::post(Receive& receive, const matching::Key& pattern) {
  Thread& thread = *Thread::current();
  if (costs().post) thread.spend(*costs().post);
  receive.posted_at = thread.clock();
  receive.order = thread.reserve_act();
  Message* message = find(pattern);
  if (message == nullptr) return posted_.add(receive, pattern);
  set_aside(*message);
  hand_over(*message, receive, later_of(thread.clock(), message->arrived_at), true, receive.order);
}

void Node::set_aside(Message& message) {
  unexpected_.remove(message);
  message.is_waiting = false;
}

void Node::receive_set_aside(Message& message, Receive& receive) {
  Thread& thread = *Thread::current();
  if (costs().post) thread.spend(*costs().post);
  hand_over(message, receive, thread.clock(), true, thread.reserve_act());
}

void Node::end_receive(const FixedStep* call, Bytes left_to_copy, Bytes /*sent*/, MessageId message) {
  Thread& thread = *Thread::current();
  if (call == nullptr && costs().receive) call = &*costs().receive;
  if (call != nullptr) thread.spend(*call, message);
  if (left_to_copy > Bytes()) thread.spend(costs().copy_out, left_to_copy.count(), message);
}

Message& Node::wait_for_message(const matching::Key& pattern, const Wait& why) {
  Thread& thread = *Thread::current();
  Message* message = find(pattern);
  if (message != nullptr) return *message;
  probing_.push_back(&thread);
  while ((message = find(pattern)) == nullptr) thread.wait(why);
  std::erase(probing_, &thread);
  return *message;
}

// --- in handlers ---

void Node::arrived(Message& message) {
  switch (message.kind) {
    case MessageKind::data:
      return match(message);
    case MessageKind::acknowledgement:
      send_has_ended();
      if (message.acknowledged != nullptr) message.acknowledged->complete(system_.engine().now());
      return system_.free_message(message);
    case MessageKind::recall:
      return answer_recall(message);
    case MessageKind::recalled:
    case MessageKind::too_late:
      return recall_answered(message);
  }
}

void Node::room_is_short() {
  for (const Told& told : told_) told.library->room_is_short();
}

// A receive posted by a thread that runs ahead counts from its own time on: until then the message waits.
void Node::match(Message& message) {
  const Time now = system_.engine().now();
  message.arrived_at = now;
  auto* receive = static_cast<Receive*>(posted_.take(message.key));
  if (receive != nullptr) {
    const bool was_waiting = receive->posted_at > now;
    const EventOrder order = was_waiting ? receive->order : owner_.next(EventKind::act);
    return hand_over(message, *receive, later_of(now, receive->posted_at), was_waiting, order);
  }
  message.is_waiting = true;
  unexpected_.add(message);
  if (LibraryAbove* library = library_of(message.key.context)) library->came_before_its_receive(message);
  for (Thread* thread : probing_) thread->wake(message.message);
}

LibraryAbove* Node::library_of(std::uint32_t context) const {
  const auto found =
      std::find_if(told_.begin(), told_.end(), [&](const Told& told) { return told.context == context; });
  return found != told_.end() ? found->library : told_of_others_;
}

// A message that is to be acknowledged has an end of its own at its sender, which the answer stands for.
void Node::answer_recall(Message& recall) {
  Message& wanted = *recall.wanted;
  const bool is_in_time = wanted.message == recall.message && wanted.is_waiting;
  if (is_in_time) {
    if (wanted.wants_acknowledgement) recall.wants_acknowledgement = true;
    set_aside(wanted);
    system_.lose_message(wanted);
  }
  recall.kind = is_in_time ? MessageKind::recalled : MessageKind::too_late;
  address(recall, recall.sender, Bytes());
  system_.submit(recall);
}

void Node::recall_answered(Message& recall) {
  send_has_ended();
  if (recall.wants_acknowledgement) send_has_ended();
  if (LibraryAbove* library = library_of(recall.key.context))
    library->recall_answered(recall.note, recall.kind == MessageKind::recalled);
  system_.free_message(recall);
}

// --- either ---

void Node::hand_over(Message& message, Receive& receive, Time at, bool was_waiting, EventOrder order) {
  receive.take(message, {at, was_waiting || costs().all_go_to_buffer});
  if (!message.wants_acknowledgement) return system_.free_message(message);
  message.kind = MessageKind::acknowledgement;
  message.room = nullptr;
  address(message, message.sender, Bytes());
  start(message, at, order);
}

void Node::address(Message& message, int to, Bytes payload) {
  message.sender = number();
  message.receiver = to;
  message.from = place_;
  message.to = system_.place_of(to);
  message.bytes = costs().header + payload;
}

void Node::start(Message& message, Time at, EventOrder order) {
  Thread* const thread = Thread::current();
  if (thread == nullptr && at <= system_.engine().now()) return system_.submit(message);
  (thread != nullptr ? *thread : rank_.attendant())
      .insert_act(at, order, system_, reinterpret_cast<std::uint64_t>(&message));
}

}  // namespace hindcast::layer
