// What the calls of a run took: how many there were of each function, how long threads were in them, and how much of
// that they waited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "traces/recorded_step.hpp"

namespace hindcast {

class CallProfile final : public traces::Sink {
 public:
  // Of a function's calls. A call that another one makes, as from an attribute's callback, is that other's no more.
  struct Row {
    std::string name;
    std::uint64_t calls = 0;
    Time time;
    Time waits;
    Time longest;
    std::uint64_t messages = 0;  // sent
    std::uint64_t bytes = 0;
    std::map<int, Time> time_of_rank;
  };

  // How many ranks there are from the run's beginning on; others are born later.
  void begin(std::size_t ranks) { first_ranks_ = static_cast<int>(ranks); }
  void add(const traces::RecordedStep& step) override;
  // The run is over: a call that has not returned took until its thread's last step.
  void finish();

  // Of which calls took most, first. After `finish`.
  std::vector<Row> rows() const;
  // What was done outside of calls. After `finish`.
  const Row& outside() const { return outside_; }
  // Of all threads, from their beginning to their last step.
  Time time() const { return time_; }
  std::size_t threads() const { return threads_.size(); }
  // Each rank's, its threads' together.
  const std::map<int, Time>& time_of_rank() const { return time_of_rank_; }

 private:
  struct OpenCall {
    const char* name;
    Time begin;
    Time in_others;  // that it has made
  };
  struct Progress {
    Time begin;
    Time end;
    Time in_calls;
    std::vector<OpenCall> open;  // innermost last
    bool is_in_call = false;     // the last mark is that of a beginning
  };
  using ThreadId = std::pair<int, int>;  // rank, and which of its threads

  Row& row_of(const Progress& thread);
  void call_returns(int rank, Progress& thread, const char* name, Time end);
  void close_innermost(int rank, Progress& thread, Time end);
  bool is_there_from_the_beginning(const traces::Place& place) const;
  static void forget_innermost(Progress& thread);
  static void take_off(Progress& thread, Time took);

  int first_ranks_ = 0;
  std::map<ThreadId, Progress> threads_;
  std::map<std::string, Row> rows_;
  Row outside_;
  Time time_;
  std::map<int, Time> time_of_rank_;
};

}  // namespace hindcast
