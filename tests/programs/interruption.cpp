#include "simulator/programs/this_computer/interruption.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <utility>

#include "tests/support/ranks.hpp"

namespace hindcast::programs {
namespace {

// Events that follow each other without end and at one time, as in a run whose memory has been damaged.
class EndlessInstant final : public EventSink {
 public:
  explicit EndlessInstant(Engine& engine) : engine_(engine), owner_(engine.new_owner()) {}

  void begin() { engine_.at(engine_.now() + Time::ns(1), EventKind::act, owner_, *this, 0); }

 private:
  void fire(const Event&) override {
    if (!std::exchange(is_asked_to_end_, true)) std::raise(SIGTERM);
    engine_.at(engine_.now(), EventKind::act, owner_, *this, 0);
  }

  Engine& engine_;
  EventOwner owner_;
  bool is_asked_to_end_ = false;
};

TEST(Interruption, ARunWithinAnEndlessInstantIsEndedWhereItIs) {
  const auto run = [] {
    Engine engine(EngineOptions{});
    end_run_at_interrupt(engine);
    EndlessInstant instant(engine);
    test::run_ranks(engine, {[&](Thread& thread) {
                      instant.begin();
                      thread.pass_until(Time::us(1), test::NoWait());
                    }});
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(128 + SIGTERM), "has not begun to for 5 s");
}

}  // namespace
}  // namespace hindcast::programs
