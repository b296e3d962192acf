#include "mpi_impl/core/windows/answer.hpp"

#include <algorithm>
#include <cstring>

#include "mpi_impl/core/requests/point_to_point.hpp"
#include "mpi_impl/core/windows/remote_request.hpp"

namespace hindcast::mpi {

Answer& Answers::expect(int target) {
  if (answers_.size() >= limit_) forget_come();
  Answer& answer = *answers_.emplace_back(std::make_unique<Answer>());
  answer.target = target;
  return answer;
}

// Who only ever waits for requests would keep more and more of them.
void Answers::forget_come() {
  const Time now = Thread::current()->clock();
  std::erase_if(answers_, [&](const auto& answer) { return answer->come.holds_at(now); });
  limit_ = std::max(first_limit, 2 * answers_.size());
}

bool Answers::are_awaited_from(int target) const {
  return std::ranges::any_of(answers_, [&](const auto& answer) { return answer->target == target; });
}

void Answers::wait_for(Process& process, int target, const Wait& why) {
  const auto is_meant = [&](const auto& answer) { return target == all_targets || answer->target == target; };
  Time last;
  {
    Gate gate(*Thread::current());
    for (const auto& answer : answers_)
      if (is_meant(answer)) gate.add(answer->come);
    mpi::wait(process, gate, why);
    for (const auto& answer : answers_)
      if (is_meant(answer)) last = std::max(last, answer->come.at());
  }
  std::erase_if(answers_, is_meant);
  if (last > Thread::current()->clock()) wait_until(process, last, why);
}

void land(Answer& answer, const std::byte* data, std::size_t bytes, Time at) {
  if (answer.type != nullptr)
    unpack(*answer.type->layout, answer.type->extent(), data, 0, bytes, answer.data);
  else if (bytes > 0)
    std::memcpy(answer.data, data, bytes);
  if (answer.request != nullptr) answer.request->end_at(at);
  answer.come.complete(at);
}

}  // namespace hindcast::mpi
