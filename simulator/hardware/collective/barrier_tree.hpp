// A tree of wires over so many leaves, which tells all of them when the last one has arrived: up the tree level by
// level, and down again.
#pragma once

#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/channel.hpp"

namespace hindcast {

// Told, in a handler, that all leaves had arrived.
class BarrierSink {
 public:
  virtual void released() = 0;

 protected:
  ~BarrierSink() = default;
};

// Whatever lets each of so many leaves go on when all of them have arrived.
class MeetingOfLeaves {
 public:
  // In a handler: once for each leaf before it is released.
  virtual void arrive(int leaf, BarrierSink& sink) = 0;
  virtual bool has_arrived(int leaf) const = 0;
  virtual int leaves() const = 0;

 protected:
  ~MeetingOfLeaves() = default;
};

class BarrierTree final : public MeetingOfLeaves, private EventSink {
 public:
  // `wire` is one level of the tree; each of its knots joins `branching` of the level below.
  BarrierTree(Engine& engine, const Channel& wire, int leaves, int branching)
      : engine_(engine),
        owner_(engine.new_owner()),
        round_trip_(wire.latency * (2 * levels_for(leaves, branching))),
        sinks_(static_cast<std::size_t>(leaves)) {}

  void arrive(int leaf, BarrierSink& sink) override;
  bool has_arrived(int leaf) const override { return sinks_[static_cast<std::size_t>(leaf)] != nullptr; }

  int leaves() const override { return static_cast<int>(sinks_.size()); }

  static int levels_for(int leaves, int branching);

 private:
  void fire(const Event& event) override;

  Engine& engine_;
  EventOwner owner_;
  Time round_trip_;
  std::size_t arrived_ = 0;
  std::vector<BarrierSink*> sinks_;  // by leaf; null before it has arrived
};

}  // namespace hindcast
