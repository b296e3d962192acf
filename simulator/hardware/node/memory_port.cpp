#include "simulator/hardware/node/memory_port.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace hindcast {

namespace {

const StepKind waits_for_memory{"wait for the node's memory", ""};

// Who cannot use an equal share leaves the rest of it to the others.
template <typename Shares, typename Give>
void give_shares(Shares& shares, std::uint64_t whole, const Give& give) {
  std::uint64_t left = whole;
  std::uint64_t sharers = shares.size();
  for (auto& share : shares) {
    left -= give(share, sharers > 1 ? left / sharers : left);  // a division takes long
    --sharers;
  }
}

}  // namespace

// --- by threads ---

// What a thread moves: at its clock, which is now, others may have come since it last looked.
class MemoryPort::Moving final : public Continuation {
 public:
  Moving(MemoryPort& port, Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message)
      : port_(port), thread_(thread), kind_(kind), own_(own), bytes_(bytes.count()), message_(message) {}

  Onward go_on() override {
    if (use_ == nullptr) {
      begin();
      if (use_->is_certain_) return end_after(use_->end_ - use_->begin_);
    }
    const Time end = port_.end_of(*use_, thread_.clock());
    if (end <= thread_.clock()) return end_after(Time());
    spend(end - thread_.clock());
    return Onward::settles();
  }
  void fetch(FetchLevel level) const override {
    if (level > 0) return;
    constexpr int lines_of_port = 3;
    constexpr int lines_of_use = 2;
    fetch_lines(&port_, 0, lines_of_port);
    fetch_lines(use_, 0, lines_of_use);
  }

 private:
  void begin() {
    use_ = &port_.begin(thread_.clock(), own_, Bytes(bytes_), port_.passes_);
    if (use_->begin_ > thread_.clock()) thread_.spend(waits_for_memory, use_->begin_ - thread_.clock(), message_);
  }
  void spend(Time cost) { thread_.spend(kind_, cost, message_, std::exchange(bytes_, 0)); }
  Onward end_after(Time cost) {
    if (cost > Time()) spend(cost);
    port_.give_back(*use_);
    return Onward::runs();
  }

  MemoryPort& port_;
  Thread& thread_;
  const StepKind& kind_;
  const Bandwidth own_;
  std::uint64_t bytes_;  // that no step has told of
  const MessageId message_;
  Use* use_ = nullptr;
};

void MemoryPort::move(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message) {
  if (fits_in_between(bytes)) return spend_in_between(thread, kind, own, bytes, message);
  Moving moving(*this, thread, kind, own, bytes, message);
  if (is_one_ranks_) return thread.settle_with(moving);
  do thread.settle();
  while (moving.go_on().what == Onward::What::settle);
}

Errand MemoryPort::moves(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message) {
  assert(is_one_ranks_);
  if (!fits_in_between(bytes)) return moves_in_turn(thread, kind, own, bytes, message);
  spend_in_between(thread, kind, own, bytes, message);
  return {};
}

Errand MemoryPort::moves_in_turn(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes, MessageId message) {
  Moving moving(*this, thread, kind, own, bytes, message);
  do co_await settled();
  while (moving.go_on().what == Onward::What::settle);
}

void MemoryPort::spend_in_between(Thread& thread, const StepKind& kind, Bandwidth own, Bytes bytes,
                                  MessageId message) const {
  thread.spend(kind, later_of(own.time_for(bytes), bandwidth_.time_for(bytes.count() * passes_)), message,
               bytes.count());
}

// --- in events ---

MemoryPort::Use& MemoryPort::begin(Time now, Bandwidth own, Bytes bytes, std::uint64_t passes) {
  advance_to(now);
  Use& use = new_use(now, own, bytes, passes, no_line);
  begin(use, now);
  if (sharing_ == Sharing::fair) share_out(now);
  return use;
}

MemoryPort::Line MemoryPort::new_line() {
  lines_.emplace_back();
  return static_cast<Line>(lines_.size() - 1);
}

MemoryPort::Use& MemoryPort::line_up(Line line, Time from, Bandwidth own, Bytes bytes) {
  Use& use = new_use(from, own, bytes, 1, line);
  auto place = coming_.end();
  while (place != coming_.begin() && std::prev(place)->from_ > from) --place;
  coming_.insert(place, use);
  next_change_ = std::min(next_change_, from);
  return use;
}

bool MemoryPort::was_idle_until(Line line, Time now) { return is_idle(line, now) || lines_[line].first->from_ >= now; }

Time MemoryPort::end_of(const Use& use, Time now) {
  advance_to(now);  // so that one that is over has left its line
  return use.is_certain_ ? use.end_ : foreseen_end(use, now);
}

void MemoryPort::give_back(Use& use) {
  use.behind_ = free_uses_;
  free_uses_ = &use;
}

MemoryPort::Use& MemoryPort::new_use(Time from, Bandwidth own, Bytes bytes, std::uint64_t passes, Line line) {
  if (free_uses_ == nullptr) free_uses_ = all_uses_.emplace_back(std::make_unique<Use>()).get();
  Use& use = *free_uses_;
  free_uses_ = use.behind_;
  use.from_ = from;
  use.line_ = line;
  use.behind_ = nullptr;
  use.has_begun_ = false;
  use.is_certain_ = false;
  use.is_short_ = fits_in_between(bytes);
  if (sharing_ == Sharing::in_turn || use.is_short_) {
    use.ports_time_ = bandwidth_.time_for(bytes.count() * passes);
    use.own_time_ = own.time_for(bytes);
    return use;
  }
  constexpr int fine_bits = 60 - 32;
  use.share_ = {bandwidth_.fine_time_for(bytes.count() * passes) << fine_bits, rate_max(own, passes)};
  return use;
}

