#include "mpi_impl/transport/matching_endpoint.hpp"

#include <algorithm>
#include <utility>

#include "mpi_impl/transport/handler_unit.hpp"
#include "mpi_impl/transport/turns.hpp"

namespace hindcast::mpi {

namespace {

matching::Key key_of(const Envelope& envelope) { return {envelope.context, envelope.source, envelope.tag}; }
matching::Key key_of(const Pattern& pattern) { return {pattern.context, pattern.source, pattern.tag}; }

// Which method the message of a receive came by is kept where the receive stood before it was matched. It is asked for
// only where there are several.
struct Matched {
  const Method* method;
  static Matched& in(ReceiveOperation& receive) {
    return *std::launder(reinterpret_cast<Matched*>(receive.endpoint_room));
  }
};

}  // namespace

MatchingEndpoint::MatchingEndpoint(MessageExchange& exchange, Rank& rank, const Place& place,
                                   const EndpointCosts& costs)
    : Endpoint(costs.local),
      exchange_(exchange),
      rank_number_(rank.id),
      node_(place.node),
      rank_(rank),
      costs_(costs),
      owner_(exchange.engine().new_owner()) {
  exchange.add(*this, place, rank.main_thread());
  if (exchange.has_several_methods()) {
    order_ = std::make_unique<PairOrder>();
    order_of_handled_ = std::make_unique<PairOrder>();
  }
  rank.main_thread().goes_with(this, sizeof(*this) / cache_line);
}

// What came and was never received is nobody's any more.
MatchingEndpoint::~MatchingEndpoint() {
  unexpected_.for_each([&](matching::Item& message) { exchange_.free_message(static_cast<Message&>(message)); });
  for (Message* message : deferred_) exchange_.free_message(*message);
  exchange_.remove(rank_number_);
}

// --- on the rank's threads ---

void MatchingEndpoint::send(SendOperation& send) {
  Thread& thread = *Thread::current();
  send.message = message_id(rank_number_, ++messages_sent_);
  const Method& method = exchange_.method_for(rank_number_, send.destination, send.bytes);
  const bool is_eager = MatchingEndpoint::is_eager(send, method);
  thread.spend(method.costs.send, send.message);
  const Bytes sent_at_once = is_eager ? send.bytes : Bytes(0);
  local().spend_copy(costs_.copy_in, copied_by_sender(send, method, is_eager), send.message);
  make_progress(thread);

  Message& message = exchange_.new_message();
  message.message = send.message;
  message.kind = is_eager ? MessageKind::eager : MessageKind::request;
  message.envelope = send.envelope;
  message.payload_bytes = send.bytes;
  if (is_eager && send.bytes.count() <= Message::short_bytes_max) {
    message.take_short(send.data);
    send.is_captured = true;
  } else {
    message.set_send(&send);
    message.payload = send.data;
  }
  address(message, send.destination, method, method.carried(sent_at_once, is_eager));
  if (is_numbered(method)) message.place = order_->next_to(send.destination);
  send.endpoint_state = &message;
  if (is_eager) send.complete(thread.clock());
  thread.act(exchange_, reinterpret_cast<std::uint64_t>(&message), sent_at_once);
}

// What the sender's processor has to copy before it can be moved. What another processor does not reach is moved by the
// sender's own, to where the receiver's does.
Bytes MatchingEndpoint::copied_by_sender(const SendOperation& send, const Method& method, bool is_eager) {
  if (is_eager) return send.bytes;
  const LibraryBuffers* const buffers = method.costs.buffers;
  const bool is_copied =
      buffers != nullptr && buffers->sender_sets_up && !buffers->leave_in_place(send.data, send.bytes);
  return is_copied ? send.bytes : Bytes();
}

void MatchingEndpoint::receive(ReceiveOperation& receive) {
  Thread& thread = *Thread::current();
  make_progress(thread);
  const EventOrder order = thread.reserve_act();
  auto* message = static_cast<Message*>(unexpected_.find(key_of(receive.pattern)));
  if (message != nullptr) {
    unexpected_.remove(*message);
    return accept(*message, receive, later_of(thread.clock(), message->handled_at), true, order);
  }
  auto& posted = *new (receive.endpoint_room) PostedReceive;
  posted.order = order;
  posted.at = thread.clock();
  thread.keep(posted);
  receive.endpoint_state = &posted;
  posted_.add(posted, key_of(receive.pattern));
}

void MatchingEndpoint::wait(Gate& gate, const Wait& why) {
  Thread& thread = *Thread::current();
  wait_in_turns(thread, gate, why, deferred_, [&] { make_progress(thread); });
}

bool MatchingEndpoint::has_waited(const Gate& gate, bool was_woken) {
  if (exchange_.progress() != Progress::polling) return gate.is_open();
  return has_waited_in_turns(gate, was_woken, deferred_, [&] { work_in_turn(*Thread::current()); });
}

void MatchingEndpoint::wait_until(Time time, const Wait& why) {
  Thread& thread = *Thread::current();
  wait_in_turns_until(thread, time, why, deferred_, [&] { make_progress(thread); });
}

void MatchingEndpoint::poll(const Wait& why) {
  Thread& thread = *Thread::current();
  thread.spend(costs_.poll.kind, costs_.poll.cost, 0, 0, &why);
  make_progress(thread);
}

void MatchingEndpoint::finish(SendOperation&) {}

void MatchingEndpoint::finish(ReceiveOperation& receive) {
  if (receive.cancelled) return;
  const Method& method = method_of(receive);
  Thread::current()->spend(method.costs.receive, receive.message);
  local().spend_copy(costs_.copy_out, receive.left_to_copy(), receive.message);
}

bool MatchingEndpoint::probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) {
  const auto* message = static_cast<Message*>(unexpected_.find(key_of(pattern)));
  if (message != nullptr) {
    envelope = message->envelope;
    bytes = message->payload_bytes;
    return true;
  }
  if (completion != nullptr) probes_.add(pattern, *completion);
  return false;
}

