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
  Program(const Plan& plan, Rank& rank, Endpoint& endpoint, TestLibrary& library, World& world)
      : plan_(plan),
        rank_(rank),
        me_(rank.id),
        endpoint_(endpoint),
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
    bool wild = false;
  };
  struct Send {
    SendOperation operation;
    std::vector<char> buffer;
    bool done = false;
    bool wild = false;
  };
  // A message that its sender may cancel, on either side. The sender tells the receiver at the end what became of it.
  struct OpenSend : Send {
    std::size_t k = 0;
  };
  struct OpenReceive : Receive {
    std::size_t k = 0;
    bool is_posted = false;
  };

  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  Thread& thread() { return *Thread::current(); }

  void log(const std::string& what);
  void post(std::size_t k, bool blocks);
  void post(Receive& receive, const Pattern& pattern, bool blocks);
  void start_send(std::size_t k);
  void start(Send& send, std::size_t k, std::uint32_t context);
  void broadcast(std::size_t k);
  void something_else();
  void test_one();
  void probe();
  void probe_until_there();
  void finish(Receive& receive);
  void finish(Send& send);
  void expect_each_senders_order() const;

  std::int32_t telling_tag(std::size_t k) const;
  void start_open(std::size_t k);
  void expect_open(std::size_t k);
  void post_open(OpenReceive& receive);
  void cancel(OpenSend& send);
  void cancel_one();
  void end_open();
  void tell_of(const OpenSend& send);
  bool learn_of(const OpenReceive& receive);
  void end(OpenReceive& receive);

  const Plan& plan_;
  Rank& rank_;
  const int me_;
  Endpoint& endpoint_;
  TestLibrary& library_;
  World& world_;
  std::mt19937 random_;
  std::deque<Receive> receives_;
  std::deque<Send> sends_;
  std::deque<OpenSend> open_sends_;
  std::deque<OpenReceive> open_receives_;
  std::string text_;
};

}  // namespace hindcast::mpi::random_programs
