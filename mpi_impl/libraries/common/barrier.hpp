// Threads that wait for each other over a barrier tree, each rank at a leaf of its own.
#pragma once

#include "simulator/engine/completion.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/hardware/collective/barrier_tree.hpp"

namespace hindcast {

// Who takes part, each at the leaf of its number: ranks that follow each other.
struct Participants {
  const char* wait_for_all;  // as the deadlock report says it
  int first_rank;
};

// One's part in what all do together.
class BarrierPart : public EventSink, public BarrierSink {
 public:
  BarrierPart(MeetingOfLeaves& tree, int leaf) : tree_(tree), leaf_(leaf) {}
  void begin() { Thread::current()->act(*this, 0); }

 protected:
  void fire(const Event&) override { tree_.arrive(leaf_, *this); }
  MeetingOfLeaves& tree_;
  int leaf_;
};

// A call that waits until all have made it.
class BlockingBarrierPart : public BarrierPart, public Wait {
 public:
  BlockingBarrierPart(MeetingOfLeaves& tree, int leaf, const char* call, const Participants& participants)
      : BarrierPart(tree, leaf), call_(call), participants_(participants), thread_(*Thread::current()) {}

  void pass();

 protected:
  void released() override;

 private:
  BlockedOn describe() const override;

  const char* call_;
  const Participants& participants_;
  Thread& thread_;
  bool is_released_ = false;
};

// One whose thread goes on meanwhile. It owns itself.
class BegunBarrierPart : public BarrierPart {
 public:
  BegunBarrierPart(MeetingOfLeaves& tree, int leaf, Engine& engine, Completion& over)
      : BarrierPart(tree, leaf), engine_(engine), over_(over) {}
  virtual ~BegunBarrierPart() = default;

 protected:
  void released() override;

 private:
  Engine& engine_;
  Completion& over_;
};

class Barrier {
 public:
  Barrier(Engine& engine, MeetingOfLeaves& tree, const Participants& participants)
      : engine_(engine), tree_(tree), participants_(participants) {}
  // By a thread: returns when all are in it; or returns at once, and `over` completes when they are.
  void pass(int leaf, const char* call);
  void begin(int leaf, Completion& over);
  int leaves() const { return tree_.leaves(); }

 private:
  Engine& engine_;
  MeetingOfLeaves& tree_;
  Participants participants_;
};

}  // namespace hindcast
