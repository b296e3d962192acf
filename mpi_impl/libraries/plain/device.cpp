#include "mpi_impl/libraries/plain/device.hpp"

#include <algorithm>
#include <utility>

#include "mpi_impl/libraries/common/turns.hpp"

namespace hindcast::mpi {

namespace {

matching::Key key_of(const Envelope& envelope) { return {envelope.context, envelope.source, envelope.tag}; }
matching::Key key_of(const Pattern& pattern) { return {pattern.context, pattern.source, pattern.tag}; }

const StepKind copy_in{"copy to the system buffer", "processor.copy_bandwidth"};
const StepKind copy_out{"copy from the system buffer", "processor.copy_bandwidth"};
const StepKind look{"poll", "processor.poll"};

}  // namespace

PlainDevice::PlainDevice(PlainMachine& machine, Rank& rank, int node)
    : machine_(machine), rank_number_(rank.id), node_(node), rank_(rank), owner_(machine.engine().new_owner()) {
  machine.add(*this, node, rank.main_thread());
  rank.main_thread().goes_with(this, sizeof(*this) / cache_line);
}

// --- on the rank's threads ---

void PlainDevice::send(SendOperation& send) {
  Thread& thread = *Thread::current();
  send.message = message_id(rank_number_, ++messages_sent_);
  thread.spend(costs().send, send.message);
  const Bytes sent_at_once = is_eager(send) ? send.bytes : Bytes(0);
  costs().local.spend_copy(copy_in, sent_at_once, send.message);
  make_progress(thread);

  Message& message = machine_.new_message();
  message.message = send.message;
  message.kind = is_eager(send) ? MessageKind::eager : MessageKind::request;
  message.envelope = send.envelope;
  message.payload_bytes = send.bytes;
  if (is_short(send)) {
    message.take_short(send.data);
    send.is_captured = true;
  } else {
    message.set_send(&send);
    message.payload = send.data;
  }
  address(message, send.destination, sent_at_once);
  send.device_state = &message;
  if (is_eager(send)) send.complete(thread.clock());
  thread.act(machine_, reinterpret_cast<std::uint64_t>(&message), sent_at_once);
}

void PlainDevice::receive(ReceiveOperation& receive) {
  Thread& thread = *Thread::current();
  make_progress(thread);
  const EventOrder order = thread.reserve_act();
  auto* message = static_cast<Message*>(unexpected_.find(key_of(receive.pattern)));
  if (message != nullptr) {
    unexpected_.remove(*message);
    return accept(*message, receive, later_of(thread.clock(), message->handled_at), true, order);
  }
  auto& posted = *new (receive.device_room) PostedReceive;
  posted.order = order;
  posted.at = thread.clock();
  thread.keep(posted);
  receive.device_state = &posted;
  posted_.add(posted, key_of(receive.pattern));
}

void PlainDevice::wait(Gate& gate, const Wait& why) {
  Thread& thread = *Thread::current();
  wait_in_turns(thread, gate, why, deferred_, [&] { make_progress(thread); });
}

void PlainDevice::wait_until(Time time, const Wait& why) {
  Thread& thread = *Thread::current();
  wait_in_turns_until(thread, time, why, deferred_, [&] { make_progress(thread); });
}

void PlainDevice::poll(const Wait& why) {
  Thread& thread = *Thread::current();
  thread.spend(look, costs().poll, 0, 0, &why);
  make_progress(thread);
}

void PlainDevice::finish(SendOperation&) {}

void PlainDevice::finish(ReceiveOperation& receive) {
  if (receive.cancelled) return;
  Thread::current()->spend(costs().receive, receive.message);
  costs().local.spend_copy(copy_out, receive.left_to_copy(), receive.message);
}

bool PlainDevice::probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) {
  const auto* message = static_cast<Message*>(unexpected_.find(key_of(pattern)));
  if (message != nullptr) {
    envelope = message->envelope;
    bytes = message->payload_bytes;
    return true;
  }
  if (completion != nullptr) probes_.add(pattern, *completion);
  return false;
}

void PlainDevice::forget_probe(Completion& completion) { probes_.forget(completion); }

