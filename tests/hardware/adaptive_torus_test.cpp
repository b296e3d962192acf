// Messages that may choose among the shortest routes of a torus. A byte takes a nanosecond everywhere, a link has 10
// ns.
#include "simulator/hardware/network/adaptive_torus_routes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/hardware/wormhole_run.hpp"

namespace hindcast::test {
namespace {

std::vector<int> links_of(const AdaptiveTorusRoutes::Route& route) {
  std::vector<int> links;
  AdaptiveTorusRoutes::for_each_link(route, [&](int index) { links.push_back(index); });
  return links;
}

// Follows the links, each of which has to begin where the one before ended.
int end_of(const TorusRoutes& torus, int from, const std::vector<int>& links) {
  int node = from;
  for (const int index : links) {
    const TorusRoutes::Link link = torus.link(index);
    const int upper = torus.upper_neighbour(link.owner, link.dimension);
    EXPECT_EQ(node, link.down ? upper : link.owner);
    node = link.down ? link.owner : upper;
  }
  return node;
}

TEST(AdaptiveTorus, OtherRoutesAreAllOrdersOfTheDimensionsAndEquallyLong) {
  const AdaptiveTorusRoutes torus(TorusRoutes({4, 3, 2}));
  for (int from = 0; from < torus.nodes(); ++from)
    for (int to = 0; to < torus.nodes(); ++to) {
      const AdaptiveTorusRoutes::Route first = torus.route(from, to);
      std::set<std::vector<int>> all{links_of(first)};
      std::size_t seen = 1;
      torus.for_each_other_route(from, to, [&](const AdaptiveTorusRoutes::Route& other) {
        const std::vector<int> links = links_of(other);
        EXPECT_EQ(links.size(), all.begin()->size());
        EXPECT_EQ(end_of(torus, from, links), to);
        all.insert(links);
        ++seen;
        return false;
      });
      const std::size_t orders[] = {1, 1, 2, 6};
      EXPECT_EQ(seen, orders[first.leg_count]);
      EXPECT_EQ(all.size(), seen);
    }
}

TEST(AdaptiveTorus, NoMoreRoutesAreVisitedThanAreWanted) {
  const AdaptiveTorusRoutes torus(TorusRoutes({4, 4, 4}));
  int seen = 0;
  torus.for_each_other_route(0, 21, [&](const AdaptiveTorusRoutes::Route&) { return ++seen == 2; });
  EXPECT_EQ(seen, 2);
}

// On 4 x 4: from 0 to 5 by 1 or by 4. The link from 0 to 1 is taken up by what goes from 3 over 0 to 1.
const std::vector<Sent> around_a_corner{{Time::ns(0), 3, 1, 100}, {Time::ns(15), 0, 5, 50}};

TEST(AdaptiveTorus, OnAFixedRouteAMessageWaitsForALinkThatIsTakenUp) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(TorusRoutes({4, 4}), links, around_a_corner);
  EXPECT_EQ(sent[0].arrived, Time::ns(120));
  EXPECT_EQ(sent[1].arrived, Time::ns(120 + 10 + 50));
}

TEST(AdaptiveTorus, AMessageGoesRoundALinkThatIsTakenUp) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(AdaptiveTorusRoutes(TorusRoutes({4, 4})), links, around_a_corner);
  EXPECT_EQ(sent[0].arrived, Time::ns(120));
  EXPECT_EQ(sent[1].arrived, Time::ns(15 + 20 + 50));
}

TEST(AdaptiveTorus, OfTwoRoutesThatAreTakenUpTheOneThatIsFreeSoonerIsTaken) {
  TestLinks links = plain_links();
  std::vector<Sent> traffic = around_a_corner;
  traffic.insert(traffic.begin() + 1, {Time::ns(0), 12, 4, 60});  // over 0, and from there to 4
  const auto sent = run_wormhole(AdaptiveTorusRoutes(TorusRoutes({4, 4})), links, traffic);
  EXPECT_EQ(sent[2].arrived, Time::ns(80 + 10 + 50));
}

TEST(AdaptiveTorus, ThoseOfAPairStayInOrder) {
  TestLinks links = plain_links();
  const std::vector<Sent> traffic{{Time::ns(0), 3, 1, 300},
                                  {Time::ns(0), 12, 4, 400},
                                  {Time::ns(20), 0, 5, 100},
                                  {Time::ns(20), 0, 5, 10},
                                  {Time::ns(20), 0, 5, 10}};
  const auto sent = run_wormhole(AdaptiveTorusRoutes(TorusRoutes({4, 4})), links, traffic);
  EXPECT_LT(sent[2].arrived, sent[3].arrived);
  EXPECT_LT(sent[3].arrived, sent[4].arrived);
}

}  // namespace
}  // namespace hindcast::test
