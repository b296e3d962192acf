// The kernel's part of NX, without MPI and without programs: what meets, and what it offers to a library above it.
#include <gtest/gtest.h>

#include <cstdio>
#include <deque>

#include "mpi_impl/libraries/common/waiting.hpp"
#include "mpi_impl/libraries/nx/native/node.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::nx {

namespace {

using namespace layer;
using nx::Node;
using test::NoWait;

constexpr int any = matching::Key::any;
constexpr std::uint64_t header_bytes = 20;
const Time sending = Time::us(30);
const Time receiving = Time::us(20);
const Time woken = Time::ps(1);  // a thread goes on a picosecond after what woke it

// Of the example's network, between neighbours.
Time way(std::uint64_t bytes) {
  return Time::us(2) + Time::ns(500) + Time::ns(static_cast<std::int64_t>(50 * (bytes + header_bytes)));
}

Costs costs() {
  Costs costs;
  costs.send.cost = sending;
  costs.post = FixedStep{{}, receiving};
  costs.probe.cost = Time::us(5);
  costs.copy_out.rate = Rate::taking(25'000);
  costs.header = Bytes(header_bytes);
  return costs;
}

// What each node does, started on neighbours; runs to the end.
using Body = std::function<void(Node&)>;
void run_nodes(const std::vector<Body>& bodies) {
  Engine engine(EngineOptions{});
  const MachineFile file = load_machine("mpi_impl/libraries/nx/example.toml");
  const auto machine = Machine::build(engine, file, static_cast<int>(bodies.size()));
  System system(engine, machine->network(), costs(), [](int status, const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
    std::_Exit(status);
  });
  const std::uint32_t context_of_gsync = system.new_context();
  std::deque<Node> nodes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Rank& rank = engine.add_rank(machine->node_name(static_cast<int>(i)));
    Node& node = nodes.emplace_back(system, rank, static_cast<int>(i), context_of_gsync);
    engine.start_thread(rank, [&node, &body = bodies[i]] { body(node); });
  }
  engine.run(test::must_not_end_early);
}

Time clock() { return Thread::current()->clock(); }
void idle_until(Time time) {
  Thread::current()->pass_until(time, NoWait());
  Thread::current()->settle();
}

Message& begin_send(Node& from, int to, std::uint32_t context, int type, const char& data,
                    Completion* acknowledged = nullptr) {
  return from.send({.to = to,
                    .key = {context, from.number(), type},
                    .data = &data,
                    .bytes = Bytes(1),
                    .acknowledged = acknowledged});
}

char receive(Node& node, const matching::Key& pattern) {
  char data = '?';
  BufferReceive receive(&data, Bytes(1));
  node.post(receive, pattern);
  wait_for(receive.over, NoWait());
  node.end_receive(receive.left_to_copy, receive.bytes, receive.over.message);
  return data;
}

// What a library above is told.
struct Told final : LibraryAbove {
  void came_before_its_receive(const Message& message) override { came.push_back(message.key.tag); }
  void recall_answered(void* note, bool was_in_time) override {
    answered = note;
    is_in_time = was_in_time;
  }
  std::vector<int> came;
  void* answered = nullptr;
  bool is_in_time = false;
};

}  // namespace

TEST(NxNodes, MeetByContextSourceAndType) {
  const std::string data = "abcd";
  run_nodes({[&](Node& node) {
               begin_send(node, 1, 5, 1, data[0]);
               begin_send(node, 1, 6, 1, data[1]);
               begin_send(node, 1, 5, 2, data[2]);
               begin_send(node, 1, 5, 1, data[3]);
             },
             [&](Node& node) {
               idle_until(Time::us(1000));
               EXPECT_EQ(receive(node, {6, any, any}), 'b');
               EXPECT_EQ(receive(node, {5, 0, 2}), 'c');
               EXPECT_EQ(receive(node, {5, any, 1}), 'a');
               EXPECT_EQ(receive(node, {5, any, any}), 'd');
             }});
}

TEST(NxNodes, TellTheLibraryOfWhatCameBeforeItsReceive) {
  Told told;
  const char data = 'a';
  run_nodes({[&](Node& node) {
               begin_send(node, 1, 5, 1, data);
               begin_send(node, 1, 5, 2, data);
             },
             [&](Node& node) {
               node.tell_of_all_others(told);
               receive(node, {5, 0, 1});
               idle_until(Time::us(1000));
             }});
  EXPECT_EQ(told.came, std::vector<int>{2});
}

TEST(NxNodes, AcknowledgeWhenAReceiveHasTakenTheMessage) {
  const char data = 'a';
  run_nodes({[&](Node& node) {
               Completion early, late;
               begin_send(node, 1, 5, 1, data, &early);
               wait_for(early, NoWait());
               EXPECT_EQ(clock(), sending + way(1) + way(0) + woken);
               begin_send(node, 1, 5, 2, data, &late);
               wait_for(late, NoWait());
               EXPECT_EQ(clock(), Time::us(1000) + receiving + way(0) + woken);
             },
             [&](Node& node) {
               receive(node, {5, 0, 1});
               idle_until(Time::us(1000));
               receive(node, {5, 0, 2});
             }});
}

TEST(NxNodes, GiveAMessageBackThatNobodyHasTaken) {
  Told told;
  const char data = 'a';
  int note = 0;
  run_nodes({[&](Node& node) {
               node.tell_of_all_others(told);
               Message& message = begin_send(node, 1, 5, 1, data);
               idle_until(Time::us(500));
               ASSERT_TRUE(Node::may_be_recalled(message));
               node.recall(message, &note);
               idle_until(Time::us(1000));
               EXPECT_EQ(told.answered, &note);
               EXPECT_TRUE(told.is_in_time);
             },
             [&](Node& node) {
               idle_until(Time::us(1000));
               EXPECT_EQ(node.find({5, any, any}), nullptr);
             }});
}

TEST(NxNodes, DoNotGiveAMessageBackThatHasBeenTaken) {
  Told told;
  const char data = 'a';
  int note = 0;
  run_nodes({[&](Node& node) {
               node.tell_of_all_others(told);
               Message& message = begin_send(node, 1, 5, 1, data);
               Thread::current()->settle();
               node.recall(message, &note);
               idle_until(Time::us(1000));
               EXPECT_EQ(told.answered, &note);
               EXPECT_FALSE(told.is_in_time);
             },
             [&](Node& node) {
               EXPECT_EQ(receive(node, {5, any, any}), 'a');
             }});
}

TEST(NxNodes, ReadWhatIsForgottenAtOnce) {
  char data = 'a';
  run_nodes({[&](Node& node) {
               Message& message = begin_send(node, 1, 5, 1, data);
               node.forget(message);
               data = 'b';
             },
             [&](Node& node) {
               EXPECT_EQ(receive(node, {5, 0, 1}), 'a');
             }});
}

}  // namespace hindcast::nx
