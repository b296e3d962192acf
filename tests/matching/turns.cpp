#include "mpi_impl/matching/turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hindcast::matching {
namespace {

TEST(Turns, CountThoseThatCameBefore) {
  std::mt19937 random(1);
  for (const unsigned usual : {1U, 10U, 1000U}) {
    Turns turns;
    std::vector<std::uint64_t> there;
    for (std::uint64_t turn = 0; turn < 5000; ++turn) {
      turns.add(turn);
      there.push_back(turn);
      while (there.size() > usual + random() % 3) {
        // Mostly the first, and sometimes one from the midst.
        const std::size_t place = random() % 4 > 0 ? 0 : random() % there.size();
        EXPECT_EQ(turns.before(there[place]), place);
        EXPECT_EQ(turns.remove(there[place]), place);
        there.erase(there.begin() + static_cast<std::ptrdiff_t>(place));
      }
      EXPECT_EQ(turns.size(), there.size());
    }
  }
}

TEST(Turns, OneThatStaysIsBeforeAllLaterOnes) {
  Turns turns;
  turns.add(7);
  for (std::uint64_t turn = 8; turn < 100'000; ++turn) {
    turns.add(turn);
    ASSERT_EQ(turns.remove(turn), 1U);
  }
  EXPECT_EQ(turns.remove(7), 0U);
  EXPECT_EQ(turns.size(), 0U);
}

}  // namespace
}  // namespace hindcast::matching
