// What work puts off that interrupts a thread: in the order of the thread's program, and of what else is worked on.
#include "simulator/engine/postponement.hpp"

#include <gtest/gtest.h>

namespace hindcast {
namespace {

using Fate = Postponement::Fate;

Time instant(std::int64_t ps) { return Time::ps(ps); }

// Work of 30 ps that has come in a poll at 100 ps, after other work there that ends at 120 ps.
class AtAPoll : public testing::Test {
 protected:
  EventOwner thread{7};
  EventOwner part{8};
  const EventOrder earlier = thread.next(EventKind::act);
  const EventOrder poll = thread.next(EventKind::act);
  const EventOrder later = thread.next(EventKind::act);
  const EventOrder of_part = part.next(EventKind::act);
  const Postponement work{thread, instant(100), poll, instant(120), instant(30)};
};

TEST_F(AtAPoll, WhatTheProgramDoesLaterIsPutOffByTheWork) {
  EXPECT_EQ(work.delay_of(instant(101), later), instant(30));
  EXPECT_EQ(work.delay_of(instant(99), earlier), Time());
}

TEST_F(AtAPoll, OfWhatTheProgramDoesAtItsInstantThePlaceDecides) {
  EXPECT_EQ(work.delay_of(instant(100), earlier), Time());
  EXPECT_EQ(work.delay_of(instant(100), poll), Time()) << "the poll itself";
  EXPECT_EQ(work.delay_of(instant(100), later), instant(30));
}

TEST_F(AtAPoll, WhatEarlierWorkHasStartedIsNotPutOff) {
  EXPECT_EQ(work.delay_of(instant(120), of_part), Time()) << "at its end, where this work begins";
  EXPECT_EQ(work.delay_of(instant(121), of_part), instant(30));
}

TEST_F(AtAPoll, TheClockIsPutOffUnlessItIsStillBeforeTheInstant) {
  EXPECT_EQ(work.delay_of_clock(instant(99)), Time());
  EXPECT_EQ(work.delay_of_clock(instant(100)), instant(30));
}

TEST_F(AtAPoll, StepsMoveAsWhatBeginsThem) {
  EXPECT_EQ(work.fate_of_step(instant(90), instant(100), earlier), Fate::stays);
  EXPECT_EQ(work.fate_of_step(instant(100), instant(110), later), Fate::moves);
  EXPECT_EQ(work.fate_of_step(instant(110), instant(115), earlier), Fate::moves)
      << "its place counts at the instant only";
}

TEST_F(AtAPoll, OtherWorkMovesIfItBeginsAfterThis) {
  EXPECT_EQ(work.fate_of_service(instant(100)), Fate::stays);
  EXPECT_EQ(work.fate_of_service(instant(120)), Fate::stays);
  EXPECT_EQ(work.fate_of_service(instant(121)), Fate::moves);
}

// Of the system's, or of a library's that is interrupted: at once, after all that the thread does at that instant.
class AtOnce : public testing::Test {
 protected:
  EventOwner thread{7};
  const EventOrder place = thread.next(EventKind::act);
  const Postponement work{thread, instant(100), Postponement::last_of_all, instant(100), instant(30)};
};

TEST_F(AtOnce, WhatTheProgramDoesAtThatInstantIsNotPutOff) {
  EXPECT_EQ(work.delay_of(instant(100), place), Time());
  EXPECT_EQ(work.delay_of(instant(101), place), instant(30));
}

TEST_F(AtOnce, AStepUnderWayIsCut) {
  EXPECT_EQ(work.fate_of_step(instant(90), instant(110), place), Fate::is_cut);
  EXPECT_EQ(work.fate_of_step(instant(90), instant(101), place), Fate::is_cut);
  EXPECT_EQ(work.fate_of_step(instant(90), instant(100), place), Fate::stays) << "it has just ended";
}

TEST_F(AtOnce, AStepThatBeginsWithTheWorkMovesAsAWhole) {
  EXPECT_EQ(work.fate_of_step(instant(100), instant(110), place), Fate::moves);
  EXPECT_EQ(work.fate_of_step(instant(100), instant(100), place), Fate::stays) << "a mark takes no time";
}

}  // namespace
}  // namespace hindcast
