#include "simulator/machine/placement/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace hindcast {
namespace {

using Nodes = std::vector<int>;

TEST(Placement, InTurn) {
  EXPECT_EQ(place_ranks("block", 4, 9), (Nodes{0, 1, 2, 3}));
  EXPECT_EQ(place_ranks("block:3", 7, 9), (Nodes{0, 0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(place_ranks("cyclic:3", 7, 9), (Nodes{0, 1, 2, 0, 1, 2, 0}));
  EXPECT_EQ(place_ranks("reverse", 4, 9), (Nodes{3, 2, 1, 0}));
  EXPECT_EQ(place_ranks("8,0,8", 3, 9), (Nodes{8, 0, 8}));
  EXPECT_EQ(place_ranks("5", 1, 9), (Nodes{5}));
}

// The permutations were computed by another program, from the definition of the 64-bit Mersenne Twister: for n from the
// number of ranks down to 2, place n - 1 is exchanged with the place that is the next number's remainder by n.
TEST(Placement, ShuffledTheSameOnEveryMachine) {
  EXPECT_EQ(place_ranks("random:1", 8, 8), (Nodes{4, 6, 3, 5, 1, 7, 2, 0}));
  EXPECT_EQ(place_ranks("random:18446744073709551615", 8, 8), (Nodes{1, 3, 0, 2, 7, 5, 6, 4}));
  EXPECT_EQ(place_ranks("random:5", 1, 8), Nodes{0});
}

TEST(Placement, ShuffledOverTheFirstNodes) {
  Nodes sorted = place_ranks("random:2", 100, 200);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, place_ranks("block", 100, 200));
}

TEST(Placement, RefusesWhatItDoesNotKnow) {
  for (const char* map : {"", "blocks", "block:", "block:0", "block:x", "cyclic:-1", "random:", "random:1x", "1,", ",1",
                          "1,,2", "1,-2", "1;2", "0x1,2"})
    EXPECT_THROW(place_ranks(map, 2, 9), std::invalid_argument) << map;
  EXPECT_THROW(place_ranks("1,2,3", 2, 9), std::invalid_argument);
}

TEST(Placement, RefusesNodesThatAreNotThere) {
  EXPECT_NO_THROW(place_ranks("block", 9, 9));
  EXPECT_THROW(place_ranks("block", 10, 9), std::invalid_argument);
  EXPECT_NO_THROW(place_ranks("block:2", 18, 9));
  EXPECT_THROW(place_ranks("0,9", 2, 9), std::invalid_argument);
}

}  // namespace
}  // namespace hindcast
