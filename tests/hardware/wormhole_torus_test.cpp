// Reservations, worked out by hand. A byte takes a nanosecond everywhere, a link has 10 ns, unless said otherwise.
#include "simulator/hardware/network/wormhole_network.hpp"

#include <gtest/gtest.h>

#include "tests/hardware/wormhole_run.hpp"

namespace hindcast::test {
namespace {

const TorusRoutes ring_of_8({8});

TEST(WormholeTorus, TakesTheLatenciesAndTheLengthOnce) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(ring_of_8, links, {{Time::ns(5), 0, 3, 100}});
  EXPECT_EQ(sent[0].entered, Time::ns(5));
  EXPECT_EQ(sent[0].injected, Time::ns(105));
  EXPECT_EQ(sent[0].arrived, Time::ns(5 + 3 * 10 + 100));
}

TEST(WormholeTorus, BuildsOnlyTheLinksOnRoutesThatAreUsed) {
  TestLinks links = plain_links();
  run_wormhole(ring_of_8, links, {{Time::ns(0), 0, 3, 100}, {Time::ns(500), 0, 2, 100}});
  EXPECT_EQ(links.links_built, 3);
}

TEST(WormholeTorus, TakesTheLeastBandwidthOnThePath) {
  TestLinks links = plain_links();
  links.exceptions[ring_of_8.link_count() / ring_of_8.nodes() * 1] = figures(Time::ns(10), 0.25e9);  // from node 1 up
  const auto sent = run_wormhole(ring_of_8, links, {{Time::ns(0), 0, 3, 100}});
  EXPECT_EQ(sent[0].arrived, Time::ns(3 * 10 + 400));
  EXPECT_EQ(sent[0].injected, Time::ns(400));
}

TEST(WormholeTorus, PortsHaveBandwidthAndLatencyOfTheirOwn) {
  TestLinks links = plain_links();
  links.injection_figures = figures(Time::ns(7), 0.5e9);
  links.ejection_figures = figures(Time::ns(3), 1e9);
  const auto sent = run_wormhole(ring_of_8, links, {{Time::ns(0), 0, 1, 100}, {Time::ns(1), 0, 1, 100}});
  EXPECT_EQ(sent[0].arrived, Time::ns(7 + 10 + 3 + 200));
  // The latency behind the port is a pipeline: the second message enters as soon as the first has left memory.
  EXPECT_EQ(sent[1].entered, Time::ns(200));
  EXPECT_EQ(sent[1].arrived, Time::ns(200 + 7 + 10 + 3 + 200));
}

TEST(WormholeTorus, APortTakesMessagesOneByOneInOrder) {
  TestLinks links = plain_links();
  const auto sent =
      run_wormhole(ring_of_8, links, {{Time::ns(0), 0, 1, 100}, {Time::ns(0), 0, 7, 50}, {Time::ns(10), 0, 1, 20}});
  EXPECT_EQ(sent[1].entered, Time::ns(100));
  EXPECT_EQ(sent[1].arrived, Time::ns(100 + 10 + 50));
  EXPECT_EQ(sent[2].entered, Time::ns(150));
  EXPECT_EQ(sent[2].arrived, Time::ns(150 + 10 + 20));
}

TEST(WormholeTorus, AMessageWaitsForALinkThatAnotherHasReserved) {
  TestLinks links = plain_links();
  // Both need the link from 1 to 2. The second one's head gets to it at 20 + 10 and waits until 10 + 100 + 10 has
  // passed.
  const auto sent = run_wormhole(ring_of_8, links, {{Time::ns(0), 0, 3, 100}, {Time::ns(5), 1, 2, 50}});
  EXPECT_EQ(sent[0].arrived, Time::ns(3 * 10 + 100));
  EXPECT_EQ(sent[1].entered, Time::ns(5));
  EXPECT_EQ(sent[1].injected, Time::ns(55));
  EXPECT_EQ(sent[1].arrived, Time::ns(120 + 50));
}

TEST(WormholeTorus, AStalledMessageDoesNotHoldTheLinksBehindIt) {
  TestLinks links = plain_links();
  // The second stalls before 2 -> 3 until 130; the third uses 1 -> 2 only, right behind where the second passed it.
  const auto sent =
      run_wormhole(ring_of_8, links, {{Time::ns(0), 2, 3, 120}, {Time::ns(0), 1, 3, 50}, {Time::ns(0), 0, 2, 30}});
  EXPECT_EQ(sent[0].arrived, Time::ns(10 + 120));
  EXPECT_EQ(sent[1].arrived, Time::ns(130 + 50));
  EXPECT_EQ(sent[2].arrived, Time::ns(10 + 50 + 30));
}

TEST(WormholeTorus, TheEjectionPortTakesMessagesOneByOne) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(ring_of_8, links, {{Time::ns(0), 0, 1, 100}, {Time::ns(0), 2, 1, 100}});
  EXPECT_EQ(sent[0].arrived, Time::ns(110));
  EXPECT_EQ(sent[1].arrived, Time::ns(210));
}

TEST(WormholeTorus, OppositeDirectionsDoNotDisturbEachOther) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(ring_of_8, links, {{Time::ns(0), 0, 1, 100}, {Time::ns(0), 1, 0, 100}});
  EXPECT_EQ(sent[0].arrived, Time::ns(110));
  EXPECT_EQ(sent[1].arrived, Time::ns(110));
}

TEST(WormholeTorus, ATransferToItsOwnNodePassesItsPortsOnly) {
  TestLinks links = plain_links();
  links.injection_figures = figures(Time::ns(7), 1e9);
  const auto sent = run_wormhole(ring_of_8, links, {{Time::ns(0), 3, 3, 100}});
  EXPECT_EQ(sent[0].arrived, Time::ns(107));
  EXPECT_EQ(links.links_built, 0);
}

TEST(WormholeTorus, MessagesOfOnePairStayInOrder) {
  TestLinks links = plain_links();
  std::vector<Sent> sent;
  for (int i = 0; i < 50; ++i) sent.push_back({Time::ns(i), 0, 3, 100U - 2U * static_cast<unsigned>(i)});
  for (int i = 0; i < 50; ++i) sent.push_back({Time::ns(i), 1, 4, 70});  // in the way
  sent = run_wormhole(ring_of_8, links, sent);
  for (std::size_t i = 1; i < 50; ++i) EXPECT_LT(sent[i - 1].arrived, sent[i].arrived);
}

TEST(WormholeTorus, ArrivalsOfOneInstantComeInTheOrderOfTheirSenders) {
  TestLinks links = plain_links();
  // Both arrive at 110 ns. Node 2 entered first, at 0 ns, but 0 comes first.
  const auto sent = run_wormhole(ring_of_8, links, {{Time::ns(0), 2, 4, 90}, {Time::ns(10), 0, 1, 90}});
  ASSERT_EQ(sent[0].arrived, sent[1].arrived);
  EXPECT_LT(sent[1].arrival_number, sent[0].arrival_number);
}

}  // namespace
}  // namespace hindcast::test
