// One process of the simulated program: an identity and one or more threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/thread.hpp"

namespace hindcast {

// What a switch looks at is in the first line of the cache.
struct alignas(64) Rank {
  Rank(Engine& in, int number, std::string on_node) : engine(in), id(number), node_name(std::move(on_node)) {}

  Engine& engine;
  const int id;
  // What the layers above keep for a rank; each is owned by the layer that sets it.
  void* program = nullptr;
  void* library = nullptr;
  void* native = nullptr;  // the vendor's library, where there is one
  std::vector<std::unique_ptr<Thread>> threads;
  const std::string node_name;

  Thread& main_thread() { return *threads.front(); }
  // A rank with several threads, or one that shares memory or a processor with others, does not run ahead of the clock.
  void stop_running_ahead() {
    may_run_ahead = false;
    for (auto& thread : threads) thread->stop_running_ahead();
  }
  bool may_run_ahead = true;
};

}  // namespace hindcast
