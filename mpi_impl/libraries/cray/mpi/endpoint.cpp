#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "simulator/engine/memory/short_copy.hpp"

namespace hindcast::mpi {

namespace {

const StepKind copy_out{"copy from the library's buffer", "processor.copy_bandwidth"};

// How the deadlock report names the steps of ours that may wait.
constexpr const char* getting = "MPI's get";
constexpr const char* putting = "MPI's put";

}  // namespace

// It stands in the operation itself.
struct T3eEndpoint::PostedReceive : matching::Item {
  ReceiveOperation* operation = nullptr;
};

T3eEndpoint::T3eEndpoint(T3eShared& shared, shmem::Pe& pe, Bytes buffer_max, const MakeQueue& make_queue)
    : Endpoint(shared.local_with(pe.memory_port())),
      shared_(shared),
      queue_(*make_queue(*this)),
      pe_(pe),
      buffer_max_(buffer_max),
      buffer_free_(buffer_max.count()),
      group_operations_(pe, shared.settings().barrier_call) {
  static_assert(sizeof(PostedReceive) <= sizeof(ReceiveOperation::endpoint_room));
  pe.rank().main_thread().goes_with(this, lines_of_every_message);
  pe.rank().main_thread().goes_with(&pe);
}

// --- sends ---

void T3eEndpoint::send(SendOperation& send) {
  T3eMessage& first = new_first(send);
  if (may_be_in_backlog(send, first)) return add_to_backlog(send, &first);
  thread().work_off_backlog();
  carry_out(begin(send, first));
}

Errand T3eEndpoint::begin(SendOperation& send, T3eMessage& first) {
  send.message = pe_.next_message();
  first.message = send.message;
  thread().spend(settings().send_call, send.message);
  return first.protocol->send(*this, first, send);
}

const T3eProtocol& T3eEndpoint::protocol_for(const SendOperation& send) const {
  if (send.bytes <= settings().short_max) return *settings().shortest;
  if (send.mode == SendMode::synchronous && send.bytes >= settings().synchronous_min) return *settings().synchronous;
  if (send.bytes <= settings().medium_max) return *settings().medium;
  return *settings().longer;
}

int T3eEndpoint::slots_for(Bytes bytes) const {
  const std::uint64_t each = settings().slot_data.count();
  return static_cast<int>((bytes.count() + each - 1) / each);
}

T3eMessage& T3eEndpoint::new_message(T3ePurpose purpose, MessageId about) {
  auto& message = shared_.make<T3eMessage>();
  message.purpose = purpose;
  message.message = about;
  return message;
}

T3eMessage& T3eEndpoint::new_first(const SendOperation& send) {
  T3eMessage& message = new_message(T3ePurpose::first, 0);
  message.key = t3e_key(send.envelope);
  message.protocol = &protocol_for(send);
  message.bytes = send.bytes;
  message.protocol->pack(*this, message, send);
  return message;
}

// What is to be put while another message cannot be put yet comes after that.
Errand T3eEndpoint::put(T3eMessage& message, int to_rank) {
  thread().spend(settings().message, message.message);
  if (is_putting_) {
    outbox_.push_back({&message, to_rank});
    return {};
  }
  is_putting_ = true;
  Errand put = queue_.put(message, to_rank);
  if (!put.is_over() || !outbox_.empty()) return put_all(std::move(put));
  is_putting_ = false;
  return {};
}

Errand T3eEndpoint::put_all(Errand first) {
  co_await first;
  while (!outbox_.empty()) {
    const Outbound next = outbox_.front();
    outbox_.pop_front();
    co_await queue_.put(*next.message, next.to_rank);
  }
  is_putting_ = false;
}

Errand T3eEndpoint::answer(T3eMessage& first, ReceiveOperation* receive) {
  T3eMessage& answer = new_message(T3ePurpose::answer, first.message);
  answer.outgoing = first.outgoing;
  answer.receive = receive;
  free(first);
  return put(answer, answer.outgoing->source);
}

Errand T3eEndpoint::answer_and_complete(T3eMessage& first, ReceiveOperation& receive) {
  Errand answered = answer(first, nullptr);
  if (!answered.is_over()) return complete_after(std::move(answered), receive);
  receive.complete(thread().clock());
  return {};
}

Errand T3eEndpoint::complete_after(Errand work, ReceiveOperation& receive) {
  co_await work;
  receive.complete(thread().clock());
}

Errand T3eEndpoint::tell_last(const T3eOutgoing& outgoing, ReceiveOperation& receive) {
  T3eMessage& last = new_message(T3ePurpose::last, outgoing.message);
  last.receive = &receive;
  return put(last, outgoing.destination);
}

// --- receives ---

void T3eEndpoint::receive(ReceiveOperation& receive) {
  if (thread().has_backlog()) return add_to_backlog(receive, nullptr);
  carry_out(post(receive));
}

Errand T3eEndpoint::post(ReceiveOperation& receive) {
  if (auto* message = static_cast<T3eMessage*>(unexpected_.find(t3e_key(receive.pattern)))) {
    unexpected_.remove(*message);
    spend_search(unexpected_in_order_.remove(message->turn), message->message);
    return match(*message, receive, true);
  }
  auto& posted = *new (receive.endpoint_room) PostedReceive();
  posted.operation = &receive;
  receive.endpoint_state = &posted;
  posted_.add(posted, t3e_key(receive.pattern));
  spend_search(unexpected_.size(), 0);
  return {};
}

// Last in what a thread does with a list, or with what it has taken out: another of the rank's may come meanwhile.
void T3eEndpoint::spend_search(std::uint64_t passed, MessageId message) {
  const FixedStep& search = settings().search;
  if (passed > 0) thread().spend(search.kind, search.cost * static_cast<std::int64_t>(passed), message, passed);
}

// All messages that wait, if none was found.
std::uint64_t T3eEndpoint::passed_before(const T3eMessage* found) const {
  return found != nullptr ? unexpected_in_order_.before(found->turn) : unexpected_in_order_.size();
}

void T3eEndpoint::receive(ReceiveOperation& receive, const TakenMessage& taken) {
  carry_out(match(*static_cast<T3eMessage*>(taken.endpoint_state), receive, true));
}

Errand T3eEndpoint::match(T3eMessage& first, ReceiveOperation& receive, bool was_unexpected) {
  receive.envelope = envelope_of(first);
  receive.bytes = first.bytes;
  receive.message = first.message;
  receive.is_left_to_copy = false;
  receive.endpoint_state = nullptr;
  if (first.outgoing != nullptr) first.outgoing->is_matched = true;
  return first.protocol->receive(*this, first, receive, was_unexpected);
}

Errand T3eEndpoint::free_after(Errand work, T3eMessage& message) {
  if (!work.is_over()) return free_after_wait(std::move(work), message);
  shared_.free_message(message);
  return {};
}

Errand T3eEndpoint::free_after_wait(Errand work, T3eMessage& message) {
  co_await work;
  shared_.free_message(message);
}

void T3eEndpoint::deliver(const T3eMessage& message, ReceiveOperation& receive) {
  copy_short(receive.data, message.data(), std::min(message.bytes, receive.capacity).count());
}

shmem::PeAnswer T3eEndpoint::new_answer_to_get(const T3eOutgoing& outgoing) {
  pe_.work_for(outgoing.message);
  return {getting, outgoing.source, pe_.next_message()};
}

// The data of a send stays as it is until the receiver has answered: where it lies, or where it is copied to meanwhile.
void T3eEndpoint::begin_get(shmem::PeAnswer& answer, T3eOutgoing& outgoing, ReceiveOperation& receive) {
  outgoing.got_by = &answer;
  pe_.begin_get_of_what_stays(answer, receive.data, outgoing.data, std::min(outgoing.bytes, receive.capacity));
}

void T3eEndpoint::end_get(T3eOutgoing& outgoing) {
  pe_.work_for(0);
  outgoing.got_by = nullptr;
}

Errand T3eEndpoint::put_data(const T3eOutgoing& outgoing, ReceiveOperation& receive) {
  const Bytes bytes = std::min(outgoing.bytes, receive.capacity);
  pe_.work_for(outgoing.message);
  pe_.begin_put(outgoing.destination, receive.data, outgoing.data, bytes);
  co_await pe_.puts_written(putting);
  pe_.work_for(0);
}

void T3eEndpoint::finish(ReceiveOperation& receive) {
  if (receive.cancelled) return;
  thread().spend(settings().receive_call, receive.message);
  local().spend_copy(copy_out, receive.left_to_copy(), receive.message);
}

void T3eEndpoint::cancel(ReceiveOperation& receive) {
  if (receive.is_known() || receive.endpoint_state == nullptr) return;  // matched
  auto& posted = *static_cast<PostedReceive*>(receive.endpoint_state);
  posted_.remove(posted);
  posted.~PostedReceive();
  receive.endpoint_state = nullptr;
  receive.cancelled = true;
  receive.complete(thread().clock());
}

// --- what has arrived ---

// A barrier is over by a handler's doing, and not by the library's: whether it is has to be looked at in time.
// What is over with the next message is over sooner where it ends.
void T3eEndpoint::wait(Gate& gate, const Wait& why) {
  const bool stays_on_stack = !thread().has_backlog() && (gate.opens_at_next() || threads_in_turn_ != nullptr);
  carry_out(waiting(gate, why), stays_on_stack);
}

Errand T3eEndpoint::waiting(Gate& gate, const Wait& why) {
  const GateState& awaited = gate.state();  // the gate itself lies on the thread's stack
  if (thread().has_backlog()) co_await do_backlog(&awaited);
  for (;;) {
    if (threads_in_turn_ != nullptr) threads_in_turn_->let_others_in(gate, why);
    const bool is_in_barrier = group_operations_.is_in_barrier();
    if (is_in_barrier) {
      thread().spend(settings().barrier_look);
      co_await settled(&why);
    }
    const Time looked_at = thread().clock();
    if (awaited.is_open()) break;
    if (queue_.has_to_settle()) co_await settled_to_look_at(queue_.looked_at_in_take());
    if (queue_.has_to_put_again()) co_await queue_.put_again();
    if (T3eMessage* message = queue_.take()) {
      co_await handle(*message);
    } else if (!awaited.is_open() && (!is_in_barrier || thread().clock() == looked_at)) {  // it may have given way
      queue_.begin_wait();
      co_await woken(why);
      co_await queue_.end_wait(why);
    }
  }
  group_operations_.forget_if_over();
}

void T3eEndpoint::poll(const Wait& why) {
  thread().spend(settings().look.kind, settings().look.cost, 0, 0, &why);
  thread().settle(&why);
  carry_out(absorb());
}

Errand T3eEndpoint::absorb() {
  co_await settled();
  std::size_t come = 0;
  co_await queue_.absorb(come);
  // Work on one may lead here again, and take others.
  for (const std::uint64_t until = handled_ + come; handled_ < until;) {
    if (queue_.has_to_settle()) co_await settled();
    if (queue_.has_to_put_again()) co_await queue_.put_again();
    co_await handle(*queue_.take());
  }
}

Errand T3eEndpoint::handle(T3eMessage& message) {
  ++handled_;
  thread().spend(settings().handling, message.message);
  switch (message.purpose) {
    case T3ePurpose::first:
      return arrived(message);
    case T3ePurpose::answer:
      return free_after(message.outgoing->protocol->answered(*this, *message.outgoing, message), message);
    case T3ePurpose::last:
      message.receive->complete(thread().clock());
      break;
    case T3ePurpose::cancel:
      return free_after(try_to_cancel(message), message);
    case T3ePurpose::cancelled:
    case T3ePurpose::too_late_to_cancel:
      cancel_answered(*message.outgoing, message.purpose == T3ePurpose::cancelled, thread().clock());
      break;
  }
  shared_.free_message(message);
  return {};
}

// First what is posted here, then the receive, and then where that puts the data and who waits for it.
void T3eEndpoint::fetch_for(const T3eMessage& message, FetchLevel level) const {
  if (level == 0) return fetch_lines(&posted_, 0, 3);
  if (message.purpose != T3ePurpose::first) return;
  auto* const posted = posted_.find(message.key);
  if (posted == nullptr) return;
  const ReceiveOperation& receive = ReceiveOperation::around(posted);
  if (level == 1) return fetch_lines(&receive, 0, 3);
  fetch_lines(receive.data, 0, 1);
  fetch_lines(receive.gate(), 0, 1);
}

Errand T3eEndpoint::arrived(T3eMessage& first) {
  std::uint64_t passed = 0;
  if (auto* posted = static_cast<PostedReceive*>(posted_.take(first.key, &passed))) {
    ReceiveOperation& receive = *posted->operation;
    posted->~PostedReceive();
    receive.endpoint_state = nullptr;
    spend_search(passed, first.message);
    return match(first, receive, false);
  }
  keep(first);
  return {};
}

void T3eEndpoint::keep(T3eMessage& first) {
  const MessageId message = first.message;
  unexpected_.add(first);
  unexpected_in_order_.add(first.turn);
  while (const auto probe = probes_.take(envelope_of(first))) {
    probe->completion->message = first.message;
    probe->completion->complete(thread().clock());
  }
  spend_search(posted_.size(), message);
}

// --- probes ---

bool T3eEndpoint::probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) {
  const auto* message = static_cast<T3eMessage*>(unexpected_.find(t3e_key(pattern)));
  const std::uint64_t passed = passed_before(message);
  if (message != nullptr) {
    envelope = envelope_of(*message);
    bytes = message->bytes;
  } else if (completion != nullptr) {
    probes_.add(pattern, *completion);
  }
  spend_search(passed, 0);
  return message != nullptr;
}

void T3eEndpoint::forget_probe(Completion& completion) { probes_.forget(completion); }

bool T3eEndpoint::take(const Pattern& pattern, TakenMessage& taken) {
  auto* message = static_cast<T3eMessage*>(unexpected_.find(t3e_key(pattern)));
  if (message == nullptr) {
    spend_search(passed_before(nullptr), 0);
    return false;
  }
  unexpected_.remove(*message);
  spend_search(unexpected_in_order_.remove(message->turn), message->message);
  taken = TakenMessage{message, envelope_of(*message), message->bytes};
  return true;
}

}  // namespace hindcast::mpi
