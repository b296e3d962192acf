// Looks that threads have taken while nothing else happened: how many there were, and who keeps looking. Nobody can
// know that what a program looks for will never come, but if all that its threads do is to look, it is likely.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hindcast {

class IdleLooks {
 public:
  // A thread's own.
  struct Own {
    std::uint32_t round = 0;
    std::uint32_t looks = 0;  // in that round
  };

  // Each of the two may be 0: never.
  IdleLooks(std::uint64_t told_after, std::uint64_t too_many)
      : told_after_(or_never(told_after)),
        too_many_(or_never(too_many)),
        in_a_round_((std::min({told_after_, too_many_, in_rounds_max}) + rounds - 1) / rounds) {}

  std::uint64_t count() const { return count_; }
  void count(Own& own) {
    if (count_++ == 0) begin_round(0, in_a_round_);
    if (own.round != round_) own = {round_, 0};
    ++own.looks;
  }
  // Something else has happened.
  void begin_again() { count_ = 0; }

  // Whether somebody has to find out now who keeps looking, and then to begin again or the next round.
  bool are_to_be_judged() const { return count_ >= judged_at_; }
  // The one before may have been judged late.
  void begin_next_round() { begin_round(count_, std::max(judged_at_ + in_a_round_, count_ + in_a_round_ / 2)); }
  bool are_to_be_told() const { return !are_told_ && count_ >= told_after_; }
  void are_told() { are_told_ = true; }
  bool are_too_many() const { return count_ >= too_many_; }

  // Whether a thread has looked in this round, and not much less often than others. One that does something else for
  // long, with a look now and then, does not keep looking, and one that has stopped has no look in the next round.
  bool keeps_looking(const Own& own, std::size_t threads) const {
    constexpr std::uint64_t share_of_equal_min = 100;
    return own.round == round_ && own.looks >= 2 &&
           own.looks * threads * share_of_equal_min >= count_ - count_before_round_;
  }
  // Whether a round has ended in which all threads that did not wait kept looking, and nothing has happened since.
  bool is_past_a_round() const { return count_ > 0 && count_before_round_ > 0; }

 private:
  static constexpr std::uint64_t never = UINT64_MAX;
  static constexpr std::uint64_t rounds = 8;  // until they are told or too many
  static constexpr std::uint64_t in_rounds_max = UINT32_MAX;
  static std::uint64_t or_never(std::uint64_t count) { return count > 0 ? count : never; }

  void begin_round(std::uint64_t count_before, std::uint64_t judged_at) {
    ++round_;
    count_before_round_ = count_before;
    judged_at_ = judged_at;
  }

  std::uint64_t told_after_;
  std::uint64_t too_many_;
  std::uint64_t in_a_round_;
  std::uint64_t count_ = 0;
  std::uint64_t count_before_round_ = 0;
  std::uint64_t judged_at_ = never;
  std::uint32_t round_ = 0;
  bool are_told_ = false;
};

}  // namespace hindcast
