// Balanced dimensions, held against all ways to make a product.
#include "mpi_impl/core/topologies/topology.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace hindcast::mpi {
namespace {

using Dims = std::vector<int>;

// Whether dimensions in falling order are better than others: closer together, or as close and each one less.
bool is_better(const Dims& dims, const Dims& others) {
  if (others.empty()) return true;
  const int difference = dims.front() - dims.back();
  const int other = others.front() - others.back();
  return difference != other ? difference < other : dims < others;
}

// Goes through all dimensions in rising order from `least` on whose product is at most that of `best`'s last place.
void try_all(Dims& rising, std::size_t count, int product, int least, std::vector<Dims>& best) {
  const auto most = static_cast<int>(best.size()) - 1;
  if (rising.size() == count) {
    const Dims falling(rising.rbegin(), rising.rend());
    Dims& before = best[static_cast<std::size_t>(product)];
    if (is_better(falling, before)) before = falling;
    return;
  }
  for (int dim = least; static_cast<std::int64_t>(product) * dim <= most; ++dim) {
    rising.push_back(dim);
    try_all(rising, count, product * dim, dim, best);
    rising.pop_back();
  }
}

TEST(Balance, IsTheBestOfAllChoices) {
  constexpr int nodes_max = 100'000;
  for (std::size_t count = 2; count <= 4; ++count) {
    std::vector<Dims> best(nodes_max + 1);
    Dims none;
    try_all(none, count, 1, 1, best);
    for (int nodes = 1; nodes <= nodes_max; ++nodes) {
      Dims dims(count);
      ASSERT_TRUE(balance(nodes, dims));
      ASSERT_EQ(dims, best[static_cast<std::size_t>(nodes)]) << nodes;
    }
  }
}

TEST(Balance, OfNumbersWithManyDivisors) {
  Dims dims(6);
  ASSERT_TRUE(balance(2'095'133'040, dims));
  EXPECT_EQ(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()), 2'095'133'040);
  EXPECT_LE(dims.front() - dims.back(), 12);
}

TEST(Balance, KeepsWhatIsGiven) {
  std::vector<int> dims{0, 4, 0, 5};
  ASSERT_TRUE(balance(20 * 12, dims));
  EXPECT_EQ(dims, (std::vector<int>{4, 4, 3, 5}));
  std::vector<int> impossible{0, 7};
  EXPECT_FALSE(balance(20, impossible));
}

TEST(Balance, HasNothingToChooseWhereAllAreGiven) {
  std::vector<int> fewer{2, 5};
  ASSERT_TRUE(balance(20, fewer));
  EXPECT_EQ(fewer, (std::vector<int>{2, 5}));
  std::vector<int> none;
  EXPECT_TRUE(balance(1, none));
  EXPECT_FALSE(balance(20, none));
  std::vector<int> more{20, 2};
  EXPECT_FALSE(balance(20, more));
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
