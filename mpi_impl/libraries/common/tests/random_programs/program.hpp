// One rank's way through the plan of a random program.
#pragma once

#include <deque>
#include <random>
#include <string>
#include <vector>

#include "mpi_impl/libraries/common/tests/random_programs/library.hpp"
#include "mpi_impl/libraries/common/tests/random_programs/plan.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::mpi::random_programs {

// Line output of the ranks, in the order in which the world sees it.
class World final : public EventSink {
 public:
  void fire(const Event& event) override;
  std::string text;
};

// It waits only for what lies behind it in the plan, so it never deadlocks.
class Program {
 public:
  Program(const Plan& plan, Rank& rank, Device& device, TestLibrary& library, World& world)
      : plan_(plan),
        rank_(rank),
        me_(rank.id),
        device_(device),
        library_(library),
        world_(world),
        random_(plan.seed * 1000 + static_cast<std::uint32_t>(me_)) {}

  // What the rank has seen, and when.
  std::string run();

 private:
  struct Receive {
    ReceiveOperation operation;
    std::vector<char> buffer;
    bool done = false;
  };
  struct Send {
    SendOperation operation;
    std::vector<char> buffer;
    bool done = false;
    bool wild = false;
  };

  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  Thread& thread() { return *Thread::current(); }

  void log(const std::string& what);
  void post(std::size_t k, bool blocks);
  void start_send(std::size_t k);
  void broadcast(std::size_t k);
  void something_else();
  void test_one();
  void probe();
  void probe_until_there();
  void finish(Receive& receive);
  void finish(Send& send);

  const Plan& plan_;
  Rank& rank_;
  const int me_;
  Device& device_;
  TestLibrary& library_;
  World& world_;
  std::mt19937 random_;
  std::deque<Receive> receives_;
  std::deque<Send> sends_;
  std::string text_;
};

}  // namespace hindcast::mpi::random_programs
