// Threads of programs that wait for descriptors of this computer: pipes, sockets, counters of events. Who waits in the
// system for another rank, or another thread, would wait for ever, as ranks run in turn.
#pragma once

#include <poll.h>

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/programs/threads/wait_queue.hpp"

namespace hindcast::programs {

class ProgramThreads;

// A rank that has changed what a descriptor is ready for says so, and those that wait for it go on then. What changes
// in another way, by another process or past the program's calls, is looked for: soon at first, then after ever longer
// intervals of simulated time.
class DescriptorWaits final : public EventSink {
 public:
  explicit DescriptorWaits(Engine& engine) : engine_(engine), owner_(engine.new_owner()) {}

  struct Waiting : Waiter {
    Waiting(ProgramThread& who, std::span<pollfd> its_files) : Waiter(who), files(its_files) {}
    std::span<pollfd> files;
  };
  // Before the thread waits in this queue: one that is granted it has a descriptor that is ready.
  WaitQueue& queue_for_new();
  // Of a program that ends: none of its threads waits any more.
  void forget(const ProgramThreads& threads);
  // By a thread that has settled: it has changed something.
  void has_changed();
  // Another process has been started, which may have got descriptors of ours.
  void has_started_child() { has_started_child_ = true; }

  void fire(const Event& event) override;

 private:
  void look();
  void look_again_later(Time interval);
  bool wait_outside();
  void let_others_outside_run(Time interval);
  bool may_change_from_outside(int descriptor) const;
  std::vector<pollfd> all_files() const;

  Engine& engine_;
  EventOwner owner_;
  WaitQueue waiting_{};
  bool has_started_child_ = false;
  Time last_change_;
  std::uint64_t next_look_ = 0;  // its number: those before are out of date
};

}  // namespace hindcast::programs