void MatchingEndpoint::forget_probe(Completion& completion) { probes_.forget(completion); }

bool MatchingEndpoint::take(const Pattern& pattern, TakenMessage& taken) {
  auto* message = static_cast<Message*>(unexpected_.find(key_of(pattern)));
  if (message == nullptr) return false;
  unexpected_.remove(*message);
  message->is_unexpected = false;
  taken = TakenMessage{message, message->envelope, message->payload_bytes};
  return true;
}

void MatchingEndpoint::receive(ReceiveOperation& receive, const TakenMessage& taken) {
  Thread& thread = *Thread::current();
  make_progress(thread);
  accept(*static_cast<Message*>(taken.endpoint_state), receive, thread.clock(), true, thread.reserve_act());
}

void MatchingEndpoint::release_buffer(SendOperation& send) {
  if (send.is_captured) return;
  Message* message = exchange_.message_of(send);
  if (message == nullptr) return;
  exchange_.capture(*message);
  message->set_send(nullptr);
  if (message->kind == MessageKind::request || message->kind == MessageKind::clear) ++freed_long_sends_;
}

namespace {

struct FreedSendsWait final : Wait {
  BlockedOn describe() const override {
    return {"MPI_Finalize", "for the receives of long messages whose requests have been freed", {}};
  }
};

}  // namespace

void MatchingEndpoint::wait_for_freed_sends() {
  if (freed_long_sends_ == 0) return;
  Completion none_left;
  Gate gate(*Thread::current());
  gate.add(none_left);
  no_freed_send_left_ = &none_left;
  wait(gate, FreedSendsWait());
}

void MatchingEndpoint::work_in_turn(Thread& thread) {
  thread.leave_poll_instant();
  if (deferred_.empty()) return;
  Time start = thread.start_of_work_in_poll();
  for (Message* message : std::exchange(deferred_, {})) {
    const Time end = start + cost_of_work_on(*message);
    record_work_on(*message, thread, start);
    work_on(*message, start, end);
    start = end;
  }
  thread.work_in_poll_until(start);
}

// --- in handlers ---

void MatchingEndpoint::arrived(Message& message) {
  if (is_for_handler(message.kind) && beside_.handler_unit != nullptr)
    return beside_.handler_unit->work_on(message, handler_work_on(message));
  if (exchange_.progress() == Progress::hardware) {  // without a look at the thread, which may have left the caches
    const Time now = exchange_.engine().now();
    return work_on(message, now, now);
  }
  Thread& attendant = rank_.attendant();
  const std::optional<Time> start = attendant.service_start();
  if (!start) return deferred_.push_back(&message);
  const Time end = attendant.serve(*start, cost_of_work_on(message));
  record_work_on(message, attendant, *start);
  work_on(message, *start, end);
}

