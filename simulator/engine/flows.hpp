// Flows: bytes that move over the platform's links and share their bandwidth as SimGrid's own network model says. A run
// that uses none of them does not pay for them, and one that does pays at their starts and ends: in between, events are
// fired while SimGrid's clock stays behind.
//
// A flow begins with its first byte and ends with its last: latency is left to whoever starts it, as a pipeline behind
// the links. SimGrid would make the flow wait for it, before its first byte, and would give a flow with twice the
// latency half the bandwidth, as TCP does.
//
// SimGrid keeps real numbers for times and rates. A flow starts at exactly the engine's now: if SimGrid's clock has
// stayed behind, it comes up first, within the same instant of ours. The flow's end is an event of ours at the first
// whole picosecond after the end that SimGrid finds. That end depends on other flows' starts and ends and on nothing
// else, so a run ahead of the clock and one in lockstep find the same.
#pragma once

#include <memory>
#include <string>

#include "simulator/engine/engine.hpp"

namespace hindcast {

class FlowNode;  // as the platform knows it

// There is one of an engine, or none.
class Flows {
 public:
  // Before the run, when the platform's root zone is there. The platform's latencies are taken out of all flows.
  explicit Flows(Engine& engine);
  ~Flows();
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;

  static const FlowNode* node(const std::string& name);

  // In a handler. The order of the event at the flow's end is the next of `owner`, as hardware. However much of the
  // links is free, the flow is no quicker than `bound`.
  void start(const FlowNode* from, const FlowNode* to, Bytes bytes, Rate bound, EventOwner& owner, EventSink& sink,
             std::uint64_t data);

  // What the engine's driver looks at. Those that wait for SimGrid's clock are under way, too.
  bool are_under_way() const;
  bool wait_for_clock() const;
  // SimGrid's clock is the engine's now, or is not any more.
  void set_clock_is_now(bool is_now);
  // From here on instants may be passed up to the end of a flow that SimGrid finds next.
  void foresee();

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace hindcast
