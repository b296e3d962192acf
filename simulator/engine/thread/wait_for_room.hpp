// A call's wait while it has no room for what it sends, where it may wait for something else at other times.
#pragma once

#include "simulator/engine/recorder.hpp"
#include "simulator/engine/thread/wait.hpp"

namespace hindcast {

class WaitForRoom final : public Wait {
 public:
  explicit WaitForRoom(const Wait& call) : call_(call) {}
  BlockedOn describe() const override { return call_.describe(); }
  const StepKind& step() const override { return step_wait_for_room; }

 private:
  const Wait& call_;
};

}  // namespace hindcast
