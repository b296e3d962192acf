// The messages of an endpoint that run a handler at their target.
#include "mpi_impl/transport/matching_endpoint.hpp"

namespace hindcast::mpi {

void MatchingEndpoint::send_to_handler(int to, std::uint32_t number, const TwoParts& data) {
  Thread& thread = *Thread::current();
  const Bytes bytes = data.bytes();
  const Method& method = exchange_.method_for(rank_number_, to, bytes);
  const MessageId id = message_id(rank_number_, ++messages_sent_);
  thread.spend(method.costs.send, id);
  local().spend_copy(costs_.copy_in, bytes, id);
  make_progress(thread);
  Message& message = message_to_handler(to, number, data, method, id);
  if (is_numbered(method)) message.place = order_of_handled_->next_to(to);
  thread.act(exchange_, reinterpret_cast<std::uint64_t>(&message), bytes);
}

void MatchingEndpoint::reply_to_handler(int to, std::uint32_t number, const TwoParts& data, Time at) {
  start_reply(reply(to, number, data), at);
}

void MatchingEndpoint::signal_to_handler(int to, std::uint32_t number, const TwoParts& data, Time at) {
  Message& message = reply(to, number, data);
  const bool is_by_signal = exchange_.method_of(message).costs.signal != nullptr;
  start(message, at, owner_.next(EventKind::act), is_by_signal ? exchange_.signal() : exchange_);
}

Message& MatchingEndpoint::reply(int to, std::uint32_t number, const TwoParts& data) {
  Message& message = message_to_handler(to, number, data, exchange_.method_for(rank_number_, to, data.bytes()),
                                        answer_id(rank_number_, ++answers_given_));
  message.kind = MessageKind::handled_at_any_time;
  return message;
}

Message& MatchingEndpoint::message_to_handler(int to, std::uint32_t number, const TwoParts& data, const Method& method,
                                              MessageId id) {
  Message& message = exchange_.new_message();
  message.message = id;
  message.kind = MessageKind::handled;
  message.envelope.tag = static_cast<std::int32_t>(number);
  message.set_send(nullptr);
  exchange_.give_payload(message, data);
  address(message, to, method, method.carried(data.bytes(), true));
  return message;
}

// What has waited for this one is handled right after it.
void MatchingEndpoint::handle_in_order(Message& message, Time at) {
  const int sender = message.sender_rank;
  message.handled_at = at;
  if (!order_of_handled_->is_next(message)) return;
  handle(message, at);
  while (Message* const next = order_of_handled_->next_after(sender)) handle(*next, later_of(at, next->handled_at));
}

HandlerWork MatchingEndpoint::handler_work_on(const Message& message) const {
  const TargetHandler& handler = *handlers_.at(static_cast<std::uint32_t>(message.envelope.tag));
  return handler.work_on(message.payload, message.payload_bytes);
}

void MatchingEndpoint::handled_by_unit(Message& message) {
  const Time now = exchange_.engine().now();
  work_on(message, now, now);
}

void MatchingEndpoint::handle(Message& message, Time at) {
  TargetHandler& handler = *handlers_.at(static_cast<std::uint32_t>(message.envelope.tag));
  handler.handle({message.sender_rank, message.payload, message.payload_bytes, at});
  exchange_.free_message(message);
}

}  // namespace hindcast::mpi
