// What a thread waits for, and what it goes on with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/engine/fetching.hpp"

namespace hindcast {

class Thread;
struct StepKind;

// Told by whoever makes the thread wait; asked only when somebody wants to know.
struct BlockedOn {
  std::string call;        // "MPI_Recv"
  std::string detail;      // "from rank 3, tag 7, MPI_COMM_WORLD"
  std::vector<int> ranks;  // who could end the wait; empty if anybody
  // The same where only these threads of them could.
  std::vector<const Thread*> threads = {};
};
class Wait : public Fetchable {
 public:
  virtual BlockedOn describe() const = 0;
  // The thread goes on soon off its stack: fetches what it will look at there.
  virtual void fetch_off_stack() const {}
  // What a recorder is told that the thread spends its time on meanwhile.
  virtual const StepKind& step() const;

 protected:
  ~Wait() = default;
};

// What a thread that has given way goes on with when it is woken, within the engine's loop and not on the thread's
// stack, which spares two switches. It acts and charges as the thread; it must neither give way nor run code of the
// program's. It says what the thread does then.
struct Onward {
  enum class What : std::uint8_t {
    run,    // on its stack
    wait,   // until it is woken
    settle  // until its clock, for which there may be no reason to tell
  };
  static Onward runs() { return {What::run, nullptr}; }
  static Onward waits(const Wait& wait) { return {What::wait, &wait}; }
  static Onward settles(const Wait* wait = nullptr) { return {What::settle, wait}; }

  What what;
  const Wait* wait;
};
class Continuation : public Fetchable {
 public:
  virtual Onward go_on() = 0;

 protected:
  ~Continuation() = default;
};

}  // namespace hindcast
