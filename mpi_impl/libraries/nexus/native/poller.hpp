// The order in which a context polls its methods: passes, in which each method is polled that is due. A skip count is
// kept from one wait to the next. A wait is not simulated poll by poll: which poll finds what has come, and when,
// follows from when the wait began.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mpi_impl/libraries/nexus/native/method.hpp"

namespace hindcast::nexus {

using Methods = std::vector<std::unique_ptr<Method>>;

class Poller {
 public:
  explicit Poller(const Methods& methods) : methods_(methods) {}

  // Passes are made one after the other from now on.
  void begin(Time start) {
    time_ = start;
    next_ = 0;
  }
  // The method whose poll finds something first, as things stand, and the end of that poll. Polls are made up to that
  // one.
  struct Found {
    Method* method;
    Time at;
  };
  std::optional<Found> find() const;
  void advance_to(const Found& found);
  // Makes the polls that have begun before this time: none of them finds anything. The end of the last.
  Time advance_past(Time time);
  // When the poll is over that is being made at this time, or is about to be.
  Time end_of_poll_at(Time time) const;
  // The next poll of the pass that has begun; null: it is over.
  Method* next_in_pass();

 private:
  // A copy of it goes ahead; the context's own is moved when it is known how far.
  struct Place {
    Time time;
    std::size_t next;
    std::vector<int> passes;
  };
  Place place() const;
  void move_to(const Place& place);
  bool is_due(Place& place) const;
  Place place_past(Time time) const;
  void skip_passes_without_polls(Place& place) const;
  void skip_cycles(Place& place, Time before) const;

  const Methods& methods_;
  Time time_;             // when the next poll begins
  std::size_t next_ = 0;  // of which method, if it is due
};

}  // namespace hindcast::nexus
