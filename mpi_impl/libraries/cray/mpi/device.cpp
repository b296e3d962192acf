#include "mpi_impl/libraries/cray/mpi/device.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace hindcast::mpi {

namespace {

const StepKind buffering{"copy to the library's buffer", "processor.copy_bandwidth"};
const StepKind protocol_copy{"copy for a put to come", "processor.copy_bandwidth"};
const StepKind copy_out{"copy from the library's buffer", "processor.copy_bandwidth"};
const StepKind own_copy{"copy", "processor.copy_bandwidth"};
const StepKind combining{"combine", "processor.combine_rate"};

// How the deadlock report names the steps of ours that may wait.
constexpr const char* getting = "MPI's get";
constexpr const char* putting = "MPI's put";

}  // namespace

// It stands in the operation itself.
struct T3eDevice::PostedReceive : matching::Item {
  ReceiveOperation* operation = nullptr;
};

T3eDevice::T3eDevice(T3eLibrary& library, shmem::Pe& pe, Bytes buffer_max, const MakeQueue& make_queue)
    : library_(library),
      pe_(pe),
      queue_(make_queue(*this)),
      group_operations_(pe, library.settings().barrier_call),
      buffer_free_(buffer_max.count()) {
  static_assert(sizeof(PostedReceive) <= sizeof(ReceiveOperation::device_room));
}

// --- sends ---

void T3eDevice::send(SendOperation& send) {
  send.message = pe_.next_message();
  thread().take(settings().send_call, send.message);
  protocol_for(send).send(*this, send);
}

const T3eProtocol& T3eDevice::protocol_for(const SendOperation& send) const {
  if (send.bytes <= settings().short_max) return t3e_protocols::t;
  if (send.mode == SendMode::synchronous && send.bytes >= settings().synchronous_min) return *settings().synchronous;
  if (send.bytes <= settings().medium_max) return *settings().medium;
  return *settings().longer;
}

int T3eDevice::slots_for(Bytes bytes) const {
  const std::uint64_t each = settings().slot_data.count();
  return static_cast<int>((bytes.count() + each - 1) / each);
}

T3eMessage& T3eDevice::new_message(T3ePurpose purpose, MessageId about) {
  auto& message = library_.make<T3eMessage>();
  message.purpose = purpose;
  message.message = about;
  message.sender_device = this;
  return message;
}

T3eMessage& T3eDevice::new_first(const T3eProtocol& protocol, const SendOperation& send) {
  T3eMessage& message = new_message(T3ePurpose::first, send.message);
  message.key = t3e_key(send.envelope);
  message.protocol = &protocol;
  message.bytes = send.bytes;
  return message;
}

T3eOutgoing& T3eDevice::expect_answer(T3eMessage& first, SendOperation& send) {
  auto& outgoing = library_.make<T3eOutgoing>();
  outgoing.protocol = first.protocol;
  outgoing.operation = &send;
  outgoing.message = send.message;
  outgoing.source = pe_.number();
  outgoing.destination = send.destination;
  outgoing.data = send.data;
  outgoing.bytes = send.bytes;
  outgoing.mode = send.mode;
  send.device_state = &outgoing;
  first.outgoing = &outgoing;
  return outgoing;
}

// What is to be put while another message cannot be put yet comes after that.
void T3eDevice::put(T3eMessage& message, int to_rank) {
  thread().take(settings().message, message.message);
  outbox_.push_back({&message, to_rank});
  if (is_putting_) return;
  is_putting_ = true;
  while (!outbox_.empty()) {
    const Outbound next = outbox_.front();
    outbox_.pop_front();
    queue_->put(*next.message, next.to_rank);
  }
  is_putting_ = false;
}

void T3eDevice::answer(const T3eMessage& first, ReceiveOperation* receive) {
  T3eMessage& answer = new_message(T3ePurpose::answer, first.message);
  answer.outgoing = first.outgoing;
  answer.receive = receive;
  put(answer, first.sender_device->pe_.number());
}

void T3eDevice::tell_last(const T3eOutgoing& outgoing, ReceiveOperation& receive) {
  T3eMessage& last = new_message(T3ePurpose::last, outgoing.message);
  last.receive = &receive;
  put(last, outgoing.destination);
}

// One that the receiver is being asked to cancel ends when it has said that it is too late.
void T3eDevice::end(T3eOutgoing& outgoing) {
  outgoing.is_over = true;
  if (outgoing.is_asked_to_cancel) return;
  if (SendOperation* send = outgoing.operation; send != nullptr) {
    send->device_state = nullptr;
    send->complete(thread().clock());
  }
  free(outgoing);
}

void T3eDevice::free(T3eOutgoing& outgoing) {
  if (outgoing.is_in_library) library_.pool().give_back(const_cast<void*>(outgoing.data), outgoing.bytes.count());
  if (outgoing.counts_as_buffered) buffer_free_ += outgoing.bytes.count();
  library_.free(outgoing);
}

