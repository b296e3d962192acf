// The way of a node's processors and units to the memory that they share. Whoever moves bytes has it for as long as
// they take: in turn, in the order in which they come, or all at one time, each with a fair share of its bandwidth.
//
// Who moves them may be slower than the port. In turn, the port is then free again after as long as it takes by itself;
// in fair shares, what one cannot use is the others'.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/engine/thread.hpp"

namespace hindcast {

class MemoryPort {
 public:
  enum class Sharing : std::uint8_t { in_turn, fair };

  // What a processor or a unit moves of less than `waits_from` fits in between what others move, and takes none of
  // their time. A byte that a processor moves passes so many times: twice where the port's bandwidth counts what is
  // read and what is written.
  MemoryPort(Bandwidth bandwidth, Sharing sharing, Bytes waits_from = Bytes(), std::uint64_t passes = 1)
      : bandwidth_(bandwidth), sharing_(sharing), waits_from_(waits_from), passes_(passes) {}
  MemoryPort(const MemoryPort&) = delete;
  MemoryPort& operator=(const MemoryPort&) = delete;

  bool fits_in_between(Bytes bytes) const { return bytes < waits_from_; }

  // By a thread: its processor moves so many bytes, at `own` rate at most. Returns when the last one has been moved.
  void move(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message);

  // In an event, by a unit that moves bytes without the processor. `end` is when it would be done if nobody else came:
  // at that time the unit asks again, until it is done.
  struct Foreseen {
    static constexpr std::uint32_t is_certain = 0;
    std::uint32_t number;  // or that nobody who comes changes the end
    Time begin;
    Time end;
  };
  Foreseen begin(Time now, Bandwidth own, Bytes bytes) {
    if (!fits_in_between(bytes)) return begin(now, own, bytes, 1);
    return {Foreseen::is_certain, now, now + slower_of(own, bandwidth_).time_for(bytes)};
  }
  // `now`, if it is done.
  Time end_of(std::uint32_t number, Time now);

 private:
  // Work is in 2^-60 of what the port does in a picosecond, and a rate is how much of it is done in one.
  using Work = unsigned __int128;
  static constexpr std::uint64_t whole = std::uint64_t{1} << 60;

  struct Use {
    std::uint32_t number;
    Work left;
    std::uint64_t rate_max;
    std::uint64_t rate = 0;
  };
  static void share_out(std::vector<Use>& uses);
  static Time time_for(const Use& use);
  static Time next_end(const std::vector<Use>& uses);
  static void advance(std::vector<Use>& uses, Time by);
  void advance_to(Time now);

  Foreseen begin(Time now, Bandwidth own, Bytes bytes, std::uint64_t passes);
  Foreseen begin_turn(Time now, Time own, Time ports);
  Foreseen begin_share(Time now, Bandwidth own, Bytes bytes, std::uint64_t passes);

  const Bandwidth bandwidth_;
  const Sharing sharing_;
  const Bytes waits_from_;
  const std::uint64_t passes_;
  Time free_;              // in turn: since when, or from when on
  std::vector<Use> uses_;  // in fair shares, those who can move least first
  std::vector<Use> foreseen_;
  Time advanced_to_;
  std::uint32_t last_number_ = 0;
};

}  // namespace hindcast
