#include "simulator/hardware/network/torus_routes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hindcast {
namespace {

using Extents = std::vector<std::int64_t>;

// The route as the sequence of nodes it visits, with each link checked to start where the one before ended.
std::vector<int> nodes_on_route(const TorusRoutes& routes, int from, int to) {
  std::vector<int> nodes{from};
  routes.for_each_link(routes.route(from, to), [&](int index) {
    const TorusRoutes::Link link = routes.link(index);
    const int upper = routes.upper_neighbour(link.owner, link.dimension);
    EXPECT_EQ(nodes.back(), link.down ? upper : link.owner);
    nodes.push_back(link.down ? link.owner : upper);
  });
  return nodes;
}

int distance_on_torus(const Extents& extents, int from, int to) {
  int sum = 0;
  for (const std::int64_t extent : extents) {
    const int e = static_cast<int>(extent);
    const int apart = std::abs(from % e - to % e);
    sum += std::min(apart, e - apart);
    from /= e;
    to /= e;
  }
  return sum;
}

class Routes : public testing::TestWithParam<Extents> {};

TEST_P(Routes, AreContiguousShortestAndInDimensionOrder) {
  const TorusRoutes routes(GetParam());
  for (int from = 0; from < routes.nodes(); ++from)
    for (int to = 0; to < routes.nodes(); ++to) {
      const std::vector<int> nodes = nodes_on_route(routes, from, to);
      ASSERT_EQ(nodes.back(), to);
      ASSERT_EQ(static_cast<int>(nodes.size()) - 1, distance_on_torus(GetParam(), from, to));
      ASSERT_EQ(routes.hops(from, to), static_cast<int>(nodes.size()) - 1);
      int dimension = 0;
      routes.for_each_link(routes.route(from, to), [&](int index) {
        ASSERT_GE(routes.link(index).dimension, dimension);
        dimension = routes.link(index).dimension;
        ASSERT_LT(index, routes.link_count());
      });
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Routes,
                         testing::Values(Extents{1}, Extents{2}, Extents{7}, Extents{8}, Extents{4, 4}, Extents{5, 3},
                                         Extents{8, 1}, Extents{2, 2}, Extents{4, 3, 2}, Extents{3, 4, 2, 3}));

TEST(RoutesOnARing, GoUpWhenHalfwayRoundExceptFromTheMiddle) {
  const TorusRoutes ring(Extents{8});
  EXPECT_EQ(nodes_on_route(ring, 1, 5), (std::vector{1, 2, 3, 4, 5}));
  EXPECT_EQ(nodes_on_route(ring, 6, 2), (std::vector{6, 7, 0, 1, 2}));
  EXPECT_EQ(nodes_on_route(ring, 4, 0), (std::vector{4, 3, 2, 1, 0}));
}

TEST(RoutesOnARing, PassTheEndBothWays) {
  const TorusRoutes ring(Extents{8});
  EXPECT_EQ(nodes_on_route(ring, 7, 1), (std::vector{7, 0, 1}));
  EXPECT_EQ(nodes_on_route(ring, 0, 6), (std::vector{0, 7, 6}));
}

// There is one way along each open ring.
TEST(RoutesInAMesh, NeverPassAnEnd) {
  const TorusRoutes mesh(Extents{5, 3, 2}, TorusRoutes::Ends::open);
  const TorusRoutes ring(Extents{8}, TorusRoutes::Ends::open);
  EXPECT_EQ(nodes_on_route(ring, 6, 1), (std::vector{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(nodes_on_route(ring, 0, 7), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
  for (int from = 0; from < mesh.nodes(); ++from)
    for (int to = 0; to < mesh.nodes(); ++to) {
      const std::vector<int> nodes = nodes_on_route(mesh, from, to);
      ASSERT_EQ(nodes.back(), to);
      const int distance =
          std::abs(from % 5 - to % 5) + std::abs(from / 5 % 3 - to / 5 % 3) + std::abs(from / 15 - to / 15);
      ASSERT_EQ(static_cast<int>(nodes.size()) - 1, distance);
      ASSERT_EQ(mesh.hops(from, to), distance);
    }
}

TEST(RoutesInTwoDimensions, GoAlongTheFirstBeforeTheSecond) {
  const TorusRoutes torus(Extents{4, 4});
  EXPECT_EQ(nodes_on_route(torus, 0, 6), (std::vector{0, 1, 2, 6}));
}

TEST(SquareTorus, IsTheSmallestThatIsAtMostTwiceAsLongAsWide) {
  EXPECT_EQ(TorusRoutes::square_for(1), (Extents{1, 1}));
  EXPECT_EQ(TorusRoutes::square_for(2), (Extents{2, 1}));
  EXPECT_EQ(TorusRoutes::square_for(3), (Extents{2, 2}));
  EXPECT_EQ(TorusRoutes::square_for(7), (Extents{4, 2}));
  EXPECT_EQ(TorusRoutes::square_for(64), (Extents{8, 8}));
  EXPECT_EQ(TorusRoutes::square_for(128), (Extents{16, 8}));
  EXPECT_EQ(TorusRoutes::square_for(10000), (Extents{100, 100}));
  EXPECT_EQ(TorusRoutes::square_for(1 << 20), (Extents{1024, 1024}));
  for (int nodes = 1; nodes < 2000; ++nodes) {
    const Extents extents = TorusRoutes::square_for(nodes);
    ASSERT_GE(extents[0] * extents[1], nodes);
    ASSERT_LE(extents[0] * extents[1], nodes + extents[0]);
    ASSERT_LE(extents[0], 2 * extents[1]);
    ASSERT_GE(extents[0], extents[1]);
  }
}

TEST(TorusRoutes, CubesHaveSidesOfPowersOfTwoAsNearEachOtherAsCanBe) {
  EXPECT_EQ(TorusRoutes::cube_for(1), (Extents{1, 1, 1}));
  EXPECT_EQ(TorusRoutes::cube_for(2), (Extents{1, 1, 2}));
  EXPECT_EQ(TorusRoutes::cube_for(8), (Extents{2, 2, 2}));
  EXPECT_EQ(TorusRoutes::cube_for(9), (Extents{2, 2, 4}));
  EXPECT_EQ(TorusRoutes::cube_for(344), (Extents{8, 8, 8}));
  EXPECT_EQ(TorusRoutes::cube_for(2048), (Extents{8, 16, 16}));
  EXPECT_EQ(TorusRoutes::cube_for(1 << 20), (Extents{64, 128, 128}));
}

TEST(TorusExtents, AreRefusedWhenImpossible) {
  EXPECT_THROW(TorusRoutes(Extents{}), std::invalid_argument);
  EXPECT_THROW(TorusRoutes(Extents{0}), std::invalid_argument);
  EXPECT_THROW(TorusRoutes(Extents{2, 2, 2, 2, 2}), std::invalid_argument);
  EXPECT_THROW(TorusRoutes(Extents{1024, 1025}), std::invalid_argument);
}

}  // namespace
}  // namespace hindcast
