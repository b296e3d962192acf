// What all contexts of a run share: the numbers of the machine's file, the records of requests.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "mpi_impl/libraries/nexus/native/costs.hpp"
#include "mpi_impl/libraries/nexus/native/message.hpp"
#include "simulator/engine/end_run.hpp"
#include "simulator/engine/kept_texts.hpp"

namespace hindcast::nexus {

class System {
 public:
  System(Costs costs, EndRun end_run) : costs_(std::move(costs)), end_run_(std::move(end_run)) {}

  const Costs& costs() const { return costs_; }
  [[noreturn]] void end_run(const std::string& line) const { end_run_(1, line); }

  // In the order of their ranks.
  void add(Context& context) { contexts_.push_back(&context); }
  Context& context(int number) { return *contexts_[static_cast<std::size_t>(number)]; }
  int contexts() const { return static_cast<int>(contexts_.size()); }

  // The machines that contexts are on, in the order of the first one on each.
  struct UsedMachine {
    std::string name;
    int processors = 0;  // that it has, used or not
    std::vector<int> contexts = {};
  };
  // Of the context that was added last.
  void place(const std::string& machine, int processors);
  const std::vector<UsedMachine>& machines() const { return machines_; }
  int machine_of(int context) const { return machine_of_[static_cast<std::size_t>(context)]; }
  // For a program, which may look at it as long as the run lasts.
  const char* keep_text(const std::string& text) { return texts_.keep(text); }

  std::string database;  // that the run was started by; none: empty

  Message& new_message();
  void free_message(Message& message);

 private:
  const Costs costs_;
  const EndRun end_run_;
  std::vector<Context*> contexts_;
  std::vector<UsedMachine> machines_;
  std::vector<int> machine_of_;  // by context
  KeptTexts texts_;
  std::deque<Message> messages_;
  std::vector<Message*> unused_messages_;
};

}  // namespace hindcast::nexus
