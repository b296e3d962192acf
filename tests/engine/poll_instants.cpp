// Where a thread that is ahead of the clock has looked for arrivals.
#include "simulator/engine/thread/poll_instants.hpp"

#include <gtest/gtest.h>

namespace hindcast {
namespace {

Time at(std::int64_t ps) { return Time::ps(ps); }

// Polls at 100 and at 200 ps.
class TwoPolls : public testing::Test {
 protected:
  TwoPolls() {
    polls.leave({at(100), at(100), first});
    polls.leave({at(200), at(200), second});
  }
  EventOwner thread{7};
  const EventOrder first = thread.next(EventKind::act);
  const EventOrder second = thread.next(EventKind::act);
  PollInstants polls;
};

TEST_F(TwoPolls, ArePastOneAfterTheOther) {
  polls.forget_before(at(100));
  EXPECT_EQ(polls.first().at, at(100));
  polls.forget_before(at(101));
  EXPECT_EQ(polls.first().at, at(200));
  polls.forget_before(at(201));
  EXPECT_TRUE(polls.empty());
  EXPECT_EQ(polls.last_end(), at(200)) << "still known";
}

TEST_F(TwoPolls, WorkInTheLastOneMakesItLonger) {
  polls.work_until(at(230));
  EXPECT_EQ(polls.last_end(), at(230));
  EXPECT_EQ(polls.first().busy_until, at(100));
  polls.forget_before(at(150));
  EXPECT_EQ(polls.first().busy_until, at(230));
}

TEST_F(TwoPolls, WorkInTheFirstPutsTheSecondOff) {
  polls.put_off({thread, at(100), first, at(100), at(30)});
  EXPECT_EQ(polls.first().at, at(100));
  EXPECT_EQ(polls.last_end(), at(230));
  polls.forget_before(at(101));
  EXPECT_EQ(polls.first().at, at(230));
}

TEST_F(TwoPolls, OtherWorkKeepsBusyWhatHasBegun) {
  polls.keep_busy(at(150), at(180));
  EXPECT_EQ(polls.first().busy_until, at(180));
  polls.forget_before(at(101));
  EXPECT_EQ(polls.first().busy_until, at(200));
}

TEST_F(TwoPolls, WorkAddsUpAndLaterPollsAreWhereTheyAreLeft) {
  polls.put_off({thread, at(100), first, at(100), at(30)});
  polls.leave({at(300), at(300), thread.next(EventKind::act)});
  polls.work_until(at(320));
  polls.put_off({thread, at(230), second, at(230), at(5)});
  EXPECT_EQ(polls.first().at, at(100));
  polls.forget_before(at(101));
  EXPECT_EQ(polls.first().at, at(230)) << "it is itself what the second work belongs to";
  polls.work_in_first_until(at(240));
  EXPECT_EQ(polls.first().busy_until, at(240));
  EXPECT_EQ(polls.last_end(), at(325));
  polls.forget_before(at(231));
  EXPECT_EQ(polls.first().at, at(305));
  EXPECT_EQ(polls.first().busy_until, at(325));
}

}  // namespace
}  // namespace hindcast