bool PlainDevice::take(const Pattern& pattern, TakenMessage& taken) {
  auto* message = static_cast<Message*>(unexpected_.find(key_of(pattern)));
  if (message == nullptr) return false;
  unexpected_.remove(*message);
  message->is_unexpected = false;
  taken = TakenMessage{message, message->envelope, message->payload_bytes};
  return true;
}

void PlainDevice::receive(ReceiveOperation& receive, const TakenMessage& taken) {
  Thread& thread = *Thread::current();
  make_progress(thread);
  accept(*static_cast<Message*>(taken.device_state), receive, thread.clock(), true, thread.reserve_act());
}

void PlainDevice::cancel(ReceiveOperation& receive) {
  if (receive.is_known() || receive.device_state == nullptr) return;  // matched
  PostedReceive& posted = PostedReceive::in(receive);
  posted_.remove(posted);
  posted.hook.unlink();
  receive.device_state = nullptr;
  receive.cancelled = true;
  receive.complete(Thread::current()->clock());
}

// The receiver is asked: it has the message, or its request, as long as it is not matched. Whether to ask is decided by
// what the sender knows when the call begins. What comes to be known while the question is made ready has not happened
// yet for a thread that runs ahead, and must not matter to one that does not; and what the receiver has done with the
// message may lie ahead of the clock.
void PlainDevice::cancel(SendOperation& send) {
  const Message* message = machine_.message_of(send);
  const bool is_on_its_way = message != nullptr && message->kind == MessageKind::data;
  if (send.device_state == nullptr || is_on_its_way) return;
  send.reset();
  send.cancel_in_progress = true;
  Thread& thread = *Thread::current();
  thread.spend(costs().send, send.message);
  make_progress(thread);
  Message& question = machine_.new_message();
  question.kind = MessageKind::cancel;
  question.payload = &send;
  question.message = send.message;
  address(question, send.destination, Bytes(0));
  thread.act(machine_, reinterpret_cast<std::uint64_t>(&question));
}

void PlainDevice::release_buffer(SendOperation& send) {
  if (send.is_captured) return;
  Message* message = machine_.message_of(send);
  if (message == nullptr) return;
  machine_.capture(*message);
  message->set_send(nullptr);
}

// Where the library polls, whatever arrived since its last turn is worked on now.
void PlainDevice::make_progress(Thread& thread) {
  if (costs().progress != Progress::polling) return;
  thread.leave_poll_instant();
  if (deferred_.empty()) return;
  Time start = thread.clock();
  for (Message* message : std::exchange(deferred_, {})) {
    const Time end = start + costs().service.cost;
    thread.record_service(costs().service.kind, start, costs().service.cost, message->message);
    work_on(*message, start, end);
    start = end;
  }
  thread.work_in_poll(start - thread.clock());
}

// --- in handlers ---

void PlainDevice::arrived(Message& message) {
  if (costs().progress == Progress::hardware) {  // without a look at the thread, which may have left the caches
    const Time now = machine_.engine().now();
    return work_on(message, now, now);
  }
  const std::optional<Time> start = library_thread().service_start();
  if (!start) return deferred_.push_back(&message);
  const Time end = library_thread().serve(*start, costs().service.cost);
  library_thread().record_service(costs().service.kind, *start, costs().service.cost, message.message);
  work_on(message, *start, end);
}

// First the receive that it is for, then who waits for that and where the payload goes, then what runs next if this is
// the last that is waited for. A collective goes on with nearly every message.
void PlainDevice::fetch(const Message& message, const Thread& thread, FetchLevel level) const {
  auto* posted = static_cast<PostedReceive*>(posted_.find(key_of(message.envelope)));
  if (posted == nullptr) return;
  const ReceiveOperation& receive = posted->operation();
  if (level == 1) {
    fetch_lines(&receive, 0, 2);
    if (thread.has_continuation()) thread.fetch_what_it_needs(0);
  } else if (level == 2) {
    fetch_lines(receive.gate(), 0, 1);
    fetch_payload(receive.data, message.bytes);
    if (thread.has_continuation()) thread.fetch_what_it_needs(1);
  } else if (receive.gate() != nullptr && receive.gate()->pending == 1 && !thread.has_continuation()) {
    thread.fetch_what_it_needs(0);
  }
}

// --- either ---

