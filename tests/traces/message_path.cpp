// The way of a message, from steps made by hand.
#include "traces/message_path.hpp"

#include <gtest/gtest.h>

namespace hindcast::traces {
namespace {

const StepKind send{"send", ""};
const StepKind wire{"wire", ""};
const StepKind receive{"receive", ""};
const StepKind compute{"compute", ""};
constexpr MessageId message = message_id(0, 1);
constexpr MessageId other = message_id(5, 1);

RecordedStep on_rank(const StepKind& kind, int rank, std::int64_t begin, std::int64_t end, MessageId of = message,
                     int peer = -1) {
  return {&kind, {Place::Kind::thread, rank, 0}, of, Time::ps(begin), Time::ps(end), 8, peer};
}
RecordedStep at_node(const StepKind& kind, int node, std::int64_t begin, std::int64_t end) {
  return {&kind, {Place::Kind::node, node, 0}, message, Time::ps(begin), Time::ps(end), 8};
}

// The names of the rows, which lie end to end from the sender's call to the end of the receiver's.
std::vector<std::string> names(const std::vector<RecordedStep>& steps) {
  const MessageTrip trip = messages_in(steps).front();
  const MessagePath path = path_of(trip, steps, {0, 1});
  std::vector<std::string> names;
  Time at = trip.sent;
  for (const PathStep& step : path.steps) {
    EXPECT_EQ(step.begin, at);
    at = step.end;
    names.push_back(step.event != nullptr ? step.event->kind->name : step.gap);
  }
  EXPECT_EQ(at, *trip.received);
  return names;
}

using Names = std::vector<std::string>;

TEST(MessagePath, ALateReceiverIsAGap) {
  EXPECT_EQ(names({on_rank(marks_of_messages.sent, 0, 10, 10, message, 1), on_rank(send, 0, 10, 20),
                   at_node(wire, 1, 20, 50), on_rank(compute, 1, 0, 70, 0), on_rank(receive, 1, 70, 80),
                   on_rank(marks_of_messages.received, 1, 80, 80, message, 0)}),
            (Names{"send", "wire", "waits for the receiver's call", "receive"}));
}

TEST(MessagePath, ASenderThatWorksForOthersIsAGap) {
  EXPECT_EQ(names({on_rank(marks_of_messages.sent, 0, 10, 10, message, 1), on_rank(send, 0, 10, 20),
                   on_rank(compute, 0, 20, 30, other), at_node(wire, 1, 30, 50), on_rank(step_wait, 1, 5, 51),
                   on_rank(receive, 1, 51, 80), on_rank(marks_of_messages.received, 1, 80, 80, message, 0)}),
            (Names{"send", "sender busy elsewhere", "wire", "the waiting receiver goes on", "receive"}));
}

TEST(MessagePath, AReceiverThatWaitsForAnotherMessageIsAGap) {
  EXPECT_EQ(names({on_rank(marks_of_messages.sent, 0, 10, 10, message, 1), on_rank(send, 0, 10, 20),
                   at_node(wire, 1, 20, 50), on_rank(step_wait, 1, 5, 60, other), on_rank(receive, 1, 60, 80),
                   on_rank(marks_of_messages.received, 1, 80, 80, message, 0)}),
            (Names{"send", "wire", "the receiver waits for something else", "receive"}));
}

TEST(MessagePath, ASenderThatWaitsForRoomIsAGap) {
  EXPECT_EQ(names({on_rank(marks_of_messages.sent, 0, 10, 10, message, 1), on_rank(send, 0, 10, 20),
                   on_rank(step_wait_for_room, 0, 20, 35, 0), on_rank(send, 0, 35, 40), at_node(wire, 1, 40, 50),
                   on_rank(marks_of_messages.received, 1, 50, 50, message, 0)}),
            (Names{"send", "the sender waits for room", "send", "wire"}));
}

TEST(MessagePath, WhatIsDoneAtTheSameTimeIsBeside) {
  const std::vector<RecordedStep> steps = {
      on_rank(marks_of_messages.sent, 0, 10, 10, message, 1), on_rank(send, 0, 10, 20), on_rank(compute, 0, 20, 45),
      at_node(wire, 1, 20, 50), on_rank(marks_of_messages.received, 1, 50, 50, message, 0)};
  const MessagePath path = path_of(messages_in(steps).front(), steps, {0, 1});
  ASSERT_EQ(path.steps.size(), 2U);
  ASSERT_EQ(path.beside.size(), 1U);
  EXPECT_EQ(path.beside[0]->kind, &compute);
}

TEST(MessagePath, OfAPutEndsInTheHardwareThatBringsItsDataToItsPlace) {
  const std::vector<RecordedStep> steps = {on_rank(marks_of_messages.sent, 0, 10, 10, message, 1),
                                           on_rank(send, 0, 10, 20), at_node(wire, 1, 20, 50),
                                           at_node(mark_of_put_data, 1, 50, 50), at_node(wire, 0, 50, 60)};
  EXPECT_EQ(names(steps), (Names{"send", "wire"}));
  const MessageTrip trip = messages_in(steps).front();
  EXPECT_TRUE(trip.ends_in_hardware);
  EXPECT_EQ(trip.received_by, nullptr);
}

TEST(Messages, AreListedAsTheyWereSentReceivedOrNot) {
  const auto trips = messages_in({on_rank(marks_of_messages.sent, 0, 10, 10, message, 1),
                                  on_rank(marks_of_library_messages.sent, 5, 20, 20, other, 1),
                                  on_rank(marks_of_messages.received, 1, 80, 80, message, 0)});
  ASSERT_EQ(trips.size(), 2U);
  EXPECT_EQ(trips[0].receiver, 1);
  EXPECT_EQ(trips[0].received, Time::ps(80));
  EXPECT_FALSE(trips[0].is_of_library);
  EXPECT_FALSE(trips[0].ends_in_hardware);
  EXPECT_TRUE(trips[1].is_of_library);
  EXPECT_FALSE(trips[1].received.has_value());
}

}  // namespace
}  // namespace hindcast::traces
