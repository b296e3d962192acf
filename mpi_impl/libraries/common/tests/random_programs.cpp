// What random programs are made from and how a failing one is told: a plan is that of its seed, a case has a name, and
// a seed can be run alone.

#include <gtest/gtest-spi.h>

#include <algorithm>
#include <stdexcept>

#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "tests/support/seeds.hpp"

namespace hindcast::mpi::random_programs {
namespace {

// The libraries' tests instantiate it.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RandomPrograms);

auto with_everybody(const Plan& plan, bool barriers) {
  return std::count_if(plan.messages.begin(), plan.messages.end(), [&](const PlannedMessage& message) {
    return message.to == everybody && (message.from == everybody) == barriers;
  });
}

TEST(Plans, HaveTogetherWhatTheyAreAskedFor) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Plan alone = make_plan(seed, Together::nothing, true);
    EXPECT_EQ(with_everybody(alone, true) + with_everybody(alone, false), 0) << seed;
    const Plan barriers = make_plan(seed, Together::barriers, true);
    EXPECT_GT(with_everybody(barriers, true), 0) << seed;
    EXPECT_EQ(with_everybody(barriers, false), 0) << seed;
    EXPECT_GT(with_everybody(make_plan(seed, Together::broadcasts_and_barriers, true), false), 0) << seed;
  }
}

TEST(Plans, CancelOnlyWhatIsForOneOtherRankAndOnlyIfAsked) {
  std::size_t cancelled = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    for (const PlannedMessage& message : make_plan(seed, Together::broadcasts_and_barriers, true).messages) {
      if (!message.may_be_cancelled) continue;
      ++cancelled;
      EXPECT_TRUE(message.to != everybody && message.from != message.to && !message.wild) << seed;
    }
    for (const PlannedMessage& message : make_plan(seed, Together::broadcasts_and_barriers, false).messages)
      EXPECT_FALSE(message.may_be_cancelled) << seed;
  }
  EXPECT_GT(cancelled, 20U);
}

TEST(Plans, AreThoseOfTheirSeeds) {
  const auto sizes = [](std::uint32_t seed) {
    std::vector<std::uint64_t> bytes;
    for (const PlannedMessage& message : make_plan(seed, Together::nothing, true).messages)
      bytes.push_back(message.bytes);
    return bytes;
  };
  EXPECT_EQ(sizes(7), sizes(7));
  EXPECT_NE(sizes(7), sizes(8));
}

TEST(Cases, AreShownByTheirNames) { EXPECT_EQ(testing::PrintToString(Case{.name = "tight"}), "tight"); }

class Seeds : public testing::Test {
 protected:
  static void ask_for(const char* seed) { setenv(test::seed_variable, seed, 1); }
  static void ask_for_several(const char* seeds) { setenv(test::seeds_variable, seeds, 1); }
  static void ask_for_none() {
    unsetenv(test::seed_variable);
    unsetenv(test::seeds_variable);
  }
  // Who runs the tests may have asked for some.
  Seeds() { ask_for_none(); }
  ~Seeds() override { ask_for_none(); }
  std::vector<std::uint32_t> seen;
};

TEST_F(Seeds, AreAllUnlessOneIsAskedFor) {
  test::for_each_seed(3, [&](std::uint32_t seed) { seen.push_back(seed); });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST_F(Seeds, AreTheOneThatTheEnvironmentAsksFor) {
  ask_for("4294967295");
  test::for_each_seed(3, [&](std::uint32_t seed) { seen.push_back(seed); });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{4294967295}));
}

TEST_F(Seeds, AreNumbers) {
  for (const char* wrong : {"", "x", "1x", "-1", "4294967296"}) {
    ask_for(wrong);
    EXPECT_THROW(test::only_seed(), std::invalid_argument) << wrong;
  }
}

TEST_F(Seeds, AreAsManyAsTheEnvironmentAsksFor) {
  ask_for_several("5");
  test::for_each_seed(3, [&](std::uint32_t seed) { seen.push_back(seed); });
  ask_for_several("7-8");
  test::for_each_seed(3, [&](std::uint32_t seed) { seen.push_back(seed); });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 7, 8}));
  ask_for("9");
  EXPECT_EQ(test::seeds_of_test(3).count(), 1) << "one is asked for as well";
}

TEST_F(Seeds, AreNotLessThanOne) {
  for (const char* wrong : {"", "0", "x", "5-", "-5", "8-7", "1-2-3", "4294967296"}) {
    ask_for_several(wrong);
    EXPECT_THROW(test::seeds_of_test(3), std::invalid_argument) << wrong;
  }
}

TEST_F(Seeds, AreToldIfTheyFail) {
  ask_for("17");
  const auto fail = [](std::uint32_t) { ADD_FAILURE() << "is wrong"; };
  EXPECT_NONFATAL_FAILURE(test::for_each_seed(3, fail), "seed 17; HINDCAST_TEST_SEED=17 runs it alone");
  const auto throws = [](std::uint32_t) { throw std::runtime_error("the child ended"); };
  EXPECT_NONFATAL_FAILURE(test::for_each_seed(3, throws), "the child ended");
  EXPECT_NONFATAL_FAILURE(test::for_each_seed(3, throws), "seed 17; HINDCAST_TEST_SEED=17 runs it alone");
}

}  // namespace
}  // namespace hindcast::mpi::random_programs
