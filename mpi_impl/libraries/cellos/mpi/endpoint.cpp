#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "mpi_impl/libraries/cellos/mpi/acknowledgement.hpp"
#include "mpi_impl/libraries/cellos/mpi/domain_stack.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"
#include "mpi_impl/libraries/cellos/mpi/pending.hpp"

namespace hindcast::mpi {

using cellos::Message;

namespace {

Bytes copied_of(const Message& message, const ReceiveOperation& receive) {
  return cellos::Cell::copied_of(message, receive.capacity, receive.skipped());
}

// Its receive is over, or knows where the data will be.
bool is_only_to_be_answered(const Message& message) { return !message.is_notice && message.taken_by == nullptr; }

std::unique_ptr<Contexts> contexts_for(cellos::Cell& cell, const CellosEndpoint::Settings& settings) {
  switch (settings.context_in) {
    case ContextIn::header:
      return std::make_unique<CellosDomainStack>(cell, settings.domain_stack);
    case ContextIn::type:
      return std::make_unique<CellosTypeContexts>(cell, *settings.type_numbers);
    case ContextIn::packed:
    case ContextIn::extra_message:
      break;
  }
  return nullptr;  // a word has room for any
}

}  // namespace

CellosEndpoint::CellosEndpoint(cellos::Cell& cell, const Settings& settings)
    : Endpoint(settings.local),
      cell_(cell),
      node_(cell.system().node(cell.node())),
      owner_(cell.system().engine().new_owner()),
      carrier_(cell, settings.context_in, settings.type_numbers != nullptr ? settings.type_numbers->bits() : 0,
               settings.local.copy.rate),
      settings_(settings),
      contexts_(contexts_for(cell, settings)),
      group_operations_(cell, carrier_, to_do_, settings.small_group) {
  static_assert(sizeof(Pending) <= sizeof(ReceiveOperation::endpoint_room));
  cell_.set_library(*this);
  Thread& thread = cell.rank().main_thread();
  thread.goes_with_stack(&cell_, 3);  // of this
  thread.goes_with_stack(&cell, 2);
  thread.goes_with_stack(&node_);
}

// --- on the rank's threads ---

void CellosEndpoint::send(SendOperation& send) {
  make_progress(*Thread::current());
  send.message = carrier_.upcoming_message();
  Acknowledgement* awaited = is_answered(send) ? await_answer(send) : nullptr;
  if (goes_striding(send)) return send_striding(send, awaited);
  if (goes_by_put(send)) return send_request(send, *awaited);
  cellos::Outgoing outgoing{nullptr,   cell_of(send), carrier_.space(), cellos_key(send.envelope),
                            send.data, send.bytes,    awaited,          Bytes(),
                            0,         true,          must_enter(send)};
  if (awaited == nullptr) outgoing.lent_at = &send.endpoint_state;
  carrier_.send(outgoing);
  if (awaited == nullptr) send.complete(Thread::current()->clock());
}

Acknowledgement* CellosEndpoint::await_answer(SendOperation& send) {
  auto& awaited = Acknowledgement::make(cell_.system(), send);
  send.endpoint_state = &awaited;
  ++to_do_;
  return &awaited;
}

// Whether the list is empty is known only at the thread's time.
void CellosEndpoint::receive(ReceiveOperation& receive) {
  if (!carrier_.kernel_matches(receive.pattern)) [[unlikely]]
    return search_and_receive(receive);
  Thread& thread = *Thread::current();
  if (is_pre_received(receive)) return pre_receive(receive);
  if (!receive.is_blocking) thread.spend(native().probe);
  // One that may have to stay in the list makes its thread's time uncertain from here on, empty as the list may be.
  if (!receive.is_blocking && to_do_ == 0) thread.leave_poll_instant();
  make_progress(thread);
  if (carrier_.where() == ContextIn::type) [[unlikely]]
    thread.settle();  // others are searched for in the queue, as it is at their time
  Message* message = take_from_queue(receive.pattern);
  if (message == nullptr && receive.is_blocking && to_do_ > 0) {
    thread.settle();
    message = take_from_queue(receive.pattern);
    if (message == nullptr) {
      make_progress(thread);
      thread.settle();  // what comes at this instant may still be worked on in this turn, and empty the list
      message = take_from_queue(receive.pattern);
    }
  }
  if (message == nullptr) return expect(receive);
  receive_found(*message, receive);
}

void CellosEndpoint::expect(ReceiveOperation& receive) {
  Thread& thread = *Thread::current();
  auto& pending = *new (receive.endpoint_room) Pending();
  pending.key = cellos_key(receive.pattern);
  pending.taker = this;
  pending.operation = &receive;
  pending.at = thread.clock();
  collective_receives_ += is_of_collective(receive.pattern) ? 1 : 0;
  receive.endpoint_state = &pending;
  const bool is_alone = threads_in_turn_ == nullptr;
  if (is_alone && receive.is_blocking && to_do_ == 0 && carrier_.kernel_matches(receive.pattern)) {
    direct_ = &receive;
  } else {
    pending.order = thread.reserve_act();
    thread.reserve_act();
    thread.reserve_act();
    thread.keep(pending);
    ++to_do_;
  }
  mailbox().expect(pending);
}

void CellosEndpoint::wait(Gate& gate, const Wait& why) {
  Thread& thread = *Thread::current();
  wait(gate, why, [&] { make_progress(thread); });
}

void CellosEndpoint::wait_until(Time time, const Wait& why) {
  Thread& thread = *Thread::current();
  wait_in_turns_until(thread, time, why, deferred_, [&] { make_progress(thread); });
}

void CellosEndpoint::poll(const Wait& why) {
  Thread& thread = *Thread::current();
  thread.spend(native().probe.kind, native().probe.cost, 0, 0, &why);
  make_progress(thread);
  make_room_in_poll(thread, why);
}

void CellosEndpoint::finish(SendOperation&) {}

// Of one that was in dl_arecv: the message is there.
void CellosEndpoint::finish(ReceiveOperation& receive) {
  if (auto* message = static_cast<Message*>(std::exchange(receive.endpoint_state, nullptr)))
    receive_now(*message, receive);
}

void CellosEndpoint::cancel(ReceiveOperation& receive) {
  if (receive.is_known() || receive.endpoint_state == nullptr) return;  // its message is there
  if (is_pre_received(receive)) {
    stop_pre_receive(receive);
  } else {
    auto& pending = *static_cast<Pending*>(receive.endpoint_state);
    collective_receives_ -= is_of_collective(receive.pattern) ? 1 : 0;
    mailbox().forget(pending);
    pending.~Pending();
  }
  --to_do_;
  receive.endpoint_state = nullptr;
  receive.cancelled = true;
  receive.complete(Thread::current()->clock());
}

// The data has been with CellOS since the call, but for what is to be put: on this computer it has stayed where it was.
void CellosEndpoint::release_buffer(SendOperation& send) {
  if (send.endpoint_state == nullptr) return;
  if (goes_striding(send) && !is_answered(send)) return forget_striding_send(send);
  if (!is_answered(send)) return cell_.system().capture_lent(*static_cast<Message*>(send.endpoint_state));
  auto* awaited = static_cast<Acknowledgement*>(std::exchange(send.endpoint_state, nullptr));
  awaited->send = nullptr;
  if (awaited->put) awaited->put->keep_data();
}

void CellosEndpoint::work_on_deferred(Thread& thread) {
  if (thread.may_be_interrupted()) thread.settle();  // the work's end is told when it begins
  thread.leave_poll_instant();
  if (deferred_.empty()) return;
  std::swap(deferred_, worked_on_);
  Time start = thread.start_of_work_in_poll();
  for (const Arrival& arrival : worked_on_) {
    const Time end = start + cost_of(arrival);
    work_on(arrival, start, end);
    start = end;
  }
  worked_on_.clear();
  thread.work_in_poll_until(start);
}

Message* CellosEndpoint::take_from_queue(const Pattern& pattern) {
  Message* message = mailbox().find(cellos_key(pattern));
  if (message == nullptr) return nullptr;
  mailbox().remove(*message);
  if (message->note != nullptr) static_cast<Acknowledgement*>(message->note)->queued = nullptr;
  return message;
}

void CellosEndpoint::receive_found(Message& message, ReceiveOperation& receive) {
  if (message.announces) [[unlikely]]
    return receive_announced(message, receive);
  match(message, receive);
  receive_now(message, receive);
}

void CellosEndpoint::receive_now(Message& message, ReceiveOperation& receive) {
  Thread& thread = *Thread::current();
  carrier_.spend_receive(thread, message, copied_of(message, receive));
  cell_.received_now(thread, message, receive.data, copied_of(message, receive));
  if (message.note != nullptr) answer_now(message);
  data_is_there(message, receive, thread.clock());
  cell_.system().free_message(message);
}

// --- in handlers ---

void CellosEndpoint::take(cellos::Expected& expected, Message& message) {
  auto& pending = static_cast<Pending&>(expected);
  ReceiveOperation& receive = *pending.operation;
  const Time at = pending.at;
  const EventOrder order = pending.order;
  pending.~Pending();
  collective_receives_ -= is_of_collective(receive.pattern) ? 1 : 0;
  receive.endpoint_state = nullptr;
  message.bytes = message.bytes + take_what_told_context();
  if (message.announces) [[unlikely]]
    return take_announced(message, receive, at, order);
  match(message, receive);
  const Time now = cell_.system().engine().now();
  message.taken_by = &receive;
  if (&receive == direct_) {
    direct_ = nullptr;
    if (put_of(message) != nullptr) return first_taken_directly(message);
    receive.endpoint_state = &message;
    return receive.complete(now);
  }
  if (at > now)  // it will have been in the queue when it was asked for
    library_thread().insert_work(at, order, *this, reinterpret_cast<std::uint64_t>(&message));
  else
    arrived({&message, nullptr, carrier_.looks(receive.pattern, nullptr)});
}

// The time of a poll, or of a receive whose message had come before it.
void CellosEndpoint::fire(const Event& event) {
  if ((event.data & at_poll) != 0) {
    library_thread().start_at_poll();
    const Arrival arrival = for_polls_to_come_.front();
    for_polls_to_come_.pop_front();
    return this->arrived(arrival);
  }
  if (event.data <= is_unloaded) return fire_of_room(event.data);
  auto& message = *reinterpret_cast<Message*>(event.data & ~is_received);
  if (message.announces) [[unlikely]]
    return receive_announced_at(message, event);
  const Time end = library_thread().serve_now(event.order, cost_of({&message, nullptr, 0}));
  complete_receive(message, cellos::ServedSteps(library_thread(), event.at, event.order), end, event.order + 1);
}

void CellosEndpoint::fetch(const Event& event, FetchLevel level) const {
  const auto* message = reinterpret_cast<const Message*>(event.data & ~(is_received | at_poll));
  if (event.data <= is_unloaded || message == nullptr) return;
  if (level == 0) {
    fetch_lines(this, 1, 3);
    return fetch_lines(message, 0, 3);
  }
  const auto* receive = static_cast<const ReceiveOperation*>(message->taken_by);
  if (receive == nullptr) return;
  if (level == 1) {
    fetch_lines(receive, 0, 2);
    fetch_lines(&node_, 0, 1);
    for_polls_to_come_.fetch();
  } else {
    fetch_lines(receive->gate(), 0, 1);
    node_.fetch_for_copy(receive->data);
  }
}

bool CellosEndpoint::is_waiting(const cellos::Expected& expected) const {
  return static_cast<const Pending&>(expected).operation == direct_ && library_thread().is_idle();
}

void CellosEndpoint::fetch(const cellos::Expected& expected) const {
  const ReceiveOperation& receive = *static_cast<const Pending&>(expected).operation;
  fetch_lines(receive.gate(), 0, 1);
  fetch_lines(receive.data, 0, 1);
  node_.fetch_for_copy(receive.data);
  for_polls_to_come_.fetch();
}

void CellosEndpoint::queued(Message& message) {
  mailbox().enlarge(message, take_what_told_context());
  if (message.note != nullptr) static_cast<Acknowledgement*>(message.note)->queued = &message;
  while (const auto probe = probes_.take(envelope_of(message)))
    arrived({nullptr, probe->completion, carrier_.looks(probe->pattern, &message)});
  if (cell_.ring().has_waiting()) [[unlikely]]
    room_is_wanted();
}

// In a handler: a message has arrived. What told its context keeps its place in the ring buffer as long as it does, and
// needs none if it has left it before.
Bytes CellosEndpoint::take_what_told_context() {
  if (carrier_.where() != ContextIn::extra_message) [[likely]]
    return {};
  --contexts_told_;
  if (contexts_kept_ == 0) return carrier_.context_message_bytes();
  --contexts_kept_;
  return {};
}

void CellosEndpoint::arrived(const Arrival& arrival) {
  if (library_thread().has_poll_to_come()) {
    for_polls_to_come_.push_back(arrival);
    return library_thread().insert_at_poll(*this, reinterpret_cast<std::uint64_t>(arrival.message) | at_poll);
  }
  const std::optional<Time> start = library_thread().service_start();
  if (!start) return deferred_.push_back(arrival);
  work_on(arrival, *start, library_thread().serve(*start, cost_of(arrival)));
}

// --- either ---

// The data goes to its place; what that costs comes later.
void CellosEndpoint::match(Message& message, ReceiveOperation& receive) {
  receive.message = message.message;
  receive.envelope = envelope_of(message);
  receive.bytes = receive.is_part ? copied_of(message, receive) : length_of(message);
  cellos::Cell::deliver(message, receive.data, receive.capacity, receive.skipped());
}

Time CellosEndpoint::cost_of(const Arrival& arrival) const {
  cellos::CostOfSteps cost;
  carrier_.spend_looks(cost, arrival.looks);
  if (arrival.message == nullptr) return cost.sum();
  const Message& message = *arrival.message;
  if (message.is_notice) {
    cellos::spend_receive(cost, native(), false, Bytes(), 0);
    if (const PutSend* put = put_of(message); put != nullptr && put->has_to_put())
      cellos::spend_put_start(cost, native(), 0);
    return cost.sum();
  }
  if (!is_only_to_be_answered(message))
    carrier_.spend_receive(cost, message, copied_of(message, *static_cast<const ReceiveOperation*>(message.taken_by)));
  if (message.note != nullptr) cellos::spend_send_start(cost, native(), carrier_.space(), 0);
  return cost.sum();
}

void CellosEndpoint::work_on(const Arrival& arrival, Time start, Time end) {
  const EventOrder order = owner_.next(EventKind::act);
  cellos::ServedSteps steps(library_thread(), start);
  if (arrival.message == nullptr) {
    --to_do_;
    carrier_.spend_looks(steps, arrival.looks);
    return arrival.probe->complete(end);
  }
  Message& message = *arrival.message;
  carrier_.spend_looks(steps, arrival.looks, message.message);
  owner_.next(EventKind::act);
  if (!message.is_notice && !is_only_to_be_answered(message)) return complete_receive(message, steps, end, order);
  if (message.is_notice) {
    cellos::spend_receive(steps, native(), message.is_misaligned(native()), Bytes(), message.message);
    cell_.release_at(steps.at(), order, library_thread(), message);
    answered(message, steps, order + 1);
  } else {
    --to_do_;
    answer(message, steps, order + 1);
  }
  cell_.system().free_message(message);
}

void CellosEndpoint::complete_receive(Message& message, cellos::ServedSteps steps, Time end, EventOrder order) {
  auto& receive = *static_cast<ReceiveOperation*>(message.taken_by);
  const Bytes copied = copied_of(message, receive);
  carrier_.spend_receive(steps, message, copied);
  cell_.received_at(steps.at(), order, library_thread(), message, receive.data, copied);
  if (message.note != nullptr) answer(message, steps, order + 1);
  --to_do_;
  data_is_there(message, receive, end);
  cell_.system().free_message(message);
}

// By the end of the call, unless it is to be put there, or is a part.
void CellosEndpoint::data_is_there(const Message& message, ReceiveOperation& receive, Time at) {
  if (message.announces || is_of_parts(message.key.context, message.key.tag)) [[unlikely]]
    return piece_is_there(receive, at);
  PutSend* put = put_of(message);
  if (put == nullptr || !put->accept(receive, cell_.system().engine())) receive.complete(at);
}

}  // namespace hindcast::mpi
