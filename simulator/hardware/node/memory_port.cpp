#include "simulator/hardware/node/memory_port.hpp"

#include <algorithm>

namespace hindcast {

namespace {

const StepKind waits_for_memory{"wait for the node's memory", ""};

}  // namespace

void MemoryPort::move(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message) {
  if (bytes < waits_from_)
    return thread.spend(kind, slower_of(own, bandwidth_).time_for(bytes), message, bytes.count());
  thread.settle();  // others may come before
  Foreseen use = begin(thread.clock(), own, bytes);
  const Time turn = use.end - use.begin;
  if (use.begin > thread.clock()) thread.spend(waits_for_memory, use.begin - thread.clock(), message);
  thread.spend(kind, turn, message, bytes.count());
  if (sharing_ == Sharing::in_turn) return;
  for (;;) {
    thread.settle();  // others may have come since
    use.end = end_of(use.number, thread.clock());
    if (use.end <= thread.clock()) return;
    thread.spend(kind, use.end - thread.clock(), message);
  }
}

MemoryPort::Foreseen MemoryPort::begin(Time now, Bandwidth own, Bytes bytes) {
  return sharing_ == Sharing::in_turn ? begin_turn(now, own, bytes) : begin_share(now, own, bytes);
}

MemoryPort::Foreseen MemoryPort::begin_turn(Time now, Bandwidth own, Bytes bytes) {
  const Time begin = later_of(now, free_);
  free_ = begin + bandwidth_.time_for(bytes);
  return {0, begin, begin + slower_of(own, bandwidth_).time_for(bytes)};
}

MemoryPort::Foreseen MemoryPort::begin_share(Time now, Bandwidth own, Bytes bytes) {
  constexpr int fine_bits = 60 - 32;
  advance_to(now);
  const Work port_byte = bandwidth_.fine_time_for(1);
  const Work own_byte = std::max(port_byte, own.fine_time_for(1));
  const auto rate_max = static_cast<std::uint64_t>(port_byte * whole / own_byte);
  uses_.push_back({++last_number_, bandwidth_.fine_time_for(bytes.count()) << fine_bits, rate_max});
  share_out(uses_);
  return {last_number_, now, end_of(last_number_, now)};
}

// What is foreseen is played with copies of the uses, up to the end of this one.
Time MemoryPort::end_of(std::uint32_t number, Time now) {
  if (sharing_ == Sharing::in_turn) return now;
  advance_to(now);
  std::vector<Use> uses = uses_;
  for (Time at = now;;) {
    if (std::none_of(uses.begin(), uses.end(), [&](const Use& use) { return use.number == number; })) return at;
    const Time step = next_end(uses);
    advance(uses, step);
    at += step;
  }
}

// Who cannot use an equal share leaves the rest of it to the others.
void MemoryPort::share_out(std::vector<Use>& uses) {
  std::vector<Use*> by_rate;
  for (Use& use : uses) by_rate.push_back(&use);
  std::stable_sort(by_rate.begin(), by_rate.end(),
                   [](const Use* a, const Use* b) { return a->rate_max < b->rate_max; });
  std::uint64_t left = whole;
  std::uint64_t sharers = by_rate.size();
  for (Use* use : by_rate) {
    use->rate = std::min(use->rate_max, left / sharers--);
    left -= use->rate;
  }
}

// Divisions leave a little that is no work: less than a thousandth of a picosecond's.
Time MemoryPort::time_for(const Use& use) {
  constexpr Work nothing = whole >> 10;
  if (use.left <= nothing) return Time();
  return Time::ps(static_cast<std::int64_t>((use.left - nothing + use.rate - 1) / use.rate));
}

Time MemoryPort::next_end(const std::vector<Use>& uses) {
  Time first = Time::never();
  for (const Use& use : uses) first = std::min(first, time_for(use));
  return first;
}

void MemoryPort::advance(std::vector<Use>& uses, Time by) {
  for (Use& use : uses) use.left -= std::min(use.left, Work(use.rate) * static_cast<std::uint64_t>(by.in_ps()));
  if (std::erase_if(uses, [](const Use& use) { return time_for(use) == Time(); }) > 0) share_out(uses);
}

void MemoryPort::advance_to(Time now) {
  while (!uses_.empty() && advanced_to_ < now) {
    const Time step = std::min(next_end(uses_), now - advanced_to_);
    advance(uses_, step);
    advanced_to_ += step;
  }
  advanced_to_ = now;
}

}  // namespace hindcast
