// The way of a node's processors and units to the memory that they share. Whoever moves bytes has it for as long as
// they take: in turn, in the order in which they come, or all at one time, each with a fair share of its bandwidth.
//
// Who moves them may be slower than the port. In turn, the port is then free again after as long as it takes by itself;
// in fair shares, what one cannot use is the others'.
//
// Of many nodes, each port is looked at seldom, and every line of memory that it lies in is then fetched anew. So it
// lies in few: its lists run through the uses themselves.
//
// The port has no events. What has begun and what is over by a time is found out when somebody asks, so that a use
// costs one event or none, which is its owner's.
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/intrusive/list.hpp>
#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/engine/thread.hpp"
#include "simulator/engine/thread/errand.hpp"

namespace hindcast {

class alignas(64) MemoryPort {
 public:
  enum class Sharing : std::uint8_t { in_turn, fair };

  // What a processor or a unit moves of less than `waits_from` fits in between what others move, and takes none of
  // their time. A byte that a processor moves passes so many times: twice where the port's bandwidth counts what is
  // read and what is written.
  MemoryPort(Bandwidth bandwidth, Sharing sharing, Bytes waits_from = Bytes(), std::uint8_t passes = 1)
      : waits_from_(waits_from), sharing_(sharing), passes_(passes), bandwidth_(bandwidth) {}
  MemoryPort(const MemoryPort&) = delete;
  MemoryPort& operator=(const MemoryPort&) = delete;

  // Before the run: all threads that move anything are one rank's, so that what they do at one time comes in no order.
  void belong_to_one_rank() { is_one_ranks_ = true; }

  bool fits_in_between(Bytes bytes) const { return bytes < waits_from_; }

  // By a thread: its processor moves so many bytes, at `own` rate at most. Returns when the last one has been moved.
  void move(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message);
  // The same where the port is one rank's.
  Errand moves(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message);

  // In events, by a unit that moves bytes without the processor. A use is the port's, until it is given back.
  class Use;
  Use& begin(Time now, Bandwidth own, Bytes bytes) { return begin(now, own, bytes, 1); }
  static Time begin_of(const Use& use) { return use.begin_; }
  // When it was over, if it is by now. Else the time at which it would be if nobody else came: to ask again then.
  Time end_of(const Use& use, Time now);
  void give_back(Use& use);

  // Of a unit that moves one piece after the other, in the order of the times from which they may be moved.
  using Line = std::uint32_t;
  Line new_line();
  Use& line_up(Line line, Time from, Bandwidth own, Bytes bytes);
  bool is_idle(Line line, Time now) {
    if (next_change_ == Time::never()) {  // nobody uses the port
      assert(lines_[line].first == nullptr);
      return true;
    }
    advance_to(now);
    return lines_[line].first == nullptr;
  }
  bool was_idle_until(Line line, Time now);  // nothing is there that might be moved earlier

 private:
  // Work is in 2^-60 of what the port does in a picosecond, and a rate is how much of it is done in one.
  using Work = unsigned __int128;
  static constexpr std::uint64_t whole = std::uint64_t{1} << 60;

  struct Share {
    Work left;
    std::uint64_t rate_max;
    std::uint64_t rate = 0;

    // Divisions leave a little that is no work: less than a thousandth of a picosecond's.
    static constexpr Work nothing = whole >> 10;
    bool is_done() const { return left <= nothing; }
    Time time_at(std::uint64_t at) const;
    void pass(Time time);
  };

 public:
  class alignas(64) Use {
    friend MemoryPort;
    boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> in_list_;
    Share share_;  // in fair shares: left since then, at its rate
    Time share_since_;
    Time from_;
    Time begin_;
    Time end_;       // if all goes on as it does
    Time own_time_;  // in turn
    Time ports_time_;
    Line line_;
    Use* behind_ = nullptr;  // in its line; or the next that is free
    bool is_short_;
    bool has_begun_;
    bool is_certain_;  // that this is its end
  };

 private:
  class Moving;
  Errand moves_in_turn(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message);
  void spend_in_between(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message) const;
  using Uses = boost::intrusive::list<Use, boost::intrusive::member_hook<Use, decltype(Use::in_list_), &Use::in_list_>>;
  static constexpr Line no_line = ~Line{0};
  struct Waiting {
    Use* first = nullptr;  // this one moves
    Use* last = nullptr;
  };
  static constexpr std::size_t usual_lines = 2;  // of what is read, and of what is written

  Use& new_use(Time from, Bandwidth own, Bytes bytes, std::uint64_t passes, Line line);
  std::uint64_t rate_max(Bandwidth own, std::uint64_t passes);
  Use& begin(Time now, Bandwidth own, Bytes bytes, std::uint64_t passes);
  void advance_to(Time now) {
    while (next_change_ <= now) [[unlikely]] change(next_change_);
  }
  void change(Time now);
  void end_those_over(Uses& uses, Time now);
  void come(Use& use, Time now);
  void begin(Use& use, Time now);
  void share_out(Time now);
  void foresee_change();
  Time alone(const Use& use) const;
  Time foreseen_end(const Use& use, Time now);
  Time played_end(const Use& use, Time now);

  // What short messages look at comes first.
  const Bytes waits_from_;
  Time next_change_ = Time::never();  // of who uses the port, as far as is known
  const Sharing sharing_;
  bool is_one_ranks_ = false;
  const std::uint8_t passes_;
  const Bandwidth bandwidth_;
  Time free_;  // in turn: since when, or from when on
  Use* free_uses_ = nullptr;
  Uses sharers_;   // now, in fair shares: those who can move least first
  Uses in_lines_;  // now: others, whose ends are certain
  Uses coming_;    // into lines, the first first
  boost::container::small_vector<Waiting, usual_lines> lines_;
  Bandwidth last_own_;  // a unit's, whose greatest rate is known; at first one without a limit
  std::uint64_t last_rate_max_ = whole;
  std::vector<Share> played_;
  std::vector<std::unique_ptr<Use>> all_uses_;
};

// Through the port or, if it is null, where nobody else comes to the memory.
inline Errand moves_through(MemoryPort* port, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message) {
  Thread& thread = *Thread::current();
  if (port != nullptr) return port->moves(thread, kind, own, bytes, message);
  thread.spend(kind, own.time_for(bytes), message, bytes.count());
  return {};
}

}  // namespace hindcast
