// One process of the simulated program: an identity and one or more threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/thread.hpp"

namespace hindcast {

// What keeps count of the memory that a rank's program has read or written, such as a cache of its processor.
class TouchedMemory {
 public:
  // By a thread of the rank, at its clock.
  virtual void touched(Thread& thread, const void* address, Bytes bytes) = 0;

 protected:
  ~TouchedMemory() = default;
};

// What a switch looks at is in the first line of the cache.
struct alignas(64) Rank {
  Rank(Engine& in, int number, std::string on_node) : engine(in), id(number), node_name(std::move(on_node)) {}

  Engine& engine;
  const int id;
  // What the layers above keep for a rank; each is owned by the layer that sets it.
  void* program = nullptr;
  void* library = nullptr;
  void* native = nullptr;                   // the vendor's library, where there is one
  TouchedMemory* touched_memory = nullptr;  // where that makes a difference
  Thread* only_thread = nullptr;            // if there is one, and no more
  const void* in_call = nullptr;            // of the library's; a thread that goes on finds its own here again
  std::vector<std::unique_ptr<Thread>> threads;
  const std::string node_name;

  // Until the rank has gone.
  Thread& main_thread() { return *threads.front(); }
  // Which of the rank's threads works on what arrives now: the first that waits where its library looks at arrivals, or
  // the main one.
  Thread& attendant() { return only_thread != nullptr ? *only_thread : attendant_of_several(); }
  // How the library makes progress in all of the rank's threads, also in those to come.
  void set_progress(Progress progress, Time poll_period);
  // Its processor is one that the system interrupts, whatever the library's progress: before it runs.
  void set_may_be_interrupted();
  // A rank with several threads, or one that shares memory or a processor with others, does not run ahead of the clock.
  void stop_running_ahead() {
    may_run_ahead = false;
    for (auto& thread : threads) thread->stop_running_ahead();
  }
  bool may_run_ahead = true;
  SharedProcessor* processor = nullptr;  // if others use it too
  Progress progress = Progress::hardware;
  bool may_be_interrupted = false;
  Time poll_period;

 private:
  friend class Engine;
  void add(std::unique_ptr<Thread> thread);
  std::unique_ptr<Thread> remove(const Thread& thread);

  Thread& attendant_of_several();
};

// A handler will wake the thread soon. Fetches, level by level, what the handler looks at of it, and then what the
// thread looks at if it waits.
inline void fetch_thread(const Thread& thread, FetchLevel level) {
  if (level == 0) fetch_lines(&thread, 0, 4);
  if (level <= 1) thread.fetch_quiet_acts(level);
  if (level >= 1 && thread.state() == Thread::State::waiting) thread.fetch_what_it_needs(level - 1);
}
// Fetches the same of the rank's only thread, one level later, as that is known when the rank has been fetched.
inline void fetch_thread(const Rank& rank, FetchLevel level) {
  if (level == 0) return fetch_lines(&rank, 0, 1);
  if (rank.only_thread != nullptr) fetch_thread(*rank.only_thread, level - 1);
}

}  // namespace hindcast