bool T3eDevice::buffer_if_room(T3eOutgoing& outgoing) {
  if (outgoing.mode == SendMode::synchronous || outgoing.bytes.count() > buffer_free_) return false;
  buffer_free_ -= outgoing.bytes.count();
  outgoing.counts_as_buffered = true;
  outgoing.data = copy_in_library(outgoing.data, outgoing.bytes);
  outgoing.is_in_library = true;
  take_copy(buffering, outgoing.bytes, outgoing.message);
  return true;
}

void T3eDevice::copy_data(T3eOutgoing& outgoing) {
  outgoing.data = copy_in_library(outgoing.data, outgoing.bytes);
  outgoing.is_in_library = true;
  take_copy(protocol_copy, outgoing.bytes, outgoing.message);
}

std::byte* T3eDevice::copy_in_library(const void* data, Bytes bytes) {
  auto* copy = static_cast<std::byte*>(library_.pool().take(bytes.count()));
  std::memcpy(copy, data, bytes.count());
  return copy;
}

// It may be over already: while it was put, others' messages may have been worked on.
void T3eDevice::let_go(SendOperation& send) {
  if (auto* outgoing = static_cast<T3eOutgoing*>(std::exchange(send.device_state, nullptr)); outgoing != nullptr) {
    outgoing->operation = nullptr;
    send.complete(thread().clock());
  }
}

// The receiver may be getting the data just now.
void T3eDevice::release_buffer(SendOperation& send) {
  auto* outgoing = static_cast<T3eOutgoing*>(send.device_state);
  if (outgoing == nullptr) return;
  if (!outgoing->is_in_library) {
    wait_until_got(*outgoing);
    outgoing->data = copy_in_library(outgoing->data, outgoing->bytes);
    outgoing->is_in_library = true;
  }
  outgoing->operation = nullptr;
  send.device_state = nullptr;
}

void T3eDevice::wait_until_got(T3eOutgoing& outgoing) {
  class GotWait final : public Wait {
   public:
    explicit GotWait(int by) : by_(by) {}
    BlockedOn describe() const override { return {"MPI", "until a rank has got the data of a send", {by_}}; }

   private:
    int by_;
  };
  thread().settle();
  if (!outgoing.is_being_got) return;
  Completion got;
  outgoing.when_got = &got;
  Gate gate(thread());
  gate.add(got);
  gate.pass(GotWait(outgoing.destination));
  outgoing.when_got = nullptr;
}

// --- receives ---

void T3eDevice::receive(ReceiveOperation& receive) {
  if (auto* message = static_cast<T3eMessage*>(unexpected_.find(t3e_key(receive.pattern)))) {
    unexpected_.remove(*message);
    return match(*message, receive, true);
  }
  auto& posted = *new (receive.device_room) PostedReceive();
  posted.operation = &receive;
  receive.device_state = &posted;
  posted_.add(posted, t3e_key(receive.pattern));
}

void T3eDevice::receive(ReceiveOperation& receive, const TakenMessage& taken) {
  match(*static_cast<T3eMessage*>(taken.device_state), receive, true);
}

void T3eDevice::match(T3eMessage& first, ReceiveOperation& receive, bool was_unexpected) {
  receive.envelope = envelope_of(first);
  receive.bytes = first.bytes;
  receive.message = first.message;
  receive.is_left_to_copy = false;
  receive.device_state = nullptr;
  first.protocol->receive(*this, first, receive, was_unexpected);
  library_.free_message(first);
}

void T3eDevice::deliver(const T3eMessage& message, ReceiveOperation& receive) {
  const Bytes bytes = std::min(message.bytes, receive.capacity);
  if (bytes > Bytes()) std::memcpy(receive.data, message.data, bytes.count());
}

// Whether the sender may use its memory otherwise meanwhile is a matter of when the get begins.
void T3eDevice::get(T3eOutgoing& outgoing, ReceiveOperation& receive) {
  const Bytes bytes = std::min(outgoing.bytes, receive.capacity);
  thread().settle();
  outgoing.is_being_got = true;
  pe_.work_for(outgoing.message);
  pe_.get(getting, outgoing.source, receive.data, outgoing.data, bytes);
  pe_.work_for(0);
  outgoing.is_being_got = false;
  if (outgoing.when_got != nullptr) outgoing.when_got->complete(thread().clock());
}

void T3eDevice::put_data(const T3eOutgoing& outgoing, ReceiveOperation& receive) {
  const Bytes bytes = std::min(outgoing.bytes, receive.capacity);
  pe_.work_for(outgoing.message);
  pe_.put(putting, outgoing.destination, receive.data, outgoing.data, bytes);
  pe_.quiet(putting);
  pe_.work_for(0);
}

void T3eDevice::finish(ReceiveOperation& receive) {
  if (receive.cancelled) return;
  thread().take(settings().receive_call, receive.message);
  take_copy(copy_out, receive.left_to_copy(), receive.message);
}

void T3eDevice::cancel(ReceiveOperation& receive) {
  if (receive.is_known() || receive.device_state == nullptr) return;  // matched
  auto& posted = *static_cast<PostedReceive*>(receive.device_state);
  posted_.remove(posted);
  posted.~PostedReceive();
  receive.device_state = nullptr;
  receive.cancelled = true;
  receive.complete(thread().clock());
}

// --- what has arrived ---

