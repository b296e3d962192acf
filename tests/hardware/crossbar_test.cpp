// Times on a crossbar, worked out by hand: ports of a nanosecond a byte, 20 ns into the network, and 50 ns through the
// switch.
#include <gtest/gtest.h>

#include "simulator/hardware/network/crossbar_routes.hpp"
#include "tests/hardware/wormhole_run.hpp"

namespace hindcast::test {
namespace {

const CrossbarRoutes eight(8);

TestLinks ports() {
  TestLinks links;
  links.injection_figures = figures(Time::ns(20), 1e9);
  links.ejection_figures = figures(Time::ns(50), 1e9);
  return links;
}

TEST(Crossbar, AMessageTakesThePortTheSwitchAndItsLength) {
  TestLinks links = ports();
  const auto sent = run_wormhole(eight, links, {{Time::ns(5), 0, 7, 100}, {Time::us(1), 3, 3, 100}});
  EXPECT_EQ(sent[0].injected, Time::ns(5 + 100));
  EXPECT_EQ(sent[0].arrived, Time::ns(5 + 20 + 50 + 100));
  EXPECT_EQ(sent[1].arrived, Time::ns(1000 + 20 + 50 + 100)) << "to its own node";
  EXPECT_EQ(links.links_built, 0);
}

TEST(Crossbar, MessagesWaitForPortsAndForNothingElse) {
  TestLinks links = ports();
  const auto sent = run_wormhole(
      eight, links,
      {{Time(), 0, 1, 100}, {Time(), 2, 3, 100}, {Time(), 4, 1, 100}, {Time(), 2, 5, 100}, {Time(), 6, 7, 100}});
  EXPECT_EQ(sent[0].arrived, Time::ns(170));
  EXPECT_EQ(sent[1].arrived, Time::ns(170));
  EXPECT_EQ(sent[2].arrived, Time::ns(270)) << "behind the first, at the receiver's port";
  EXPECT_EQ(sent[3].arrived, Time::ns(270)) << "behind the second, at the sender's port";
  EXPECT_EQ(sent[4].arrived, Time::ns(170));
}

}  // namespace
}  // namespace hindcast::test
