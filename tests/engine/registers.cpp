// Each thread has its own errno, rounding and exceptions, though all share the operating system's.
#include "simulator/engine/thread/registers.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cfenv>

#include "tests/support/ranks.hpp"

namespace hindcast {
namespace {

TEST(Registers, KeepErrnoRoundingAndExceptionsToEachThread) {
  Engine engine({});
  const auto body = [](int error, int rounding, int thrown) {
    return [=](Thread& thread) {
      errno = error;
      std::fesetround(rounding);
      try {
        throw thrown;
      } catch (int caught) {
        for (int i = 0; i < 3; ++i) {
          thread.charge(Time::ps(10));
          thread.settle();
        }
        EXPECT_EQ(errno, error);
        EXPECT_EQ(std::fegetround(), rounding);
        EXPECT_EQ(caught, thrown);
        EXPECT_THROW(throw, int);
        try {
          throw;
        } catch (int again) {
          EXPECT_EQ(again, thrown);
        }
      }
    };
  };
  test::run_ranks(engine, {body(ENOENT, FE_UPWARD, 1), body(EINTR, FE_TOWARDZERO, 2), body(0, FE_TONEAREST, 3)});
}

}  // namespace
}  // namespace hindcast
