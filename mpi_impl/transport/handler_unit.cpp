#include "mpi_impl/transport/handler_unit.hpp"

#include "mpi_impl/transport/matching_endpoint.hpp"

namespace hindcast::mpi {

void HandlerUnit::work_on(Message& message, const HandlerWork& work) {
  const Time start = later_of(exchange_.engine().now(), is_free_);
  const Time copied = spend(numbers_.copy, work.copied.count(), message.message, start);
  is_free_ = spend(numbers_.combine, work.combined, message.message, copied);
  exchange_.engine().at(is_free_, EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(&message));
}

// Returns its end.
Time HandlerUnit::spend(const RatedStep& step, std::uint64_t amount, MessageId message, Time at) const {
  const Time end = at + step.rate.time_for(amount);
  Recorder* const recorder = exchange_.engine().recorder();
  if (recorder != nullptr && amount > 0) recorder->in_hardware(node_, Step{&step.kind, message, at, end, amount});
  return end;
}

void HandlerUnit::fire(const Event& event) {
  auto& message = *reinterpret_cast<Message*>(event.data);
  MatchingEndpoint* const endpoint = exchange_.peer(message.receiver_rank).endpoint;
  if (endpoint == nullptr) return exchange_.free_message(message);
  endpoint->handled_by_unit(message);
}

}  // namespace hindcast::mpi