// First the receive that it is for, then who waits for that and where the payload goes, then what runs next if this is
// the last that is waited for. A collective goes on with nearly every message.
void MatchingEndpoint::fetch(const Message& message, const Thread& thread, FetchLevel level) const {
  if (level > 3) return;
  if (exchange_.progress() != Progress::hardware && level < 3) thread.fetch_for_arrival(level - 1);
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

Time MatchingEndpoint::cost_of_work_on(const Message& message) const {
  const Time cost = exchange_.method_of(message).costs.service.cost;
  if (!is_for_handler(message.kind)) [[likely]]
    return cost;
  const HandlerWork work = handler_work_on(message);
  return cost + costs_.local.copy.rate.time_for(work.copied.count()) +
         costs_.local.combine_of(work.arithmetic).rate.time_for(work.combined);
}

void MatchingEndpoint::record_work_on(const Message& message, Thread& thread, Time start) const {
  if (!thread.is_recorded()) [[likely]]
    return;
  const FixedStep& service = exchange_.method_of(message).costs.service;
  thread.record_service(service.kind, start, service.cost, message.message);
  if (!is_for_handler(message.kind)) return;
  const HandlerWork work = handler_work_on(message);
  const Time copying = costs_.local.copy.rate.time_for(work.copied.count());
  start += service.cost;
  if (work.copied > Bytes())
    thread.record_service(costs_.copy_out, start, copying, message.message, work.copied.count());
  const RatedStep& combine = costs_.local.combine_of(work.arithmetic);
  if (work.combined > 0)
    thread.record_service(combine.kind, start + copying, combine.rate.time_for(work.combined), message.message,
                          work.combined);
}

void MatchingEndpoint::work_on(Message& message, Time start, Time end) {
  switch (message.kind) {
    case MessageKind::eager:
    case MessageKind::request:
    case MessageKind::cancel:
      if (order_ == nullptr || !is_numbered(exchange_.method_of(message))) return match_or_cancel(message, start, end);
      return match_in_order(message, start, end);
    case MessageKind::clear:
      return send_data(message, end);
    case MessageKind::data:
      message.receive->complete(end);
      return exchange_.free_message(message);
    case MessageKind::cancelled:
    case MessageKind::too_late_to_cancel:
      return answer_cancel(message, end);
    case MessageKind::handled:
      return is_numbered(exchange_.method_of(message)) ? handle_in_order(message, end) : handle(message, end);
    case MessageKind::handled_at_any_time:
      return handle(message, end);
  }
}

// What has waited for this one is matched right after it.
void MatchingEndpoint::match_in_order(Message& message, Time start, Time end) {
  const int sender = message.sender_rank;
  if (!order_->is_next(message)) {
    message.handled_at = end;
    return;
  }
  match_or_cancel(message, start, end);
  while (Message* const next = order_->next_after(sender))
    match_or_cancel(*next, later_of(start, next->handled_at), later_of(end, next->handled_at));
}

void MatchingEndpoint::match(Message& message, Time start, Time end) {
  auto* posted = static_cast<PostedReceive*>(posted_.take(key_of(message.envelope)));
  if (posted == nullptr) {
    message.handled_at = end;
    message.is_unexpected = true;
    message.key = key_of(message.envelope);
    unexpected_.add(message);
    while (const auto probe = probes_.take(message.envelope)) {
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
  if (exchange_.progress() != Progress::hardware) posted->hook.unlink();  // an instant that could be put off
  accept(message, receive, later_of(end, posted_at), was_unexpected, order);
}

void MatchingEndpoint::accept(Message& message, ReceiveOperation& receive, Time at, bool was_unexpected,
                              EventOrder order) {
  receive.envelope = message.envelope;
  receive.bytes = message.payload_bytes;
  receive.message = message.message;
  const Method& method = exchange_.method_of(message);
  const LibraryBuffers* const buffers = method.costs.buffers;
  const bool stays_in_place =
      buffers != nullptr && message.kind != MessageKind::eager && buffers->leave_in_place(receive.data, receive.bytes);
  receive.is_left_to_copy = buffers != nullptr ? !stays_in_place
                                               : message.kind == MessageKind::eager &&
                                                     (was_unexpected || method.costs.leaves_payload_to_processors);
  if (exchange_.has_several_methods()) Matched::in(receive).method = &method;
  receive.endpoint_state = nullptr;
  message.is_unexpected = false;
  if (message.kind == MessageKind::eager) {
    exchange_.deliver(message, receive);
    receive.complete(at);
    return exchange_.free_message(message);
  }
  message.receive = &receive;
  message.kind = MessageKind::clear;
  address(message, message.sender_rank, method, method.costs.header);
  const EventOrder order_of_clear = order != 0 ? order : owner_.next(EventKind::act);
  start(message, at, order_of_clear, stays_in_place ? exchange_.set_up() : exchange_);
}

void MatchingEndpoint::send_data(Message& message, Time at) {
  const bool is_freed = message.send() == nullptr;
  if (is_freed && --freed_long_sends_ == 0 && no_freed_send_left_ != nullptr)
    std::exchange(no_freed_send_left_, nullptr)->complete(at);
  const Method& method = exchange_.method_of(message);
  message.kind = MessageKind::data;
  address(message, message.sender_rank, method, method.carried(message.payload_bytes, false));
  const LibraryBuffers* const buffers = method.costs.buffers;
  const bool has_set_up =
      buffers != nullptr && buffers->sender_sets_up && buffers->leave_in_place(message.payload, message.payload_bytes);
  start(message, at, owner_.next(EventKind::act), has_set_up ? exchange_.set_up() : exchange_);
}

// ---

void MatchingEndpoint::start(Message& message, Time at, EventOrder order, EventSink& first) {
  Thread* const thread = Thread::current();
  if (thread == nullptr && at <= exchange_.engine().now() && &first == &exchange_) return exchange_.submit(message);
  (thread != nullptr ? *thread : rank_.attendant())
      .insert_act(at, order, first, reinterpret_cast<std::uint64_t>(&message));
}

void MatchingEndpoint::address(Message& message, int to_rank, const Method& method, Bytes carried) {
  message.sink = &exchange_.sink_of(message.kind, method);
  message.sender_rank = rank_number_;
  message.receiver_rank = to_rank;
  message.from = node_;
  message.to = exchange_.peer(to_rank).place.node;
  message.bytes = carried;
  message.pace = method.costs.pace;
}

const Method& MatchingEndpoint::method_of(ReceiveOperation& receive) const {
  return exchange_.has_several_methods() ? *Matched::in(receive).method : exchange_.only_method();
}

}  // namespace hindcast::mpi
