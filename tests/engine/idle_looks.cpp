// Which runs of looks are judged, when, and who keeps looking in them.
#include "simulator/engine/idle_looks.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace hindcast {
namespace {

class IdleLooksTest : public testing::Test {
 protected:
  void look(IdleLooks::Own& own, int times) {
    for (int i = 0; i < times; ++i) looks_.count(own);
  }

  IdleLooks looks_{800, 1600};
  IdleLooks::Own often_;
  IdleLooks::Own seldom_;
};

TEST_F(IdleLooksTest, AreJudgedEightTimesUntilTheyAreTold) {
  int rounds = 0;
  while (!looks_.are_to_be_told()) {
    looks_.count(often_);
    if (!looks_.are_to_be_judged()) continue;
    looks_.begin_next_round();
    ++rounds;
  }
  EXPECT_EQ(rounds, 8);
  EXPECT_EQ(looks_.count(), 800U);
  EXPECT_FALSE(looks_.are_too_many());
}

TEST_F(IdleLooksTest, OneThatLooksSeldomButAgainAndAgainKeepsLooking) {
  look(often_, 150);
  look(seldom_, 1);
  EXPECT_FALSE(looks_.keeps_looking(seldom_, 2));
  look(seldom_, 1);
  EXPECT_TRUE(looks_.keeps_looking(seldom_, 2));
  look(often_, 1000);
  EXPECT_FALSE(looks_.keeps_looking(seldom_, 2));
  EXPECT_TRUE(looks_.keeps_looking(often_, 2));
}

TEST_F(IdleLooksTest, OneThatHasStoppedIsSeenToInTheNextRound) {
  look(often_, 50);
  look(seldom_, 50);
  ASSERT_TRUE(looks_.are_to_be_judged());
  EXPECT_TRUE(looks_.keeps_looking(seldom_, 2));
  looks_.begin_next_round();
  look(often_, 100);
  ASSERT_TRUE(looks_.are_to_be_judged());
  EXPECT_FALSE(looks_.keeps_looking(seldom_, 2));
}

TEST_F(IdleLooksTest, BeginAgainWhenSomethingElseHappens) {
  look(often_, 700);
  looks_.begin_again();
  EXPECT_FALSE(looks_.are_to_be_judged());
  look(often_, 100);
  EXPECT_EQ(looks_.count(), 100U);
  EXPECT_TRUE(looks_.are_to_be_judged());
}

TEST_F(IdleLooksTest, AreToldOnce) {
  look(often_, 800);
  EXPECT_TRUE(looks_.are_to_be_told());
  looks_.are_told();
  look(often_, 800);
  EXPECT_FALSE(looks_.are_to_be_told());
  EXPECT_TRUE(looks_.are_too_many());
}

TEST(IdleLooks, WithoutLimitsAreNeitherToldNorTooMany) {
  IdleLooks looks(0, 0);
  IdleLooks::Own own;
  for (int i = 0; i < 10000; ++i) looks.count(own);
  EXPECT_FALSE(looks.are_to_be_judged() || looks.are_to_be_told() || looks.are_too_many());
  EXPECT_TRUE(looks.keeps_looking(own, 1));
}

}  // namespace
}  // namespace hindcast
