// Packets that may choose among the shortest routes of a torus. A byte takes a nanosecond everywhere, a link has 10
// ns.
#include "simulator/hardware/network/adaptive_torus_routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/hardware/wormhole_run.hpp"

namespace hindcast::test {
namespace {

constexpr Bytes large_packet(1000);  // a message is one
constexpr Bytes small_packet(10);

AdaptiveTorusRoutes four_by_four(Bytes packet) { return {TorusRoutes({4, 4}), packet}; }

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

std::vector<int> links_of(const TorusRoutes& torus, int from, int to) {
  std::vector<int> links;
  torus.for_each_link(torus.route(from, to), [&](int index) { links.push_back(index); });
  return links;
}

std::vector<int> links_of(const AdaptiveTorusRoutes::Route& route) { return {route.begin(), route.end()}; }

TEST(AdaptiveTorus, WithNothingInItsWayAMessageGoesAlongOneDimensionAfterTheOther) {
  for (const TorusRoutes::Ends ends : {TorusRoutes::Ends::joined, TorusRoutes::Ends::open}) {
    const AdaptiveTorusRoutes torus(TorusRoutes({4, 3, 5}, ends), large_packet);
    for (int from = 0; from < torus.nodes(); ++from)
      for (int to = 0; to < torus.nodes(); ++to)
        EXPECT_EQ(links_of(torus.route(from, to)), links_of(TorusRoutes({4, 3, 5}, ends), from, to));
  }
}

// Whatever is in its way, a route leads to its end and is as long as any.
TEST(AdaptiveTorus, NoRouteIsLongerThanAnother) {
  std::mt19937 random(1);
  for (const TorusRoutes::Ends ends : {TorusRoutes::Ends::joined, TorusRoutes::Ends::open}) {
    const AdaptiveTorusRoutes torus(TorusRoutes({4, 3, 5}, ends), large_packet);
    for (int from = 0; from < torus.nodes(); ++from)
      for (int to = 0; to < torus.nodes(); ++to) {
        const auto route =
            torus.route(from, to, Time(), [&](int, Time head) { return head + Time::ns(random() % 100); });
        EXPECT_EQ(end_of(torus, from, links_of(route)), to);
        EXPECT_EQ(route.size(), links_of(torus, from, to).size());
      }
  }
}

TEST(AdaptiveTorus, AtEveryHopTheLinkIsTakenThatIsPassedFirst) {
  const AdaptiveTorusRoutes torus(TorusRoutes({8, 8}), large_packet);
  // From 0 to 18, which is two up and two to the side; the second link along the first dimension is taken up until 50
  // ns.
  const int taken_up = torus.first_link_of(1);
  const auto route = torus.route(0, 18, Time(), [&](int index, Time head) {
    return std::max(head + Time::ns(10), index == taken_up ? Time::ns(50) : Time());
  });
  const std::vector<int> to_the_side_first{torus.first_link_of(0), torus.first_link_of(1) + 2, torus.first_link_of(9),
                                           torus.first_link_of(10) + 2};
  EXPECT_EQ(links_of(route), to_the_side_first);
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
  const auto sent = run_wormhole(four_by_four(large_packet), links, around_a_corner);
  EXPECT_EQ(sent[0].arrived, Time::ns(120));
  EXPECT_EQ(sent[1].arrived, Time::ns(15 + 20 + 50));
}

TEST(AdaptiveTorus, OfTwoRoutesThatAreTakenUpTheOneThatIsFreeSoonerIsTaken) {
  TestLinks links = plain_links();
  std::vector<Sent> traffic = around_a_corner;
  traffic.insert(traffic.begin() + 1, {Time::ns(0), 12, 4, 60});  // over 0, and from there to 4
  const auto sent = run_wormhole(four_by_four(large_packet), links, traffic);
  EXPECT_EQ(sent[2].arrived, Time::ns(80 + 10 + 50));
}

TEST(AdaptiveTorus, ThoseOfAPairStayInOrder) {
  TestLinks links = plain_links();
  const std::vector<Sent> traffic{{Time::ns(0), 3, 1, 300},
                                  {Time::ns(0), 12, 4, 400},
                                  {Time::ns(20), 0, 5, 100},
                                  {Time::ns(20), 0, 5, 10},
                                  {Time::ns(20), 0, 5, 10}};
  const auto sent = run_wormhole(four_by_four(large_packet), links, traffic);
  EXPECT_LT(sent[2].arrived, sent[3].arrived);
  EXPECT_LT(sent[3].arrived, sent[4].arrived);
}

// From 0 to 5 there is a link to 1, taken up until 120 ns, and one to 4, taken up until 80. Of ten packets the first
// four leave to 4 until then, and the others in turns; so seven go there, and what passes from 12 to 4 waits for them.
const std::vector<Sent> behind_packets{
    {Time::ns(0), 3, 1, 100}, {Time::ns(0), 12, 4, 60}, {Time::ns(15), 0, 5, 100}, {Time::ns(100), 12, 4, 10}};

TEST(AdaptiveTorus, PacketsThatAllWaysAreTakenUpForGoByAllOfThem) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(four_by_four(small_packet), links, behind_packets);
  EXPECT_EQ(sent[2].arrived, Time::ns(80 + 10 + 100));  // they pass one port at the end
  EXPECT_EQ(sent[3].arrived, Time::ns(80 + 7 * 10 + 10));
}

TEST(AdaptiveTorus, AMessageOfOnePacketGoesOneWay) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(four_by_four(large_packet), links, behind_packets);
  EXPECT_EQ(sent[2].arrived, Time::ns(80 + 10 + 100));
  EXPECT_EQ(sent[3].arrived, Time::ns(80 + 100 + 10));
}

// A byte takes a third of a nanosecond more than three, which is no whole number of picoseconds.
TEST(AdaptiveTorus, PacketsTakeTogetherWhatTheWholeWould) {
  TestLinks links = plain_links();
  links.link_figures = figures(Time::ns(10), 3e8);
  std::vector<Sent> traffic(behind_packets.begin(), behind_packets.begin() + 3);
  const auto sent = run_wormhole(four_by_four(small_packet), links, traffic);
  EXPECT_EQ(sent[1].arrived, Time::ns(20 + 200));
  EXPECT_EQ(sent[2].arrived, Time::ns(220 + 10) + Time::ps(333'334));
}

// The link from 1 to 5 holds up the packets that go by 1, and at 5 those behind them.
TEST(AdaptiveTorus, WhatThePacketsBehindTheFirstWaitForIsTold) {
  TestLinks links = plain_links();
  links.exceptions[four_by_four(small_packet).first_link_of(1) + 2] = figures(Time::ns(200), 1e9);
  std::vector<Sent> traffic(behind_packets.begin(), behind_packets.begin() + 3);
  std::vector<std::string> steps;
  const auto sent = run_wormhole(four_by_four(small_packet), links, traffic, {}, &steps);
  EXPECT_EQ(sent[2].arrived, Time::ns(120 + 200 + 6 * 10));
  ASSERT_GE(steps.size(), 5U);
  const std::vector<std::string> of_packets(steps.end() - 5, steps.end());
  EXPECT_EQ(of_packets,
            (std::vector<std::string>{"message 2 at node 0: hops from 15 to 25 ns",
                                      "message 2 at node 0: wait behind other messages from 25 to 80 ns",
                                      "message 2 at node 0: hops from 80 to 90 ns",
                                      "message 2 at node 5: bytes on the wire from 90 to 190 ns",
                                      "message 2 at node 5: wait behind other messages from 190 to 380 ns"}));
}

}  // namespace
}  // namespace hindcast::test
