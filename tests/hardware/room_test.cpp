// Transfers to receivers whose buffers are finite, worked out by hand. A byte takes a nanosecond, a link has 10 ns.
#include "simulator/hardware/network/room.hpp"

#include <gtest/gtest.h>

#include "tests/hardware/wormhole_run.hpp"

namespace hindcast::test {
namespace {

const TorusRoutes ring({8});

std::vector<std::int64_t> entries_in_ns(const std::vector<Sent>& sent) {
  std::vector<std::int64_t> times;
  for (const Sent& one : sent) times.push_back(one.entered.in_ps() / 1000);
  return times;
}

using Times = std::vector<std::int64_t>;

TEST(Room, ATransferWaitsUntilWhatFillsTheBufferHasLeftIt) {
  TestLinks links = plain_links();
  // The first two fill the buffer. They arrive at 110 and 210, and leave at 1110 and 1210.
  const auto sent =
      run_wormhole(ring, links, {{Time::ns(0), 0, 1, 100}, {Time::ns(0), 0, 1, 100}, {Time::ns(0), 0, 1, 100}},
                   {{1, {200, Time::ns(1000)}}});
  EXPECT_EQ(entries_in_ns(sent), (Times{0, 100, 1110}));
  EXPECT_EQ(sent[2].injected, Time::ns(1210));
  EXPECT_EQ(sent[2].arrived, Time::ns(1110 + 10 + 100));
}

TEST(Room, WhatFitsExactlyEntersAtOnce) {
  TestLinks links = plain_links();
  const auto sent =
      run_wormhole(ring, links, {{Time::ns(0), 0, 1, 100}, {Time::ns(500), 0, 1, 40}}, {{1, {140, Time::ns(1000)}}});
  EXPECT_EQ(entries_in_ns(sent), (Times{0, 500}));
}

TEST(Room, ATransferThatWaitsHoldsUpThoseBehindItWhoeverTheyAreFor) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(ring, links,
                                 {{Time::ns(0), 0, 1, 100},    // fills node 1 until 310
                                  {Time::ns(0), 0, 1, 100},    // waits from 100 on
                                  {Time::ns(0), 0, 7, 50},     // behind it
                                  {Time::ns(200), 2, 7, 50}},  // another sender's
                                 {{1, {100, Time::ns(200)}}});
  EXPECT_EQ(entries_in_ns(sent), (Times{0, 310, 410, 200}));
}

TEST(Room, AWaitingTransferReservesNothing) {
  TestLinks links = plain_links();
  // Node 1's second message waits for node 3; node 0 uses the same links meanwhile.
  const auto sent = run_wormhole(ring, links,
                                 {{Time::ns(0), 1, 3, 100},  // arrives at 120, leaves at 1120
                                  {Time::ns(0), 1, 3, 100},  // waits
                                  {Time::ns(200), 0, 2, 50}},
                                 {{3, {100, Time::ns(1000)}}});
  EXPECT_EQ(entries_in_ns(sent), (Times{0, 1120, 200}));
  EXPECT_EQ(sent[2].arrived, Time::ns(200 + 20 + 50));
}

TEST(Room, SendersEnterInTheOrderInWhichTheyWereRefused) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(ring, links,
                                 {{Time::ns(0), 0, 1, 100},    // leaves at 1110
                                  {Time::ns(30), 4, 1, 100},   // refused third
                                  {Time::ns(10), 5, 1, 100},   // refused first
                                  {Time::ns(20), 2, 1, 100}},  // refused second
                                 {{1, {100, Time::ns(1000)}}});
  EXPECT_EQ(sent[2].entered, Time::ns(1110));
  EXPECT_EQ(sent[2].arrived, Time::ns(1110 + 40 + 100));
  EXPECT_EQ(sent[3].entered, sent[2].arrived + Time::ns(1000));
  EXPECT_EQ(sent[3].arrived, sent[3].entered + Time::ns(10 + 100));
  EXPECT_EQ(sent[1].entered, sent[3].arrived + Time::ns(1000));
}

