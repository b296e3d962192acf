// Wakes a gate at a time: for a choice among several, where one is known to hold later and another may still come
// before.
#pragma once

#include <memory>
#include <vector>

#include "simulator/engine/completion.hpp"
#include "simulator/engine/engine.hpp"

namespace hindcast::mpi {

class Alarm final : public EventSink {
 public:
  Completion& completion() { return completion_; }
  // By the one who has set it, and waits for it no more: it is free again once it has gone off.
  void forget() {
    Gate::forget(completion_);
    is_awaited_ = false;
  }
  void fire(const Event& event) override {
    is_set_ = false;
    completion_.complete(event.at);
  }

 private:
  friend class Alarms;
  bool is_set_ = false;
  bool is_awaited_ = false;
  Completion completion_;
};

class Alarms {
 public:
  explicit Alarms(Engine& engine) : engine_(engine), owner_(engine.new_owner()) {}
  Alarm& set(Time at) {
    Alarm& alarm = free_one();
    alarm.is_set_ = true;
    alarm.is_awaited_ = true;
    alarm.completion_.reset();
    engine_.at(at, EventKind::wake, owner_, alarm, 0);
    return alarm;
  }

 private:
  Alarm& free_one() {
    for (auto& alarm : alarms_)
      if (!alarm->is_set_ && !alarm->is_awaited_) return *alarm;
    return *alarms_.emplace_back(std::make_unique<Alarm>());
  }

  Engine& engine_;
  EventOwner owner_;
  std::vector<std::unique_ptr<Alarm>> alarms_;
};

}  // namespace hindcast::mpi
