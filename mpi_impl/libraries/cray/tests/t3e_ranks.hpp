// Ranks that call MPI's endpoint on the T3E, each a function of a test's, and what a run of them comes to.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <numeric>
#include <sstream>

#include "mpi_impl/libraries/common/library.hpp"
#include "mpi_impl/libraries/cray/tests/t3e_parts.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/ranks.hpp"
#include "traces/stream.hpp"

namespace hindcast::mpi {

using test::NoWait;

inline const T3eMode new_library;
inline const T3eMode old_library{.is_old = true};

// What one rank of a test calls.
class Caller {
 public:
  Caller(Endpoint& endpoint, int rank, int ranks, std::vector<Time>& told)
      : endpoint_(endpoint), rank_(rank), ranks_(ranks), told_(told) {}

  int rank() const { return rank_; }
  Thread& thread() const { return *Thread::current(); }
  Endpoint& endpoint() const { return endpoint_; }

  void begin_send(SendOperation& send, const std::vector<char>& data, int to, SendMode mode = SendMode::standard,
                  int tag = 0) const {
    send.data = data.data();
    send.bytes = Bytes(data.size());
    send.envelope = {0, rank_, tag};
    send.destination = to;
    send.mode = mode;
    endpoint_.send(send);
  }
  void send(const std::vector<char>& data, int to, SendMode mode = SendMode::standard, int tag = 0) const {
    SendOperation send;
    begin_send(send, data, to, mode, tag);
    end(send);
  }
  void begin_receive(ReceiveOperation& receive, std::vector<char>& data, int from, int tag = 0) const {
    receive.data = data.data();
    receive.capacity = Bytes(data.size());
    receive.pattern = {0, from, tag};
    endpoint_.receive(receive);
  }
  void receive(std::vector<char>& data, int from, int tag = 0) const {
    ReceiveOperation receive;
    begin_receive(receive, data, from, tag);
    end(receive);
  }
  template <typename Operation>
  void end(Operation& operation) const {
    wait_for(operation);
    if constexpr (std::is_same_v<Operation, SendOperation>) endpoint_.release_buffer(operation);
    endpoint_.finish(operation);
  }
  void wait_for(Completion& completion) const {
    NoWait why;
    Gate gate(thread());
    gate.add(completion);
    endpoint_.wait(gate, why);
  }
  void meet() const {
    Operation over;
    endpoint_.group_operations()->meet({0, rank_, ranks_}, over);
    wait_for(over);
  }
  void compute(Time time) const { thread().charge(time); }
  void leave() const { endpoint_.leave(); }
  // For the test to look at afterwards.
  void tell(Time time) const { told_.push_back(time); }

 private:
  Endpoint& endpoint_;
  int rank_;
  int ranks_;
  std::vector<Time>& told_;
};

// How many steps there were, by name.
using Counts = std::map<std::string, int>;

class StepCounter final : public traces::Sink {
 public:
  void add(const traces::RecordedStep& step) override { ++counts[step.kind->name]; }
  Counts counts;
};

using Program = std::function<void(const Caller&)>;

struct Outcome {
  Counts counts;
  std::vector<Time> ends;  // of the ranks
  std::vector<Time> told;
  int of(const std::string& name) const {
    const auto found = counts.find(name);
    return found != counts.end() ? found->second : 0;
  }
};

// One program for each rank, on the T3E's network, in this process. Steps are counted if they are recorded.
inline Outcome run_here(const T3eMode& mode, const std::vector<Program>& programs, bool lockstep,
                        const std::function<void(Ending)>& on_end, bool is_recorded = true) {
  EngineOptions options;
  options.lockstep = lockstep;
  Engine engine(options);
  const MachineFile file = load_machine("t3e-900");
  const int ranks = static_cast<int>(programs.size());
  const auto machine = Machine::build(engine, file, ranks, library_of(file).parts_for(file));
  Outcome outcome;
  outcome.ends.resize(programs.size());
  StepCounter counter;
  traces::Stream stream(engine, counter);
  if (is_recorded) engine.set_recorder(&stream);
  T3eParts parts(engine, machine->network(), ranks, mode);
  std::vector<Endpoint*> endpoints;
  for (int rank = 0; rank < ranks; ++rank) {
    Rank& added = engine.add_rank(machine->node_name(rank));
    engine.start_thread(added, [&, rank] {
      const Caller caller(*endpoints[static_cast<std::size_t>(rank)], rank, ranks, outcome.told);
      programs[static_cast<std::size_t>(rank)](caller);
      caller.leave();
      outcome.ends[static_cast<std::size_t>(rank)] = Thread::current()->clock();
    });
    endpoints.push_back(&parts.add(added, rank));
  }
  engine.run(on_end);
  stream.finish();
  outcome.counts = counter.counts;
  return outcome;
}

// The same in a process of its own, as there is one engine in each.
inline Outcome run(const T3eMode& mode, const std::vector<Program>& programs, bool lockstep = false,
                   bool is_recorded = true) {
  std::istringstream text(test::text_from_child([&] {
    const Outcome outcome = run_here(mode, programs, lockstep, test::must_not_end_early, is_recorded);
    if (testing::Test::HasFailure()) _exit(3);
    std::string lines;
    for (const auto& [name, count] : outcome.counts) lines += fmt::format("count {} {}\n", count, name);
    for (const Time end : outcome.ends) lines += fmt::format("end {}\n", end.in_ps());
    for (const Time told : outcome.told) lines += fmt::format("told {}\n", told.in_ps());
    return lines;
  }));
  Outcome outcome;
  std::int64_t number = 0;
  for (std::string what, name; text >> what >> number;) {
    std::getline(text, name);
    if (what == "count")
      outcome.counts[name.substr(1)] = static_cast<int>(number);
    else
      (what == "end" ? outcome.ends : outcome.told).push_back(Time::ps(number));
  }
  return outcome;
}

inline std::vector<char> data_of(std::size_t bytes, int seed = 1) {
  std::vector<char> data(bytes);
  std::iota(data.begin(), data.end(), static_cast<char>(seed));
  return data;
}

}  // namespace hindcast::mpi
