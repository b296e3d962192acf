#include "mpi_impl/libraries/nexus/native/poller.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hindcast::nexus {

Poller::Place Poller::place() const {
  Place place{time_, next_, {}};
  for (const auto& method : methods_) place.passes.push_back(method->passes);
  return place;
}

void Poller::move_to(const Place& place) {
  time_ = place.time;
  next_ = place.next;
  for (std::size_t i = 0; i < methods_.size(); ++i) methods_[i]->passes = place.passes[i];
}

// Passes in which no method is polled take no time, and there may be as many as a program has asked for.
void Poller::skip_passes_without_polls(Place& place) const {
  int passes = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < methods_.size(); ++i) passes = std::min(passes, methods_[i]->every - place.passes[i] - 1);
  if (passes <= 0) return;
  for (int& made : place.passes) made += passes;
}

// Whether the method that is next is polled in this pass.
bool Poller::is_due(Place& place) const {
  const std::size_t i = place.next;
  if (i == 0) skip_passes_without_polls(place);
  place.next = (i + 1) % methods_.size();
  if (++place.passes[i] < methods_[i]->every) return false;
  place.passes[i] = 0;
  return true;
}

// After as many passes as all skip counts divide everything is as before, but for the time.
void Poller::skip_cycles(Place& place, Time before) const {
  constexpr std::int64_t passes_max = 1'000'000;
  std::int64_t passes = 1;
  for (const auto& method : methods_) {
    passes = std::lcm(passes, static_cast<std::int64_t>(method->every));
    if (passes > passes_max) return;
  }
  Time cycle;
  for (const auto& method : methods_) cycle += method->look().cost * (passes / method->every);
  const Time last = before - Time::ps(1);  // a poll that ends at `before` may be the one
  if (last > place.time) place.time += cycle * ((last - place.time).in_ps() / cycle.in_ps());
}

std::optional<Poller::Found> Poller::find() const {
  Time first = Time::never();
  for (const auto& method : methods_) first = std::min(first, method->waits_since());
  if (first == Time::never()) return std::nullopt;
  Place ahead = place();
  skip_cycles(ahead, first);
  for (;;) {
    Method& method = *methods_[ahead.next];
    if (!is_due(ahead)) continue;
    ahead.time += method.look().cost;
    if (method.waits_since() <= ahead.time) return Found{&method, ahead.time};
  }
}

void Poller::advance_to(const Found& found) {
  Place ahead = place();
  skip_cycles(ahead, found.at - found.method->look().cost);
  for (;;) {
    Method& method = *methods_[ahead.next];
    if (!is_due(ahead)) continue;
    ahead.time += method.look().cost;
    if (ahead.time == found.at) break;
  }
  move_to(ahead);
}

Poller::Place Poller::place_past(Time time) const {
  Place ahead = place();
  skip_cycles(ahead, time);
  while (ahead.time < time) {
    const Method& method = *methods_[ahead.next];
    if (is_due(ahead)) ahead.time += method.look().cost;
  }
  return ahead;
}

Time Poller::end_of_poll_at(Time time) const { return place_past(time).time; }

Time Poller::advance_past(Time time) {
  move_to(place_past(time));
  return time_;
}

Method* Poller::next_in_pass() {
  Place ahead = place();
  while (ahead.next != 0) {
    Method* const method = methods_[ahead.next].get();
    if (!is_due(ahead)) continue;
    move_to(ahead);
    return method;
  }
  move_to(ahead);
  return nullptr;
}

}  // namespace hindcast::nexus
