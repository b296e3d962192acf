#include "mpi_impl/core/windows/answer.hpp"

#include <algorithm>
#include <utility>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/point_to_point.hpp"
#include "mpi_impl/core/windows/remote_request.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

Answer& Answers::expect(int target) {
  if (answers_.size() >= limit_) forget_come();
  if (spare_.empty()) {
    answers_.push_back(std::make_unique<Answer>());
  } else {
    answers_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    answers_.back()->begin_again();
  }
  answers_.back()->target = target;
  return *answers_.back();
}

Answer& Answers::expect_lock(int target) {
  Answer& answer = expect(target);
  answer.grants_lock = true;
  return answer;
}

template <typename IsOver>
void Answers::forget_if(IsOver is_over) {
  std::size_t kept = 0;
  for (auto& answer : answers_) {
    if (is_over(answer))
      spare_.push_back(std::move(answer));
    else
      std::swap(answers_[kept++], answer);
  }
  answers_.resize(kept);
}

// Who only ever waits for requests would keep more and more of them.
void Answers::forget_come() {
  const Time now = Thread::current()->clock();
  forget_if([&](const auto& answer) { return answer->users == 0 && answer->come.holds_at(now); });
  limit_ = std::max(first_limit, 2 * answers_.size());
}

bool Answers::are_awaited_from(int target) const {
  const Wanted wanted{target, false};
  return std::ranges::any_of(answers_, [&](const auto& answer) { return wanted.takes(*answer); });
}

void Answers::wait_for(Process& process, const Wanted& wanted, const Wait& why) {
  if (process.has_threads())
    wait_among_threads(process, wanted, why);
  else
    wait_at_once(process, wanted, why);
}

void Answers::wait_at_once(Process& process, const Wanted& wanted, const Wait& why) {
  const auto is_meant = [&](const auto& answer) { return wanted.takes(*answer); };
  Time last;
  {
    Gate gate(*Thread::current());
    for (const auto& answer : answers_)
      if (is_meant(answer)) gate.add(answer->come);
    mpi::wait(process, gate, why);
    for (const auto& answer : answers_)
      if (is_meant(answer)) last = std::max(last, answer->come.at());
  }
  forget_if(is_meant);
  if (last > Thread::current()->clock()) wait_until(process, last, why);
}

namespace {

// A completion wakes one thread, which then tells the others.
void wait_with_others(Process& process, Answer& answer, const Wait& why) {
  if (answer.come.is_known()) return;
  Gate gate(*Thread::current());
  Completion told;
  const bool tells_others = !std::exchange(answer.is_awaited, true);
  if (!tells_others) answer.others.push_back(&told);
  gate.add(tells_others ? answer.come : told);
  mpi::wait(process, gate, why);
  if (!tells_others) return;
  answer.is_awaited = false;
  for (Completion* other : std::exchange(answer.others, {})) other->complete(answer.come.at());
}

}  // namespace

// Of those that are expected by now, one after the other.
void Answers::wait_among_threads(Process& process, const Wanted& wanted, const Wait& why) {
  std::vector<Answer*> meant;
  for (const auto& answer : answers_) {
    if (!wanted.takes(*answer)) continue;
    ++answer->users;
    meant.push_back(answer.get());
  }
  Time last;
  for (Answer* answer : meant) {
    wait_with_others(process, *answer, why);
    last = std::max(last, answer->come.at());
    --answer->users;
  }
  if (last > Thread::current()->clock()) wait_until(process, last, why);
  forget_come();
}

void land(Answer& answer, const std::byte* data, std::size_t bytes, Time at) {
  if (answer.type != nullptr)
    unpack(*answer.type->layout(), answer.type->extent(), data, 0, bytes, answer.data);
  else if (bytes > 0)
    copy_bytes(answer.data, data, bytes);
  if (answer.request != nullptr) answer.request->end_at(at);
  answer.come.complete(at);
}

}  // namespace hindcast::mpi
