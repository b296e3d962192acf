#include "traces/stream.hpp"

#include <algorithm>
#include <tuple>

#include "simulator/engine/rank.hpp"

namespace hindcast::traces {

void Stream::on_thread(const Thread& thread, const Step& step) {
  const int rank = thread.rank().id;
  keep(tail_of(thread), {Place::Kind::thread, rank, thread.index()}, step);
}

void Stream::in_hardware(int node, const Step& step) { keep(hardware_, {Place::Kind::node, node, 0}, step); }

void Stream::put_off(const Thread& thread, const Postponement& postponement) {
  Tail& tail = tail_of(thread);
  for (std::size_t i = 0; i < tail.size(); ++i) {
    RecordedStep& event = tail[i].event;
    const Postponement::Fate fate = event.is_service ? postponement.fate_of_service(event.begin)
                                                     : postponement.fate_of_step(event.begin, event.end, tail[i].order);
    if (fate == Postponement::Fate::moves) {
      event.begin += postponement.cost();
      event.end += postponement.cost();
    } else if (fate == Postponement::Fate::is_cut) {
      const Kept rest = cut(tail[i], postponement);
      tail.insert(tail.begin() + static_cast<std::ptrdiff_t>(++i), rest);
      ++kept_;
    }
  }
}

// Returns the rest.
Stream::Kept Stream::cut(Kept& whole, const Postponement& postponement) {
  Kept rest = whole;
  rest.event.begin = postponement.start() + postponement.cost();
  rest.event.end += postponement.cost();
  rest.event.amount = 0;
  rest.event.continues = true;
  whole.event.end = postponement.start();
  return rest;
}

void Stream::finish(bool can_nothing_more_happen) {
  const bool has_ended = std::all_of(engine_.ranks().begin(), engine_.ranks().end(), [](const auto& rank) {
    return std::all_of(rank->threads.begin(), rank->threads.end(),
                       [](const auto& thread) { return thread->state() == Thread::State::ended; });
  });
  if (!has_ended && !can_nothing_more_happen) {
    for (auto& rank : threads_)
      for (Tail& tail : rank) std::erase_if(tail, [&](const Kept& kept) { return kept.event.begin >= engine_.now(); });
  }
  hand_on(Time::never());
}

Stream::Tail& Stream::tail_of(const Thread& thread) {
  const auto rank = static_cast<std::size_t>(thread.rank().id);
  const auto index = static_cast<std::size_t>(thread.index());
  if (rank >= threads_.size()) threads_.resize(rank + 1);
  if (index >= threads_[rank].size()) threads_[rank].resize(index + 1);
  return threads_[rank][index];
}

void Stream::keep(Tail& tail, const Place& place, const Step& step) {
  tail.push_back({RecordedStep{step.kind, place, step.message, step.begin, step.end, step.amount, step.peer,
                               step.is_service, step.continues, step.label},
                  step.order, reports_++});
  if (++kept_ >= kept_max_) {
    hand_on(engine_.now());
    kept_max_ = std::max(kept_at_least_, 2 * kept_);
  }
}

void Stream::take_ended(Tail& tail, Time before, std::vector<Kept>& ended) {
  const auto rest =
      std::stable_partition(tail.begin(), tail.end(), [&](const Kept& kept) { return kept.event.end < before; });
  ended.insert(ended.end(), tail.begin(), rest);
  tail.erase(tail.begin(), rest);
}

// Of two at one place that a thread has reported, the order is that of its program. Work on arrivals is reported by
// others, so that only their own reports are in an order. So may be what a thread has done in the past, with its place
// in the order of the thread's acts.
bool Stream::comes_before(const Kept& a, const Kept& b) {
  const auto key = [](const Kept& kept) {
    const EventOrder order = kept.event.is_service ? 0 : kept.order;
    return std::make_tuple(kept.event.end, kept.event.place, kept.event.begin, kept.event.is_service, order,
                           kept.number);
  };
  return key(a) < key(b);
}

void Stream::hand_on(Time before) {
  std::vector<Kept> ended;
  for (auto& rank : threads_)
    for (Tail& tail : rank) take_ended(tail, before, ended);
  take_ended(hardware_, before, ended);
  std::sort(ended.begin(), ended.end(), comes_before);
  for (const Kept& kept : ended) sink_.add(kept.event);
  kept_ -= ended.size();
}

}  // namespace hindcast::traces