void PlainDevice::work_on(Message& message, Time start, Time end) {
  switch (message.kind) {
    case MessageKind::eager:
    case MessageKind::request:
      return match(message, start, end);
    case MessageKind::clear:
      return send_data(message, end);
    case MessageKind::data:
      message.receive->complete(end);
      return machine_.free_message(message);
    case MessageKind::cancel:
      return try_to_cancel(message, end);
    case MessageKind::cancelled:
    case MessageKind::too_late_to_cancel:
      return answer_cancel(message, end);
  }
}

void PlainDevice::match(Message& message, Time start, Time end) {
  auto* posted = static_cast<PostedReceive*>(posted_.take(key_of(message.envelope)));
  if (posted == nullptr) {
    message.handled_at = end;
    message.is_unexpected = true;
    message.key = key_of(message.envelope);
    unexpected_.add(message);
    if (const auto probe = probes_.take(message.envelope)) {
      probe->completion->message = message.message;
      probe->completion->complete(end);
    }
    return;
  }
  // A receive posted by a thread that runs ahead counts from its own time on.
  ReceiveOperation& receive = posted->operation();
  const Time posted_at = posted->at;
  const bool was_unexpected = posted_at > start;
  const EventOrder order = was_unexpected ? posted->order : 0;
  if (costs().progress != Progress::hardware) posted->hook.unlink();  // an instant that could be put off
  accept(message, receive, later_of(end, posted_at), was_unexpected, order);
}

void PlainDevice::accept(Message& message, ReceiveOperation& receive, Time at, bool was_unexpected, EventOrder order) {
  receive.envelope = message.envelope;
  receive.bytes = message.payload_bytes;
  receive.message = message.message;
  receive.is_left_to_copy = was_unexpected && message.kind == MessageKind::eager;
  receive.device_state = nullptr;
  message.is_unexpected = false;
  if (message.kind == MessageKind::eager) {
    machine_.deliver(message, receive);
    receive.complete(at);
    return machine_.free_message(message);
  }
  message.receive = &receive;
  message.kind = MessageKind::clear;
  address(message, message.sender_rank, Bytes(0));
  start(message, at, order != 0 ? order : owner_.next(EventKind::act));
}

void PlainDevice::send_data(Message& message, Time at) {
  message.kind = MessageKind::data;
  address(message, message.sender_rank, message.payload_bytes);
  start_reply(message, at);
}

void PlainDevice::try_to_cancel(Message& question, Time at) {
  auto* send = static_cast<SendOperation*>(const_cast<void*>(question.payload));
  Message* message = machine_.message_of(*send);
  const bool in_time = message != nullptr && message->is_unexpected;
  if (in_time) {
    unexpected_.remove(*message);
    machine_.free_message(*message);
  }
  question.kind = in_time ? MessageKind::cancelled : MessageKind::too_late_to_cancel;
  address(question, question.sender_rank, Bytes(0));
  start_reply(question, at);
}

// If it was too late for a long one, that ends as others do: when its data has gone.
void PlainDevice::answer_cancel(Message& answer, Time at) {
  auto& send = *static_cast<SendOperation*>(const_cast<void*>(answer.payload));
  send.cancelled = answer.kind == MessageKind::cancelled;
  send.cancel_in_progress = false;
  const Message* message = machine_.message_of(send);  // may be the answer, which has the same number
  const bool has_data_left = message != nullptr && message != &answer && message->kind != MessageKind::eager;
  if (send.cancelled || !has_data_left) send.complete(at);
  machine_.free_message(answer);
}

void PlainDevice::start_reply(Message& message, Time at) { start(message, at, owner_.next(EventKind::act)); }

void PlainDevice::start(Message& message, Time at, EventOrder order) {
  const bool in_handler = Thread::current() == nullptr;
  if (in_handler && at <= machine_.engine().now()) return machine_.submit(message);
  library_thread().insert_act(at, order, machine_, reinterpret_cast<std::uint64_t>(&message));
}

void PlainDevice::address(Message& message, int to_rank, Bytes payload) {
  const PlainPeer& to = machine_.peer(to_rank);
  message.sink = &machine_.sink_of(message.kind);
  message.sender_rank = rank_number_;
  message.receiver_rank = to_rank;
  message.from = node_;
  message.to = to.node;
  message.bytes = costs().header + payload;
}

}  // namespace hindcast::mpi
