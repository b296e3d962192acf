#include "simulator/engine/units.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace hindcast {
namespace {

TEST(Time, RoundsSecondsToThePicosecond) {
  EXPECT_EQ(Time::from_seconds(1.5e-6).in_ps(), 1'500'000);
  EXPECT_EQ(Time::from_seconds(0.6e-12).in_ps(), 1);
  EXPECT_EQ(Time::us(3) + Time::ns(4) + Time::ps(5), Time::ps(3'004'005));
}

TEST(Time, RefusesMoreThanItCanHold) { EXPECT_THROW(Time::from_seconds(1e8), std::out_of_range); }

TEST(Rate, GivesWholePicosecondsRoundedUp) {
  EXPECT_EQ(Rate::per_second(1e9).time_for(Bytes(1)).in_ps(), 1000);
  EXPECT_EQ(Rate::per_second(300e6).time_for(Bytes(3)).in_ps(), 10'000);
  EXPECT_EQ(Rate::per_second(300e6).time_for(Bytes(1)).in_ps(), 3334);
}

TEST(Rate, TakesAtLeastAPicosecondForAnythingAndNoneForNothing) {
  EXPECT_EQ(Rate::per_second(1e15).time_for(Bytes(1)).in_ps(), 1);
  EXPECT_EQ(Rate::per_second(1e15).time_for(Bytes(0)).in_ps(), 0);
}

TEST(Rate, IsExactForLongMessages) {
  // 158.4 ns a byte, over a gibibyte: a double would do, a rounded picosecond per byte too, but no error may creep in.
  EXPECT_EQ(Rate::per_second(1e9 / 158.4).time_for(Bytes(1ULL << 30)).in_ps(), 158'400LL << 30);
}

TEST(Rate, UnlimitedTakesNoTimeAndIsSlowerThanNothing) {
  EXPECT_EQ(Rate().time_for(Bytes(1ULL << 40)).in_ps(), 0);
  EXPECT_EQ(slower_of(Rate(), Rate::per_second(5e6)), Rate::per_second(5e6));
  EXPECT_EQ(slower_of(Rate::per_second(7e6), Rate::per_second(5e6)), Rate::per_second(5e6));
}

TEST(Rate, RefusesNothingAndLess) {
  EXPECT_THROW(Rate::per_second(0), std::out_of_range);
  EXPECT_THROW(Rate::per_second(-1), std::out_of_range);
}

}  // namespace
}  // namespace hindcast
