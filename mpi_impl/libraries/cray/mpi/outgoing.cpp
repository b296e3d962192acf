// Sends whose receiver has still something to tell: what T3eEndpoint keeps of them, until they end or are cancelled.
#include <utility>

#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

namespace {

constexpr StepKind buffering{"copy to the library's buffer", "processor.copy_bandwidth"};
constexpr StepKind protocol_copy{"copy for a put to come", "processor.copy_bandwidth"};

}  // namespace

T3eOutgoing& T3eEndpoint::expect_answer(T3eMessage& first, SendOperation& send) {
  auto& outgoing = shared_.make<T3eOutgoing>();
  ++outgoings_;
  outgoing.sender = this;
  outgoing.protocol = first.protocol;
  outgoing.operation = &send;
  outgoing.message = send.message;
  outgoing.source = pe_.number();
  outgoing.destination = send.destination;
  outgoing.data = send.data;
  outgoing.bytes = send.bytes;
  outgoing.mode = send.mode;
  send.endpoint_state = &outgoing;
  first.outgoing = &outgoing;
  return outgoing;
}

// One that the receiver is being asked to cancel ends when it has said that it is too late.
void T3eEndpoint::end(T3eOutgoing& outgoing, Time at) {
  outgoing.is_over = true;
  if (outgoing.is_asked_to_cancel) return;
  if (SendOperation* send = outgoing.operation; send != nullptr) {
    send->endpoint_state = nullptr;
    send->complete(at);
  }
  free(outgoing);
}

void T3eEndpoint::free(T3eOutgoing& outgoing) {
  if (outgoing.is_in_library) shared_.pool().give_back(const_cast<void*>(outgoing.data), outgoing.bytes.count());
  if (outgoing.counts_as_buffered) buffer_free_ += outgoing.bytes.count();
  shared_.free(outgoing);
  --outgoings_;
}

bool T3eEndpoint::buffer_if_room(T3eOutgoing& outgoing) {
  if (outgoing.mode == SendMode::synchronous || outgoing.bytes.count() > buffer_free_) return false;
  buffer_free_ -= outgoing.bytes.count();
  outgoing.counts_as_buffered = true;
  outgoing.data = copy_in_library(outgoing.data, outgoing.bytes);
  outgoing.is_in_library = true;
  local().spend_copy(buffering, outgoing.bytes, outgoing.message);
  return true;
}

void T3eEndpoint::copy_data(T3eOutgoing& outgoing) {
  outgoing.data = copy_in_library(outgoing.data, outgoing.bytes);
  outgoing.is_in_library = true;
  local().spend_copy(protocol_copy, outgoing.bytes, outgoing.message);
}

std::byte* T3eEndpoint::copy_in_library(const void* data, Bytes bytes) {
  auto* copy = static_cast<std::byte*>(shared_.pool().take(bytes.count()));
  copy_bytes(copy, data, bytes.count());
  return copy;
}

// It may be over already: while it was put, others' messages may have been worked on.
void T3eEndpoint::let_go(SendOperation& send) {
  if (send.is_known()) return;
  if (auto* outgoing = static_cast<T3eOutgoing*>(std::exchange(send.endpoint_state, nullptr)); outgoing != nullptr)
    outgoing->operation = nullptr;
  send.complete(thread().clock());
}

Errand T3eEndpoint::let_go_after(Errand put, SendOperation& send) {
  if (!put.is_over()) return let_go_after_wait(std::move(put), send);
  let_go(send);
  return {};
}

Errand T3eEndpoint::let_go_after_wait(Errand put, SendOperation& send) {
  co_await put;
  let_go(send);
}

// The receiver may be getting the data just now, and then goes on with the copy.
void T3eEndpoint::release_buffer(SendOperation& send) {
  auto* outgoing = static_cast<T3eOutgoing*>(send.endpoint_state);
  if (outgoing == nullptr) return;
  if (!outgoing->is_in_library) {
    outgoing->data = copy_in_library(outgoing->data, outgoing->bytes);
    outgoing->is_in_library = true;
    if (outgoing->got_by != nullptr) outgoing->got_by->go_on_from(outgoing->data);
  }
  outgoing->operation = nullptr;
  send.endpoint_state = nullptr;
}

// --- cancelling sends: the receiver is asked, who has the first message as long as it is not matched ---

void T3eEndpoint::cancel(SendOperation& send) {
  auto* outgoing = static_cast<T3eOutgoing*>(send.endpoint_state);
  if (outgoing == nullptr) return;  // its data has gone
  outgoing->is_asked_to_cancel = true;
  send.cancel_in_progress = true;
  thread().spend(settings().send_call, send.message);
  T3eMessage& question = new_message(T3ePurpose::cancel, send.message);
  question.outgoing = outgoing;
  carry_out(put(question, outgoing->destination));
}

Errand T3eEndpoint::try_to_cancel(const T3eMessage& question) {
  T3eMessage* found = nullptr;
  unexpected_.for_each([&](matching::Item& item) {
    auto& message = static_cast<T3eMessage&>(item);
    if (message.outgoing == question.outgoing) found = &message;
  });
  const std::uint64_t passed = passed_before(found);
  if (found != nullptr) {
    unexpected_.remove(*found);
    unexpected_in_order_.remove(found->turn);
    shared_.free_message(*found);
  }
  spend_search(passed, question.message);
  T3eMessage& answer =
      new_message(found != nullptr ? T3ePurpose::cancelled : T3ePurpose::too_late_to_cancel, question.message);
  answer.outgoing = question.outgoing;
  return put(answer, question.outgoing->source);
}

void T3eEndpoint::cancel_answered(T3eOutgoing& outgoing, bool was_in_time, Time at) {
  outgoing.is_asked_to_cancel = false;
  if (outgoing.operation != nullptr) {
    outgoing.operation->cancelled = was_in_time;
    outgoing.operation->cancel_in_progress = false;
  }
  if (was_in_time || outgoing.is_over) end(outgoing, at);
}

// --- ranks that have gone ---

void T3eEndpoint::close() {
  std::vector<T3eMessage*> left;
  unexpected_.for_each([&](matching::Item& item) { left.push_back(&static_cast<T3eMessage&>(item)); });
  for (T3eMessage* message : left) shared_.free_message(*message);
  queue_.close(shared_);
}

void T3eEndpoint::question_lost(T3eOutgoing& outgoing, Time at) {
  outgoing.sender->cancel_answered(outgoing, !outgoing.is_matched, at);
}

void T3eShared::lost(QueueMessage& lost) {
  auto& message = static_cast<T3eMessage&>(lost);
  if (message.purpose == T3ePurpose::cancel) T3eEndpoint::question_lost(*message.outgoing, engine_.now());
  free_message(message);
}

}  // namespace hindcast::mpi
