// What follows on the message of a synchronous send, or of one by put: the receiver's endpoint answers it, and the
// sender's ends the send, has its data put or, if it is to be cancelled, asks whether the message is still in the
// queue.
#include "mpi_impl/libraries/cellos/mpi/acknowledgement.hpp"
#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"

namespace hindcast::mpi {

using cellos::Message;

namespace {

// Notices between the endpoints of two cells.
constexpr std::uint8_t acknowledges = 1;  // a synchronous send's message has been received, or where it is to be put
constexpr std::uint8_t asks_to_cancel = 2;
constexpr std::uint8_t was_cancelled = 3;
constexpr std::uint8_t was_too_late = 4;

}  // namespace

void CellosEndpoint::answer_now(const Message& message) {
  Thread& thread = *Thread::current();
  cellos::spend_send_start(thread, native(), carrier_.space(), message.message);
  thread.act(cell_.system(), reinterpret_cast<std::uint64_t>(&acknowledgement_of(message)));
}

Message& CellosEndpoint::acknowledgement_of(const Message& message) {
  return cell_.new_notice(*message.sender, acknowledges, message.note, message.message);
}

// What a synchronous send waits for is sent, after the steps so far.
void CellosEndpoint::answer(const Message& message, cellos::ServedSteps steps, EventOrder order) {
  cellos::spend_send_start(steps, native(), carrier_.space(), message.message);
  library_thread().insert_act(steps.at(), order, cell_.system(),
                              reinterpret_cast<std::uint64_t>(&acknowledgement_of(message)));
}

void CellosEndpoint::noticed(Message& notice) {
  switch (notice.purpose) {
    case CellosCarrier::tells_context:  // its place in the ring buffer is kept for what follows
      ++contexts_told_;
      if (cell_.ring().has_waiting()) [[unlikely]]
        room_is_wanted();
      return cell_.system().free_message(notice);
    case acknowledges:
      return arrived({&notice, nullptr});
    case asks_to_cancel:
      return try_to_cancel(notice);
    default:
      return cancel_answered(notice);
  }
}

// The send is over, received or cancelled; or its data can be put.
void CellosEndpoint::answered(const Message& notice, cellos::ServedSteps steps, EventOrder order) {
  auto& awaited = *static_cast<Acknowledgement*>(notice.note);
  if (!awaited.put || !awaited.put->has_to_put()) return acknowledged(awaited, steps.at());
  --to_do_;
  cellos::spend_put_start(steps, native(), notice.message);
  library_thread().insert_act(steps.at(), order, cell_.system().put_and_get().memory(),
                              awaited.put->request(cell_, *notice.sender, notice.message, awaited));
}

void CellosEndpoint::acknowledged(Acknowledgement& acknowledgement, Time at) {
  --to_do_;
  acknowledgement.end(at);
}

// A message that nobody waits for an answer to is CellOS's, which does not give it back. Of a synchronous one the
// receiver's kernel is asked: it answers by itself, at no cost.
void CellosEndpoint::cancel(SendOperation& send) {
  if (send.is_known() || !is_answered(send)) return;
  auto* awaited = static_cast<Acknowledgement*>(send.endpoint_state);
  ++awaited->uses;
  Thread& thread = *Thread::current();
  cellos::spend_send_start(thread, native(), carrier_.space(), 0);
  Message& question = cell_.new_notice(cell_.system().cell_of_rank(send.destination), asks_to_cancel, awaited, 0);
  thread.act(cell_.system(), reinterpret_cast<std::uint64_t>(&question));
}

void CellosEndpoint::discarded(Message& message) {
  auto& awaited = *static_cast<Acknowledgement*>(message.note);
  awaited.queued = nullptr;
  awaited.is_discarded = true;
}

// The rank has gone. Whose send an answer is about has not waited for it.
void CellosEndpoint::lost(Message& message) {
  if (message.is_notice && message.purpose == asks_to_cancel) return try_to_cancel(message);
  if (!message.is_notice)
    discarded(message);
  else if (message.note != nullptr)
    static_cast<Acknowledgement*>(message.note)->give_up();
  cell_.ring().release(message.bytes);
  cell_.system().free_message(message);
}

void CellosEndpoint::try_to_cancel(Message& question) {
  auto& awaited = *static_cast<Acknowledgement*>(question.note);
  const bool is_in_time = awaited.queued != nullptr || awaited.is_discarded;
  if (awaited.queued != nullptr) {
    mailbox().remove(*awaited.queued);
    if (awaited.queued->announces) throw_parts_away(*awaited.queued);
    cell_.ring().release(awaited.queued->bytes);
    cell_.system().free_message(*awaited.queued);
    awaited.queued = nullptr;
  }
  Message& answer = cell_.new_notice(*question.sender, is_in_time ? was_cancelled : was_too_late, &awaited, 0);
  cell_.ring().release(question.bytes);
  cell_.system().free_message(question);
  cell_.system().submit(answer);
}

void CellosEndpoint::cancel_answered(Message& answer) {
  auto& awaited = *static_cast<Acknowledgement*>(answer.note);
  if (answer.purpose == was_cancelled) {
    if (awaited.send != nullptr) awaited.send->cancelled = true;
    acknowledged(awaited, cell_.system().engine().now());
  }
  awaited.give_up();
  cell_.ring().release(answer.bytes);
  cell_.system().free_message(answer);
}

}  // namespace hindcast::mpi
