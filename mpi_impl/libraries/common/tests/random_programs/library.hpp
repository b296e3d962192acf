// What a message-passing library gives to random programs.
#pragma once

#include "mpi_impl/transport/endpoint.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::mpi::random_programs {

// What the ranks' endpoints belong to.
class TestLibrary {
 public:
  virtual ~TestLibrary() = default;
  TestLibrary(const TestLibrary&) = delete;
  TestLibrary& operator=(const TestLibrary&) = delete;

  // For each rank, before the run.
  virtual Endpoint& add(Rank& rank, int node) = 0;
  // By each rank, before its program.
  virtual void begin(Rank&, Endpoint&, int /*ranks*/) {}
  // Whether a receive is posted when it is called, and not only after what the call takes.
  virtual bool posts_at_once() const { return true; }
  // Of the messages that are received by wildcards; that of all others is 0.
  virtual std::uint32_t wild_context() const { return 1; }
  // After the run: what it finds wrong in it fails the test.
  virtual void end() {}
  // A barrier of all ranks, by each. That of the endpoint, unless the library has one of its own.
  virtual void meet(Rank& rank, Endpoint& endpoint, int ranks);

 protected:
  TestLibrary() = default;
};

// Until the completion holds for the calling thread.
void wait_for(Endpoint& endpoint, Completion& completion);

}  // namespace hindcast::mpi::random_programs
