#include "simulator/hardware/node/memory_port.hpp"

#include <algorithm>

namespace hindcast {

namespace {

const StepKind waits_for_memory{"wait for the node's memory", ""};

}  // namespace

void MemoryPort::move(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message) {
  if (fits_in_between(bytes))
    return thread.spend(kind, later_of(own.time_for(bytes), bandwidth_.time_for(bytes.count() * passes_)), message,
                        bytes.count());
  thread.settle();  // others may come before
  Foreseen use = begin(thread.clock(), own, bytes, passes_);
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

MemoryPort::Foreseen MemoryPort::begin(Time now, Bandwidth own, Bytes bytes, std::uint64_t passes) {
  if (sharing_ == Sharing::fair) return begin_share(now, own, bytes, passes);
  return begin_turn(now, own.time_for(bytes), bandwidth_.time_for(bytes.count() * passes));
}

MemoryPort::Foreseen MemoryPort::begin_turn(Time now, Time own, Time ports) {
  const Time begin = later_of(now, free_);
  free_ = begin + ports;
  return {Foreseen::is_certain, begin, begin + later_of(own, ports)};
}

MemoryPort::Foreseen MemoryPort::begin_share(Time now, Bandwidth own, Bytes bytes, std::uint64_t passes) {
  constexpr int fine_bits = 60 - 32;
  advance_to(now);
  const Work port_byte = bandwidth_.fine_time_for(passes);
  const Work own_byte = std::max(port_byte, own.fine_time_for(1));
  const auto rate_max = static_cast<std::uint64_t>(port_byte * whole / own_byte);
  const auto place = std::upper_bound(uses_.begin(), uses_.end(), rate_max,
                                      [](std::uint64_t rate, const Use& use) { return rate < use.rate_max; });
  uses_.insert(place, {++last_number_, bandwidth_.fine_time_for(bytes.count() * passes) << fine_bits, rate_max});
  share_out(uses_);
  return {last_number_, now, end_of(last_number_, now)};
}

// What is foreseen is played with copies of the uses, up to the end of this one. One alone goes on as it does.
Time MemoryPort::end_of(std::uint32_t number, Time now) {
  if (number == Foreseen::is_certain) return now;
  advance_to(now);
  if (uses_.size() == 1 && uses_.front().number == number) return now + time_for(uses_.front());
  foreseen_ = uses_;
  for (Time at = now;;) {
    if (std::none_of(foreseen_.begin(), foreseen_.end(), [&](const Use& use) { return use.number == number; }))
      return at;
    const Time step = next_end(foreseen_);
    advance(foreseen_, step);
    at += step;
  }
}

// Who cannot use an equal share leaves the rest of it to the others.
void MemoryPort::share_out(std::vector<Use>& uses) {
  std::uint64_t left = whole;
  std::uint64_t sharers = uses.size();
  for (Use& use : uses) {
    use.rate = std::min(use.rate_max, left / sharers--);
    left -= use.rate;
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
