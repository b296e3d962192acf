// Balanced dimensions, held against all ways to make a product.
#include "mpi_impl/core/topologies/topology.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace hindcast::mpi {
namespace {

// The least of all sequences of factors in falling order.
std::vector<int> least(int nodes, int count, int largest) {
  if (count == 0) return {};
  for (int factor = 1; factor <= std::min(nodes, largest); ++factor) {
    if (nodes % factor != 0) continue;
    std::vector<int> rest = least(nodes / factor, count - 1, factor);
    rest.insert(rest.begin(), factor);
    if (static_cast<int>(rest.size()) == count &&
        std::accumulate(rest.begin(), rest.end(), 1, std::multiplies<>()) == nodes)
      return rest;
  }
  return {};
}

TEST(Balance, IsTheLeastOfAllChoices) {
  for (int nodes = 1; nodes <= 300; ++nodes) {
    for (int count = 1; count <= 4; ++count) {
      std::vector<int> dims(static_cast<std::size_t>(count));
      ASSERT_TRUE(balance(nodes, dims));
      EXPECT_EQ(dims, least(nodes, count, nodes)) << nodes;
    }
  }
}

TEST(Balance, KeepsWhatIsGiven) {
  std::vector<int> dims{0, 4, 0, 5};
  ASSERT_TRUE(balance(20 * 12, dims));
  EXPECT_EQ(dims, (std::vector<int>{4, 4, 3, 5}));
  std::vector<int> impossible{0, 7};
  EXPECT_FALSE(balance(20, impossible));
  std::vector<int> too_few{2, 5};
  EXPECT_FALSE(balance(20, too_few));
}

TEST(Balance, TakesManyDimensions) {
  std::vector<int> dims(20);
  ASSERT_TRUE(balance(1 << 20, dims));
  EXPECT_EQ(dims, std::vector<int>(20, 2));
}

TEST(Graphs, SharesEqualGraphs) {
  Graphs graphs;
  const GraphPointer first = graphs.get({{1, 2}, {1, 0}});
  EXPECT_EQ(graphs.get({{1, 2}, {1, 0}}), first);
  EXPECT_NE(graphs.get({{2, 2}, {1, 0}}), first);
}

}  // namespace
}  // namespace hindcast::mpi
