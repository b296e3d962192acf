#include "simulator/machine/placement/placement.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
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

// Two nodes of two processors, one of one, and one of four.
const Slots mixed({{"pairs", 2, 2}, {"single", 1, 1}, {"four", 1, 4}});

TEST(Placement, FillsTheProcessorsOfANodeFirstOrGoesRoundTheNodes) {
  EXPECT_EQ(place_ranks("slot", 9, mixed), (Nodes{0, 0, 1, 1, 2, 3, 3, 3, 3}));
  EXPECT_EQ(place_ranks("slot", 3, mixed), (Nodes{0, 0, 1}));
  EXPECT_EQ(place_ranks("node", 9, mixed), (Nodes{0, 1, 2, 3, 0, 1, 3, 3, 3}));
  EXPECT_EQ(place_ranks("node", 3, mixed), (Nodes{0, 1, 2}));
  EXPECT_EQ(place_ranks("block", 4, mixed), (Nodes{0, 1, 2, 3})) << "whatever the processors";
  EXPECT_EQ(usual_map(mixed), "slot");
  EXPECT_EQ(usual_map(9), "block");
}

std::string refusal(const std::string& map, int ranks, const Slots& slots) {
  try {
    place_ranks(map, ranks, slots);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(Placement, RefusesMoreRanksThanSlotsUnlessToldHowManyOnEach) {
  for (const char* map : {"slot", "node"})
    EXPECT_EQ(refusal(map, 10, mixed),
              "10 ranks, but the machine has 9 slots: a processor each, on 4 nodes; --map block:3 puts 3 on each node");
  EXPECT_EQ(refusal("block:2", 10, mixed),
            "--map block:2: 10 ranks, but the machine has at most 4 nodes; --map block:3 puts 3 on each node");
  EXPECT_EQ(refusal("cyclic:5", 10, mixed),
            "--map cyclic:5: 10 ranks, but the machine has at most 4 nodes; --map cyclic:4 deals them out to all");
  EXPECT_EQ(refusal("block", 8, mixed),
            "8 ranks, but the machine has at most 4 nodes; --map block:2 puts 2 on each node");
  EXPECT_EQ(refusal("block", 2, 1), "2 ranks, but the machine has at most 1 node; --map block:2 puts 2 on each node");
  EXPECT_EQ(place_ranks("block:5", 10, mixed), (Nodes{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(place_ranks("2,2", 2, mixed), (Nodes{2, 2}));
}

std::string written(const std::string& text) {
  const std::string path = testing::TempDir() + "hindcast-map-" + std::to_string(getpid());
  std::ofstream(path) << text;
  return path;
}

TEST(Placement, ByAFileOfNodesAndOfNodesOfSites) {
  const std::string path = written("# who is where\n3\n\n  pairs:1  # the second\nfour:0\n0");
  EXPECT_EQ(place_ranks(path, 4, mixed), (Nodes{3, 1, 3, 0}));
  EXPECT_EQ(refusal(path, 3, mixed), "--map " + path + ": 4 nodes for 3 ranks; give one for each");
  const std::string database = written("machine any 7\nrank pairs:1 by hand\nrank  four:0\nlink west up\n");
  EXPECT_EQ(place_ranks(database, 2, mixed), (Nodes{1, 3}));
}

TEST(Placement, TellsWhereAFileIsWrong) {
  const auto refused = [](const std::string& text) {
    const std::string path = written(text);
    const std::string why = refusal(path, 1, mixed);
    return why.starts_with(path + ":") ? why.substr(path.size() + 1) : why;
  };
  const std::string what = "is not a node; a line is the number of one, SITE:NUMBER, or 'rank SITE:NUMBER'";
  EXPECT_EQ(refused("0\n  x\n"), "2:3: 'x' " + what);
  EXPECT_EQ(refused("4"), "1:1: node 4, but the machine has 4 nodes, counted from 0");
  EXPECT_EQ(refused("pairs:2"), "1:1: node 2, but site 'pairs' has 2 nodes, counted from 0");
  EXPECT_EQ(refused("trio:0"), "1:1: there is no site 'trio'");
  EXPECT_EQ(refused("pairs:"), "1:1: '' " + what);
  EXPECT_EQ(refused("rank pairs:2 by_hand"), "1:1: node 2, but site 'pairs' has 2 nodes, counted from 0");
  EXPECT_EQ(refused("rank"), "1:1: 'rank' " + what);
}

}  // namespace
}  // namespace hindcast
