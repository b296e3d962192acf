// The pending events in runs: queues in each of which every event is later than the one before. What takes the same
// time whenever it happens ends in the order in which it began, so that a few queues hold all events of a program whose
// ranks do the same: to put an event behind the right one, and to find the queue with the earliest, takes a few
// comparisons.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/events/event_blocks.hpp"
#include "simulator/engine/fetching.hpp"

namespace hindcast {

class EventRuns {
 public:
  EventRuns() = default;
  EventRuns(const EventRuns&) = delete;
  EventRuns& operator=(const EventRuns&) = delete;

  bool empty() const { return count_ == 0; }

  // An event is put at the end of the run that ends last of those that end before it. If none does, it begins a run,
  // and so the ends of runs are in order: each run ends before the one that began earlier. False if there would be too
  // many.
  bool put(const Event& event) {
    const Event::Place place = event.place();
    std::size_t which = 0;
    for (std::size_t other = 0; other < count_; ++other) which += place < ends_[other] ? 1 : 0;
    if (which == count_) [[unlikely]] {
      if (count_ == runs_max) return false;
      begin_run(event);
    } else {
      Run& run = runs_[which];
      if (run.last->is_full()) [[unlikely]]
        run.last = run.last->next = blocks_.take(nullptr);
      run.last->add(event);
      fetch_later(run.last->events.data() + run.last->used);
    }
    ends_[which] = place;
    return true;
  }

  // Gives events of the run that has the earliest to `take`, in order: those that come before all of other runs and not
  // behind `bound`, `most` at most. There are some.
  template <typename Take>
  void take_stretch(Event::Place bound, std::size_t most, const Take& take) {
    Run& run = *starts_[0].run;
    if (count_ > 1) bound = std::min(bound, starts_[1].place);
    do {
      take(*run.next);
      if (!is_there_more_after_next_of(run)) return end_run();
    } while (--most > 0 && run.next->place() <= bound);
    fetch_later(run.next);
    put_start_in_order(run.next->place());
  }

  // Gives all events that do not come behind `bound` to `take`, in order.
  template <typename Take>
  void take_until(Event::Place bound, const Take& take) {
    while (!empty() && starts_[0].place <= bound) take_stretch(bound, EventBlock::size, take);
  }

  template <typename Condition>
  bool all_are(Condition condition) const {
    return std::all_of(starts_.begin(), starts_.begin() + count_, [&](const Start& start) {
      const Event* from = start.run->next;
      for (const EventBlock* block = start.run->first; block != nullptr; block = block->next) {
        if (!std::all_of(from, block->all().data() + block->used, condition)) return false;
        if (block->next != nullptr) from = block->next->events.data();
      }
      return true;
    });
  }

 private:
  static constexpr std::size_t runs_max = 12;

  struct Run {
    const Event* next = nullptr;  // in the first block
    EventBlock* first = nullptr;
    EventBlock* last = nullptr;
  };
  struct Start {
    Event::Place place = 0;
    Run* run = nullptr;
  };

  // Runs are read and written in order. The processor does not see that by itself, as so much happens between one event
  // and the next.
  static void fetch_later(const Event* next) { fetch_lines(next, 2, 3); }

  void begin_run(const Event& event) {
    Run& run = runs_[count_];
    run.first = run.last = blocks_.take(nullptr);
    run.first->add(event);
    run.next = run.first->events.data();
    std::size_t place = count_++;
    for (; place > 0 && event.place() < starts_[place - 1].place; --place) starts_[place] = starts_[place - 1];
    starts_[place] = {event.place(), &run};
  }
  bool is_there_more_after_next_of(Run& run) {
    if (++run.next != run.first->all().data() + run.first->used) [[likely]]
      return true;
    EventBlock* const used_up = run.first;
    run.first = used_up->next;
    blocks_.give_back(*used_up);
    if (run.first == nullptr) return false;
    run.next = run.first->events.data();
    return true;
  }
  // Of the first run, which is the last to have begun: its end has come before all other events, and so before their
  // ends.
  void end_run() {
    --count_;
    std::copy(starts_.begin() + 1, starts_.begin() + 1 + count_, starts_.begin());
  }
  // Of the first run.
  void put_start_in_order(Event::Place start) {
    Run* const run = starts_[0].run;
    std::size_t place = 0;
    for (; place + 1 < count_ && starts_[place + 1].place < start; ++place) starts_[place] = starts_[place + 1];
    starts_[place] = {start, run};
  }

  std::size_t count_ = 0;
  std::array<Event::Place, runs_max> ends_ = {};
  std::array<Start, runs_max> starts_ = {};  // the earliest first
  std::array<Run, runs_max> runs_ = {};
  EventBlocks blocks_;
};

}  // namespace hindcast
