// What a thread waits for.
#include "simulator/engine/completion.hpp"

#include <gtest/gtest.h>

#include "tests/support/parts.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

using test::NoWait;
using test::Part;

TEST(Gate, WakesOnceForAllThatItWaitsFor) {
  Engine engine({});
  Part part(engine);
  Completion three[3];
  for (int i = 0; i < 3; ++i)
    part.at(Time::ps(100 * (i + 1)), [&three, i, &engine] { three[i].complete(engine.now()); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    Gate gate(thread);
                    for (Completion& each : three) gate.add(each);
                    gate.pass(NoWait());
                    EXPECT_EQ(engine.now(), Time::ps(300));
                  }});
}

TEST(Gate, OpensAtTheFirstIfAskedTo) {
  Engine engine({});
  Part part(engine);
  Completion two[2];
  part.at(Time::ps(100), [&] { two[1].complete(engine.now()); });
  part.at(Time::ps(200), [&] { two[0].complete(engine.now()); });
  test::run_ranks(engine, {[&](Thread& thread) {
                    Gate gate(thread);
                    gate.open_at_first();
                    for (Completion& each : two) gate.add(each);
                    gate.pass(NoWait());
                    EXPECT_EQ(engine.now(), Time::ps(100));
                    EXPECT_TRUE(two[1].is_known());
                    Gate::forget(two[0]);
                  }});
}

}  // namespace
}  // namespace hindcast