TEST(Room, SendersThatWereRefusedAtOneInstantEnterInTheOrderOfTheirNodes) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(
      ring, links,
      {{Time::ns(0), 0, 1, 100}, {Time::ns(10), 5, 1, 100}, {Time::ns(10), 2, 1, 100}, {Time::ns(10), 3, 1, 100}},
      {{1, {100, Time::ns(1000)}}});
  EXPECT_LT(sent[2].arrived, sent[3].entered);
  EXPECT_LT(sent[3].arrived, sent[1].entered);
}

TEST(Room, AShortOneDoesNotOvertakeALongOneThatWaits) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(ring, links,
                                 {{Time::ns(0), 0, 1, 60},    // leaves at 1070
                                  {Time::ns(10), 2, 1, 80},   // does not fit beside it
                                  {Time::ns(20), 3, 1, 20}},  // would
                                 {{1, {100, Time::ns(1000)}}});
  EXPECT_EQ(entries_in_ns(sent), (Times{0, 1070, 1070}));
}

TEST(Room, OneReleaseLetsInAllThatFit) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(ring, links,
                                 {{Time::ns(0), 0, 1, 100},  // leaves at 1110
                                  {Time::ns(10), 2, 1, 40},
                                  {Time::ns(10), 3, 1, 40},
                                  {Time::ns(10), 4, 1, 40}},
                                 {{1, {100, Time::ns(1000)}}});
  EXPECT_EQ(sent[1].entered, Time::ns(1110));
  EXPECT_EQ(sent[2].entered, Time::ns(1110));
  EXPECT_EQ(sent[3].entered, sent[1].arrived + Time::ns(1000));
}

TEST(Room, ReceiversDoNotDisturbEachOther) {
  TestLinks links = plain_links();
  const auto sent = run_wormhole(ring, links,
                                 {{Time::ns(0), 0, 1, 100},  // fills node 1 for long
                                  {Time::ns(0), 2, 3, 100},  // fills node 3 until 310
                                  {Time::ns(10), 7, 1, 100},
                                  {Time::ns(10), 4, 3, 100}},
                                 {{1, {100, Time::ns(50000)}}, {3, {100, Time::ns(200)}}});
  EXPECT_EQ(entries_in_ns(sent), (Times{0, 0, 50110, 310}));
}

TEST(Room, ANodesOwnMessagesNeedRoomToo) {
  TestLinks links = plain_links();
  const auto sent =
      run_wormhole(ring, links, {{Time::ns(0), 3, 3, 100}, {Time::ns(0), 3, 3, 100}}, {{3, {100, Time::ns(1000)}}});
  EXPECT_EQ(entries_in_ns(sent), (Times{0, 1100}));
}

TEST(Room, NothingIsLostUnderManySenders) {
  TestLinks links = plain_links();
  std::vector<Sent> sent;
  for (int i = 0; i < 400; ++i)
    sent.push_back({Time::ns(i % 13), i % 8, (i * 5 + i / 8) % 8, 20U + static_cast<unsigned>(i * 7 % 60)});
  Buffers buffers;
  for (int node = 0; node < 8; ++node) buffers[node] = {100, Time::ns(30)};
  sent = run_wormhole(ring, links, sent, buffers);
  for (const Sent& one : sent) EXPECT_GT(one.arrived, one.at);
  // What a buffer holds, between each message's entry and its release, never exceeds it.
  for (const Sent& now : sent) {
    std::uint64_t held = 0;
    for (const Sent& one : sent)
      if (one.to == now.to && one.entered <= now.entered && now.entered < one.arrived + Time::ns(30)) held += one.bytes;
    EXPECT_LE(held, 100U);
  }
}

TEST(Room, ARecorderIsToldOfTheWait) {
  TestLinks links = plain_links();
  std::vector<std::string> steps;
  run_wormhole(ring, links, {{Time::ns(0), 0, 1, 100}, {Time::ns(0), 0, 1, 100}, {Time::ns(150), 2, 1, 50}},
               {{1, {100, Time::ns(200)}}}, &steps);
  std::erase_if(steps, [](const std::string& step) { return step.find("room") == std::string::npos; });
  EXPECT_EQ(steps, (std::vector<std::string>{"message 1 at node 0: wait for room at the receiver from 100 to 310 ns",
                                             "message 2 at node 2: wait for room at the receiver from 150 to 620 ns"}));
}

}  // namespace
}  // namespace hindcast::test
