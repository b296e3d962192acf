// What an endpoint with several methods does beyond what random programs of MPI see: messages of a pair that overtake
// each other, and messages that run a handler at their target.

#include "mpi_impl/transport/matching_endpoint.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "tests/support/ranks.hpp"
#include "tests/support/test_network.hpp"

namespace hindcast::mpi {
namespace {

// Two ranks: short messages go by a network of 500 ns, others by one of 50 us.
class TwoRanks {
 public:
  explicit TwoRanks(Progress progress)
      : quick_(engine_, 2, Time::ns(500)),
        slow_(engine_, 2, Time::us(50)),
        methods_(methods(quick_, slow_)),
        exchange_(engine_, methods_, progress),
        progress_(progress) {}

  void run(const std::vector<std::function<void(Thread&)>>& bodies) { test::run_ranks(engine_, bodies); }
  // By each rank's thread, before it does anything else.
  Endpoint& endpoint_of(Thread& thread) {
    if (endpoints_.empty())
      for (const auto& rank : engine_.ranks()) {
        rank->set_progress(progress_, costs_.poll.cost);
        endpoints_.emplace_back(exchange_, *rank, Place{rank->id, 0}, costs_);
      }
    return endpoints_[static_cast<std::size_t>(thread.rank().id)];
  }

 private:
  static Methods methods(Network& quick, Network& slow) {
    MethodCosts costs;
    costs.send = {{"send", ""}, Time::ns(100)};
    costs.receive = {{"receive", ""}, Time::ns(100)};
    costs.service = {{"service", ""}, Time::ns(40)};
    costs.eager_limit = Bytes(100'000);
    costs.header = Bytes(10);
    Methods all;
    const Method& short_ones = all.add({"quick", costs, &quick});
    const Method& others = all.add({"slow", costs, &slow});
    for (const Distance distance : {Distance::node, Distance::site}) {
      all.use(short_ones, distance, 0, Bytes(8));
      all.use(others, distance, 0, Methods::any_length);
    }
    return all;
  }

  Engine engine_{EngineOptions()};
  test::TestNetwork quick_;
  test::TestNetwork slow_;
  const Methods methods_;
  MessageExchange exchange_;
  const Progress progress_;
  const EndpointCosts costs_{.local = {.copy = {{"copy", ""}, Rate::per_second(1e9)}, .combine = {}, .clock_read = {}},
                             .copy_in = {"copy in", ""},
                             .copy_out = {"copy out", ""},
                             .poll = {{"poll", ""}, Time::ns(150)}};
  std::deque<MatchingEndpoint> endpoints_;
};

void wait_for(Endpoint& endpoint, Completion& completion) {
  Thread& thread = *Thread::current();
  Gate gate(thread);
  gate.add(completion);
  endpoint.wait(gate, test::NoWait());
  endpoint.wait_until(completion.at(), test::NoWait());
}

class MatchingEndpoints : public testing::TestWithParam<Progress> {};
INSTANTIATE_TEST_SUITE_P(Hardware, MatchingEndpoints, testing::Values(Progress::hardware));
INSTANTIATE_TEST_SUITE_P(Interrupt, MatchingEndpoints, testing::Values(Progress::interrupt));
INSTANTIATE_TEST_SUITE_P(Polling, MatchingEndpoints, testing::Values(Progress::polling));

// The long one is sent first and arrives last. Receives with one pattern take them in the order of the sends.
TEST_P(MatchingEndpoints, MatchMessagesOfAPairInTheirOrderThoughTheyOvertakeEachOther) {
  TwoRanks ranks(GetParam());
  std::vector<std::uint64_t> received;
  Time second_done;
  ranks.run({[&](Thread& thread) {
               Endpoint& endpoint = ranks.endpoint_of(thread);
               const std::vector<char> data(1000);
               SendOperation sends[2];
               for (int i = 0; i < 2; ++i) {
                 sends[i].data = data.data();
                 sends[i].bytes = Bytes(i == 0 ? 1000 : 4);
                 sends[i].destination = 1;
                 endpoint.send(sends[i]);
               }
               for (SendOperation& send : sends) wait_for(endpoint, send);
               for (SendOperation& send : sends) endpoint.release_buffer(send);
             },
             [&](Thread& thread) {
               Endpoint& endpoint = ranks.endpoint_of(thread);
               std::vector<char> data(1000);
               ReceiveOperation receives[2];
               for (ReceiveOperation& receive : receives) {
                 receive.data = data.data();
                 receive.capacity = Bytes(1000);
                 endpoint.receive(receive);
               }
               for (ReceiveOperation& receive : receives) {
                 wait_for(endpoint, receive);
                 endpoint.finish(receive);
                 received.push_back(receive.bytes.count());
               }
               second_done = thread.clock();
             }});
  EXPECT_EQ(received, (std::vector<std::uint64_t>{1000, 4}));
  EXPECT_GT(second_done, Time::us(50));  // though it had come long before
}

// --- handlers ---

constexpr std::uint32_t question = 1, answer = 2;

// Answers with the text that it was sent, twice.
class Twice final : public TargetHandler {
 public:
  explicit Twice(TargetHandlers& handlers) : handlers_(handlers) {}
  void handle(const HandledMessage& message) override {
    const std::string text(static_cast<const char*>(message.data), message.bytes.count());
    handled_at = message.at;
    const std::string twice = text + text;
    handlers_.reply_to_handler(message.from, answer, {twice.data(), Bytes(twice.size())}, message.at);
  }
  Time handled_at;

 private:
  TargetHandlers& handlers_;
};

class Kept final : public TargetHandler {
 public:
  void handle(const HandledMessage& message) override {
    text.assign(static_cast<const char*>(message.data), message.bytes.count());
    done.complete(message.at);
  }
  std::string text;
  Completion done;
};

// The target is in no receive: it computes, for 3 us at a time, and polls.
TEST_P(MatchingEndpoints, RunAHandlerAtTheTargetThatReplies) {
  TwoRanks ranks(GetParam());
  Kept kept;
  Time answered, handled;
  ranks.run({[&](Thread& thread) {
               Endpoint& endpoint = ranks.endpoint_of(thread);
               endpoint.target_handlers()->set_handler(answer, kept);
               endpoint.target_handlers()->send_to_handler(1, question, {"a", Bytes(1), "bc", Bytes(2)});
               wait_for(endpoint, kept.done);
               answered = thread.clock();
             },
             [&](Thread& thread) {
               Endpoint& endpoint = ranks.endpoint_of(thread);
               Twice twice(*endpoint.target_handlers());
               endpoint.target_handlers()->set_handler(question, twice);
               for (int i = 0; i < 4; ++i) {
                 thread.charge(Time::us(3));
                 endpoint.poll(test::NoWait());
               }
               thread.settle();
               handled = twice.handled_at;
             }});
  EXPECT_EQ(kept.text, "abcabc");
  // Sent after 100 ns of overhead and 3 of copying; 13 bytes take 13 ns and 500.
  const Time arrival = Time::ns(100 + 3 + 13 + 500);
  const Time in_poll = Time::us(3) + Time::ns(150);
  const Time begin = GetParam() == Progress::polling ? in_poll : arrival;
  EXPECT_EQ(handled, GetParam() == Progress::hardware ? begin : begin + Time::ns(40));
  EXPECT_GE(answered, handled + Time::ns(500));
}

}  // namespace
}  // namespace hindcast::mpi
