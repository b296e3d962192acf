// What is to be done in a handler at some time: now at a thread's clock, or later.
#pragma once

#include <functional>
#include <memory>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::pvm {

using Deed = std::function<void()>;

class Agenda final : private EventSink {
 public:
  explicit Agenda(Engine& engine) : engine_(engine), owner_(engine.new_owner()) {}

  Time now() const { return engine_.now(); }
  // By a thread, as an act of its own.
  void act(Thread& thread, Deed deed) { thread.act(*this, reinterpret_cast<std::uint64_t>(new Deed(std::move(deed)))); }
  // By a handler.
  void at(Time time, Deed deed) {
    engine_.at(time, EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(new Deed(std::move(deed))));
  }

 private:
  void fire(const Event& event) override {
    const std::unique_ptr<Deed> deed(reinterpret_cast<Deed*>(event.data));
    (*deed)();
  }

  Engine& engine_;
  EventOwner owner_;
};

}  // namespace hindcast::pvm
