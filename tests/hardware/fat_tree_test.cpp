// A fat tree's links and routes, and times on them worked out by hand. A byte takes a nanosecond everywhere, a link has
// 10 ns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "simulator/hardware/network/fat_tree_routes.hpp"
#include "tests/hardware/wormhole_run.hpp"

namespace hindcast::test {
namespace {

std::string shown(const FatTreeRoutes::Place& place) { return fmt::format("{}.{}", place.level, place.number); }

// "0.3 1.1 2.0 1.0 0.1": the nodes and switches on the way.
std::string shown_route(const FatTreeRoutes& routes, int from, int to) {
  std::string text = fmt::format("0.{}", from);
  routes.for_each_link(routes.route(from, to), [&](int index) {
    const FatTreeRoutes::Link link = routes.link(index);
    text += " " + shown(link.down ? link.child : link.parent);
  });
  return text;
}

// Two nodes below each of two switches, and two switches above them.
const FatTreeRoutes small({2, 2}, {1, 2});

TEST(FatTreeRoutes, GoUpToTheFirstSwitchAboveBothAndTakeTheParentThatTheDestinationSays) {
  EXPECT_EQ(shown_route(small, 2, 2), "0.2");
  EXPECT_EQ(shown_route(small, 0, 1), "0.0 1.0 0.1");
  EXPECT_EQ(shown_route(small, 0, 2), "0.0 1.0 2.0 1.1 0.2");
  EXPECT_EQ(shown_route(small, 0, 3), "0.0 1.0 2.1 1.1 0.3");
  EXPECT_EQ(shown_route(small, 1, 3), "0.1 1.0 2.1 1.1 0.3");
  EXPECT_EQ(shown_route(small, 3, 0), "0.3 1.1 2.0 1.0 0.0");
}

TEST(FatTreeRoutes, AreUpAndDownLinksThatMeetInEveryTree) {
  const std::vector<FatTreeRoutes> trees{FatTreeRoutes({5}, {1}), FatTreeRoutes({4, 4}, {1, 2}),
                                         FatTreeRoutes({2, 3, 2}, {2, 2, 3}),
                                         FatTreeRoutes({2, 2, 2, 2}, {1, 2, 2, 2})};
  for (const FatTreeRoutes& tree : trees)
    for (int from = 0; from < tree.nodes(); ++from)
      for (int to = 0; to < tree.nodes(); ++to) {
        FatTreeRoutes::Place at{0, from};
        bool went_down = false;
        int links = 0;
        tree.for_each_link(tree.route(from, to), [&](int index) {
          ASSERT_LT(index, tree.link_count());
          const FatTreeRoutes::Link link = tree.link(index);
          const FatTreeRoutes::Place begin = link.down ? link.parent : link.child;
          ASSERT_EQ(shown(begin), shown(at)) << from << " to " << to;
          ASSERT_FALSE(went_down && !link.down);
          went_down = link.down;
          at = link.down ? link.child : link.parent;
          ++links;
        });
        EXPECT_EQ(shown(at), shown({0, to}));
        EXPECT_EQ(links, 2 * tree.route(from, to).levels);
      }
}

// From one switch to all nodes below another, every link up is used, and as often as the others.
TEST(FatTreeRoutes, SpreadDestinationsOverTheLinksUp) {
  const FatTreeRoutes tree({4, 4}, {1, 4});
  std::multiset<int> used;
  for (int to = 4; to < 8; ++to) {
    const FatTreeRoutes::Route route = tree.route(0, to);
    std::vector<int> links;
    tree.for_each_link(route, [&](int link) { links.push_back(link); });
    used.insert(links[1]);
  }
  EXPECT_EQ(std::set(used.begin(), used.end()).size(), 4U);
}

TEST(FatTreeRoutes, RefuseTreesThatCannotBe) {
  EXPECT_THROW(FatTreeRoutes({}, {}), std::invalid_argument);
  EXPECT_THROW(FatTreeRoutes({4, 4}, {1}), std::invalid_argument);
  EXPECT_THROW(FatTreeRoutes({1024, 1025}, {1, 1}), std::invalid_argument);
  EXPECT_THROW(FatTreeRoutes({1024, 1024}, {1, 1 << 20}), std::invalid_argument);
  EXPECT_THROW(FatTreeRoutes(std::vector<std::int64_t>(9, 2), std::vector<std::int64_t>(9, 1)), std::invalid_argument);
}

TEST(FatTree, AMessageTakesALinkUpAndALinkDownForEachLevel) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(small, links, {{Time::ns(5), 0, 1, 100}, {Time::us(1), 0, 3, 100}});
  EXPECT_EQ(sent[0].arrived, Time::ns(5 + 2 * 10 + 100));
  EXPECT_EQ(sent[1].arrived, Time::ns(1000 + 4 * 10 + 100));
}

// Nodes 0 and 1 send to 2 by one switch above, so the second waits for the link to it: 10 ns behind the port.
TEST(FatTree, MessagesToOneNodeWaitForEachOtherOnTheWayUp) {
  TestLinks links = plain_links();
  std::vector<std::string> steps;
  const auto sent = run_wormhole(small, links, {{Time(), 0, 2, 100}, {Time(), 1, 2, 100}}, {}, &steps);
  EXPECT_EQ(sent[0].arrived, Time::ns(40 + 100));
  EXPECT_EQ(sent[1].injected, Time::ns(100));
  EXPECT_EQ(sent[1].arrived, Time::ns(40 + 100 + 100));
  EXPECT_NE(std::find(steps.begin(), steps.end(), "message 1 at node 1: wait behind other messages from 20 to 120 ns"),
            steps.end());
}

TEST(FatTree, MessagesToDifferentNodesPassBesideEachOther) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(small, links, {{Time(), 0, 2, 100}, {Time(), 1, 3, 100}});
  EXPECT_EQ(sent[0].arrived, Time::ns(40 + 100));
  EXPECT_EQ(sent[1].arrived, Time::ns(40 + 100));
}

}  // namespace
}  // namespace hindcast::test