// A barrier is over by a handler's doing, and not by the library's: whether it is has to be looked at in time.
void T3eDevice::wait(Gate& gate, const Wait& why) {
  for (;;) {
    const bool is_in_barrier = group_operations_.is_in_barrier();
    if (is_in_barrier) {
      thread().take(settings().barrier_look);
      thread().settle(&why);
    }
    const Time looked_at = thread().clock();
    if (gate.is_open()) break;
    if (T3eMessage* message = queue_->take())
      handle(*message);
    else if (!is_in_barrier || thread().clock() == looked_at)
      queue_->wait(why);
  }
  group_operations_.forget_if_over();
}

void T3eDevice::poll(const Wait& why) {
  thread().take(settings().look.kind, settings().look.cost, 0, 0, &why);
  thread().settle(&why);
  absorb();
}

void T3eDevice::absorb() {
  thread().settle();
  // Work on one may lead here again, and take others.
  for (const std::uint64_t until = handled_ + queue_->absorb(); handled_ < until;) handle(*queue_->take());
}

void T3eDevice::handle(T3eMessage& message) {
  ++handled_;
  switch (message.purpose) {
    case T3ePurpose::first:
      return arrived(message);
    case T3ePurpose::answer:
      message.outgoing->protocol->answered(*this, *message.outgoing, message);
      break;
    case T3ePurpose::last:
      message.receive->complete(thread().clock());
      break;
    case T3ePurpose::cancel:
      try_to_cancel(message);
      break;
    case T3ePurpose::cancelled:
    case T3ePurpose::too_late_to_cancel:
      cancel_answered(*message.outgoing, message.purpose == T3ePurpose::cancelled);
      break;
  }
  library_.free_message(message);
}

void T3eDevice::arrived(T3eMessage& first) {
  if (auto* posted = static_cast<PostedReceive*>(posted_.take(first.key))) {
    ReceiveOperation& receive = *posted->operation;
    posted->~PostedReceive();
    return match(first, receive, false);
  }
  unexpected_.add(first);
  if (const auto probe = probes_.take(envelope_of(first))) {
    probe->completion->message = first.message;
    probe->completion->complete(thread().clock());
  }
}

// --- probes ---

bool T3eDevice::probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) {
  const auto* message = static_cast<T3eMessage*>(unexpected_.find(t3e_key(pattern)));
  if (message == nullptr) {
    if (completion != nullptr) probes_.add(pattern, *completion);
    return false;
  }
  envelope = envelope_of(*message);
  bytes = message->bytes;
  return true;
}

void T3eDevice::forget_probe(Completion& completion) { probes_.forget(completion); }

bool T3eDevice::take(const Pattern& pattern, TakenMessage& taken) {
  auto* message = static_cast<T3eMessage*>(unexpected_.find(t3e_key(pattern)));
  if (message == nullptr) return false;
  unexpected_.remove(*message);
  taken = TakenMessage{message, envelope_of(*message), message->bytes};
  return true;
}

// --- cancelling sends: the receiver is asked, who has the first message as long as it is not matched ---

void T3eDevice::cancel(SendOperation& send) {
  auto* outgoing = static_cast<T3eOutgoing*>(send.device_state);
  if (outgoing == nullptr) return;  // its data has gone
  outgoing->is_asked_to_cancel = true;
  send.cancel_in_progress = true;
  thread().take(settings().send_call, send.message);
  T3eMessage& question = new_message(T3ePurpose::cancel, send.message);
  question.outgoing = outgoing;
  put(question, outgoing->destination);
}

void T3eDevice::try_to_cancel(const T3eMessage& question) {
  T3eMessage* found = nullptr;
  unexpected_.for_each([&](matching::Item& item) {
    auto& message = static_cast<T3eMessage&>(item);
    if (message.outgoing == question.outgoing) found = &message;
  });
  if (found != nullptr) {
    unexpected_.remove(*found);
    library_.free_message(*found);
  }
  T3eMessage& answer =
      new_message(found != nullptr ? T3ePurpose::cancelled : T3ePurpose::too_late_to_cancel, question.message);
  answer.outgoing = question.outgoing;
  put(answer, question.sender_device->pe_.number());
}

void T3eDevice::cancel_answered(T3eOutgoing& outgoing, bool was_in_time) {
  outgoing.is_asked_to_cancel = false;
  if (outgoing.operation != nullptr) {
    outgoing.operation->cancelled = was_in_time;
    outgoing.operation->cancel_in_progress = false;
  }
  if (was_in_time || outgoing.is_over) end(outgoing);
}

// --- what the library does by itself ---

void T3eDevice::read_clock() { thread().take(settings().clock_read); }
void T3eDevice::copy(Bytes bytes, MessageId message) { take_copy(own_copy, bytes, message); }
void T3eDevice::combine(std::uint64_t operations) {
  thread().take(combining, settings().combine.time_for(operations), 0, operations);
}
void T3eDevice::take_copy(const StepKind& kind, Bytes bytes, MessageId message) {
  if (bytes > Bytes()) thread().take(kind, settings().copy.time_for(bytes), message, bytes.count());
}

}  // namespace hindcast::mpi
