#include "simulator/hardware/network/link_channels.hpp"

#include <gtest/gtest.h>

namespace hindcast {
namespace {

Channel like(std::int64_t latency_ns, double bytes_per_second) {
  return Channel{Time(), Time::ns(latency_ns), Bandwidth::per_second(bytes_per_second)};
}

// More kinds than are looked through when one is built.
TEST(LinkChannels, EachKeepsItsOwnFiguresHoweverManyKindsThereAre) {
  LinkChannels links(200);
  EXPECT_FALSE(links.is_built(0));
  for (int link = 0; link < 200; ++link) links.build(link, like(1 + link % 50, 1e6 * (1 + link % 50)));
  for (int link = 0; link < 200; ++link) {
    EXPECT_TRUE(links.is_built(link));
    EXPECT_EQ(links.figures(link).latency, Time::ns(1 + link % 50));
    EXPECT_EQ(links.figures(link).bandwidth, Bandwidth::per_second(1e6 * (1 + link % 50)));
  }
}

TEST(LinkChannels, AreReservedAsChannelsAre) {
  LinkChannels links(2);
  Channel channel = like(100, 1e9);
  links.build(1, channel);
  for (const int head_ns : {0, 50, 700, 710}) {
    EXPECT_EQ(links.reserve(1, Time::ns(head_ns), Time::ns(300)), channel.reserve(Time::ns(head_ns), Time::ns(300)));
    EXPECT_EQ(links.at(1).free, channel.free);
  }
  EXPECT_FALSE(links.is_built(0));
}

}  // namespace
}  // namespace hindcast
