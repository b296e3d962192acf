// Taking back messages and receives: of a message its receiver is asked.
#include "mpi_impl/transport/matching_endpoint.hpp"

namespace hindcast::mpi {

void MatchingEndpoint::cancel(ReceiveOperation& receive) {
  if (receive.is_known() || receive.endpoint_state == nullptr) return;  // matched
  PostedReceive& posted = PostedReceive::in(receive);
  posted_.remove(posted);
  posted.hook.unlink();
  receive.endpoint_state = nullptr;
  receive.cancelled = true;
  receive.complete(Thread::current()->clock());
}

// The receiver is asked: it has the message, or its request, as long as it is not matched. Whether to ask is decided by
// what the sender knows when the call begins. What comes to be known while the question is made ready has not happened
// yet for a thread that runs ahead, and must not matter to one that does not; and what the receiver has done with the
// message may lie ahead of the clock.
void MatchingEndpoint::cancel(SendOperation& send) {
  const Message* message = exchange_.message_of(send);
  const bool is_on_its_way = message != nullptr && message->kind == MessageKind::data;
  if (send.endpoint_state == nullptr || is_on_its_way) return;
  send.reset();
  send.cancel_in_progress = true;
  Thread& thread = *Thread::current();
  const Method& method = exchange_.method_for(rank_number_, send.destination, send.bytes);
  thread.spend(method.costs.send, send.message);
  make_progress(thread);
  Message& question = exchange_.new_message();
  question.kind = MessageKind::cancel;
  if (is_numbered(method)) question.place = order_->next_to(send.destination);  // behind what it asks for
  question.payload = &send;
  question.message = send.message;
  address(question, send.destination, method, method.costs.header);
  thread.act(exchange_, reinterpret_cast<std::uint64_t>(&question));
}

void MatchingEndpoint::try_to_cancel(Message& question, Time at) {
  auto* send = static_cast<SendOperation*>(const_cast<void*>(question.payload));
  Message* message = exchange_.message_of(*send);
  const bool in_time = message != nullptr && message->is_unexpected;
  if (in_time) {
    unexpected_.remove(*message);
    exchange_.free_message(*message);
  }
  const Method& method = exchange_.method_of(question);
  question.kind = in_time ? MessageKind::cancelled : MessageKind::too_late_to_cancel;
  address(question, question.sender_rank, method, method.costs.header);
  start_reply(question, at);
}

// If it was too late for a long one, that ends as others do: when its data has gone.
void MatchingEndpoint::answer_cancel(Message& answer, Time at) {
  auto& send = *static_cast<SendOperation*>(const_cast<void*>(answer.payload));
  send.cancelled = answer.kind == MessageKind::cancelled;
  send.cancel_in_progress = false;
  const Message* message = exchange_.message_of(send);  // may be the answer, which has the same number
  const bool has_data_left = message != nullptr && message != &answer && message->kind != MessageKind::eager;
  if (send.cancelled || !has_data_left) send.complete(at);
  exchange_.free_message(answer);
}

}  // namespace hindcast::mpi
