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
  // Free again once it has gone off, whether or not anybody still waits for it.
  Completion& completion() { return completion_; }
  void fire(const Event& event) override {
    is_set_ = false;
    completion_.complete(event.at);
  }

 private:
  friend class Alarms;
  bool is_set_ = false;
  Completion completion_;
};

class Alarms {
 public:
  explicit Alarms(Engine& engine) : engine_(engine), owner_(engine.new_owner()) {}
  Alarm& set(Time at) {
    Alarm& alarm = free_one();
    alarm.is_set_ = true;
    alarm.completion_.reset();
    engine_.at(at, EventKind::wake, owner_, alarm, 0);
    return alarm;
  }

 private:
  Alarm& free_one() {
    for (auto& alarm : alarms_)
      if (!alarm->is_set_) return *alarm;
    return *alarms_.emplace_back(std::make_unique<Alarm>());
  }

  Engine& engine_;
  EventOwner owner_;
  std::vector<std::unique_ptr<Alarm>> alarms_;
};

}  // namespace hindcast::mpi
