// Who handles events in tests: one that notes them, and one that does anything.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "simulator/engine/engine.hpp"

namespace hindcast::test {

using Seen = std::vector<std::pair<std::int64_t, std::uint64_t>>;

// Notes what fires, and when: the engine's now in picoseconds, and the event's data.
class Notes final : public EventSink {
 public:
  explicit Notes(Engine& engine) : engine_(engine) {}
  void fire(const Event& event) override { seen.emplace_back(engine_.now().in_ps(), event.data); }
  Seen seen;

 private:
  Engine& engine_;
};

// A part of the hardware that does something at given times.
class Part final : public EventSink {
 public:
  explicit Part(Engine& engine) : engine_(engine), owner_(engine.new_owner()) {}
  void at(Time time, std::function<void()> what) {
    handlers_.push_back(std::move(what));
    engine_.at(time, EventKind::hardware, owner_, *this, handlers_.size() - 1);
  }
  void fire(const Event& event) override { handlers_[event.data](); }

 private:
  Engine& engine_;
  EventOwner owner_;
  std::vector<std::function<void()>> handlers_;
};

}  // namespace hindcast::test