// The greatest rate of who moves bytes at `own`. The last one that was found out for a unit is kept, as a division
// takes long.
std::uint64_t MemoryPort::rate_max(Bandwidth own, std::uint64_t passes) {
  if (passes == 1 && own == last_own_) return last_rate_max_;
  const Work port_byte = bandwidth_.fine_time_for(passes);
  const Work own_byte = std::max(port_byte, Work(own.fine_time_for(1)));
  const auto rate = static_cast<std::uint64_t>(port_byte * whole / own_byte);
  if (passes == 1) {
    last_own_ = own;
    last_rate_max_ = rate;
  }
  return rate;
}

// --- who uses the port ---

// Those that are over leave it before others come, at one time.
void MemoryPort::change(Time now) {
  end_those_over(sharers_, now);
  if (!in_lines_.empty()) end_those_over(in_lines_, now);
  while (!coming_.empty() && coming_.front().from_ <= now) {
    Use& use = coming_.front();
    coming_.pop_front();
    come(use, now);
  }
  if (sharing_ == Sharing::fair)
    share_out(now);
  else
    foresee_change();
}

void MemoryPort::end_those_over(Uses& uses, Time now) {
  for (auto next = uses.begin(); next != uses.end();) {
    Use& use = *next;
    if (use.end_ > now) {
      ++next;
      continue;
    }
    next = uses.erase(next);
    use.is_certain_ = true;
    if (use.line_ == no_line) continue;
    Waiting& line = lines_[use.line_];
    line.first = use.behind_;
    if (line.first != nullptr) begin(*line.first, now);
  }
}

void MemoryPort::come(Use& use, Time now) {
  Waiting& line = lines_[use.line_];
  Use* const before = std::exchange(line.last, &use);
  if (line.first != nullptr) {
    before->behind_ = &use;
    return;
  }
  line.first = &use;
  begin(use, now);
}

void MemoryPort::begin(Use& use, Time now) {
  use.has_begun_ = true;
  use.begin_ = now;
  if (sharing_ == Sharing::fair && !use.is_short_) {
    use.end_ = Time::never();  // until shares are given
    use.share_since_ = now;
    sharers_.insert(std::find_if(sharers_.begin(), sharers_.end(),
                                 [&](const Use& other) { return other.share_.rate_max > use.share_.rate_max; }),
                    use);
    return;
  }
  if (!use.is_short_) {
    use.begin_ = later_of(now, free_);
    free_ = use.begin_ + use.ports_time_;
  }
  use.end_ = use.begin_ + later_of(use.own_time_, use.ports_time_);
  use.is_certain_ = true;
  if (use.line_ != no_line) in_lines_.push_back(use);
}

// What is left of one that moves as fast as before is what it was.
void MemoryPort::share_out(Time now) {
  give_shares(sharers_, whole, [now](Use& use, std::uint64_t equal) {
    Share& share = use.share_;
    const std::uint64_t rate = std::min(share.rate_max, equal);
    if (rate == share.rate) return rate;
    share.pass(now - use.share_since_);
    share.rate = rate;
    use.share_since_ = now;
    use.end_ = now + share.time_at(rate);
    return rate;
  });
  foresee_change();
}

void MemoryPort::foresee_change() {
  next_change_ = coming_.empty() ? Time::never() : coming_.front().from_;
  for (const Use& use : sharers_) next_change_ = std::min(next_change_, use.end_);
  for (const Use& use : in_lines_) next_change_ = std::min(next_change_, use.end_);
}

// --- what is foreseen ---

Time MemoryPort::Share::time_at(std::uint64_t at) const {
  if (is_done()) return Time();
  return Time::ps(static_cast<std::int64_t>((left - nothing + at - 1) / at));
}

void MemoryPort::Share::pass(Time time) {
  left -= std::min(left, Work(rate) * static_cast<std::uint64_t>(time.in_ps()));
}

// What it takes if it has begun and nobody else is there.
Time MemoryPort::alone(const Use& use) const {
  if (sharing_ == Sharing::fair && !use.is_short_) return use.share_.time_at(use.share_.rate_max);
  return later_of(use.own_time_, use.ports_time_);
}

Time MemoryPort::foreseen_end(const Use& use, Time now) {
  if (use.has_begun_) return use.share_.rate == use.share_.rate_max ? use.end_ : played_end(use, now);
  const Use* before = lines_[use.line_].first;
  if (use.from_ > now || before == nullptr) return use.from_ + alone(use);
  Time end = before->is_certain_ ? before->end_ : foreseen_end(*before, now);
  while (before != &use) {
    before = before->behind_;
    end += alone(*before);
  }
  return end;
}

// What is foreseen is played with copies of the shares, up to the end of this one.
Time MemoryPort::played_end(const Use& use, Time now) {
  played_.clear();
  std::size_t looked_at = 0;
  for (const Use& other : sharers_) {
    if (&other == &use) looked_at = played_.size();
    played_.push_back(other.share_);
    played_.back().pass(now - other.share_since_);
  }
  for (Time at = now;;) {
    Time step = Time::never();
    for (const Share& share : played_) step = std::min(step, share.time_at(share.rate));
    at += step;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < played_.size(); ++i) {
      Share& share = played_[i];
      share.pass(step);
      if (!share.is_done()) {
        if (i == looked_at) looked_at = kept;
        played_[kept++] = share;
      } else if (i == looked_at) {
        return at;
      }
    }
    played_.resize(kept);
    give_shares(played_, whole,
                [](Share& share, std::uint64_t equal) { return share.rate = std::min(share.rate_max, equal); });
  }
}

}  // namespace hindcast
