#include "mpi_impl/libraries/nx/native/node.hpp"

#include <cstring>

namespace hindcast::nx {

namespace {

class GsyncWait final : public Wait {
 public:
  explicit GsyncWait(int from) : from_(from) {}
  BlockedOn describe() const override { return {"gsync", "until all nodes have called it", {from_}}; }

 private:
  int from_;
};

}  // namespace

void BufferReceive::take(const Message& message, const Match& match) {
  key = message.key;
  bytes = message.payload_bytes;
  const Bytes received = std::min(bytes, room_);
  if (received > Bytes()) std::memcpy(data_, message.payload, received.count());
  left_to_copy = match.was_waiting ? received : Bytes();
  over.message = message.message;
  over.complete(match.at);
}

Node::Node(System& system, Rank& rank, int place)
    : system_(system), rank_(rank), place_(place), owner_(system.engine().new_owner()) {
  attach(rank, *this);
  system.add(*this);
}

// What nobody has received is lost.
Node::~Node() {
  std::vector<Message*> left;
  unexpected_.for_each([&](matching::Item& item) { left.push_back(static_cast<Message*>(&item)); });
  for (Message* message : left) system_.free_message(*message);
  system_.remove(number());
  detach(rank_, *this);
}

// --- on the rank's threads ---

Message& Node::send(const Outgoing& outgoing) {
  Thread& thread = *Thread::current();
  Message& message = system_.new_message(MessageKind::data);
  message.message = message_id(rank_.id, ++messages_sent_);
  message.key = outgoing.key;
  message.payload = outgoing.data;
  message.payload_bytes = outgoing.bytes;
  message.sent = outgoing.sent;
  message.acknowledged = outgoing.acknowledged;
  message.wants_acknowledgement = outgoing.acknowledged != nullptr;
  ++open_sends_;
  address(message, outgoing.to, outgoing.bytes);
  thread.spend(costs().send, message.message);
  thread.act(system_, reinterpret_cast<std::uint64_t>(&message));
  return message;
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
  thread.spend(costs().receive);
  receive.posted_at = thread.clock();
  receive.order = thread.reserve_act();
  Message* message = find(pattern);
  if (message == nullptr) return posted_.add(receive, pattern);
  set_aside(*message);
  hand_over(*message, receive, {later_of(thread.clock(), message->arrived_at), true}, receive.order);
}

void Node::set_aside(Message& message) {
  unexpected_.remove(message);
  message.is_waiting = false;
}

void Node::receive_set_aside(Message& message, Receive& receive) {
  Thread& thread = *Thread::current();
  thread.spend(costs().receive);
  hand_over(message, receive, {thread.clock(), true}, thread.reserve_act());
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

void Node::copy_out(Bytes bytes, MessageId message) {
  if (bytes > Bytes()) Thread::current()->spend(costs().copy_out, bytes.count(), message);
}

// In each round a node hears of twice as many others as in the one before.
void Node::gsync() {
  const int nodes = system_.nodes();
  int round = 0;
  for (int distance = 1; distance < nodes; distance *= 2, ++round) {
    const int to = (number() + distance) % nodes, from = (number() - distance + nodes) % nodes;
    send({to, {context_of_gsync, number(), round}});
    BufferReceive receive(nullptr, Bytes());
    post(receive, {context_of_gsync, from, round});
    wait_for(receive.over, GsyncWait(from));
  }
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

// A receive posted by a thread that runs ahead counts from its own time on: until then the message waits.
void Node::match(Message& message) {
  const Time now = system_.engine().now();
  message.arrived_at = now;
  auto* receive = static_cast<Receive*>(posted_.take(message.key));
  if (receive != nullptr) {
    const bool was_waiting = receive->posted_at > now;
    const EventOrder order = was_waiting ? receive->order : owner_.next(EventKind::act);
    return hand_over(message, *receive, {later_of(now, receive->posted_at), was_waiting}, order);
  }
  message.is_waiting = true;
  unexpected_.add(message);
  if (library_ != nullptr) library_->came_before_its_receive(message);
  for (Thread* thread : probing_) thread->wake(message.message);
}

// A message that is to be acknowledged has an end of its own at its sender, which the answer stands for.
void Node::answer_recall(Message& recall) {
  Message& wanted = *recall.wanted;
  const bool is_in_time = wanted.message == recall.message && wanted.is_waiting;
  if (is_in_time) {
    if (wanted.wants_acknowledgement) recall.wants_acknowledgement = true;
    set_aside(wanted);
    system_.free_message(wanted);
  }
  recall.kind = is_in_time ? MessageKind::recalled : MessageKind::too_late;
  address(recall, recall.sender, Bytes());
  system_.submit(recall);
}

void Node::recall_answered(Message& recall) {
  send_has_ended();
  if (recall.wants_acknowledgement) send_has_ended();
  library_->recall_answered(recall.note, recall.kind == MessageKind::recalled);
  system_.free_message(recall);
}

// --- either ---

void Node::hand_over(Message& message, Receive& receive, const Match& match, EventOrder order) {
  receive.take(message, match);
  if (!message.wants_acknowledgement) return system_.free_message(message);
  message.kind = MessageKind::acknowledgement;
  address(message, message.sender, Bytes());
  start(message, match.at, order);
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

}  // namespace hindcast::nx
