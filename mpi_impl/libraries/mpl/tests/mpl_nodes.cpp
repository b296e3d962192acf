// What MPL offers to a library on it, without programs: messages that are kept as they have come, what is put before
// their data, receives that are withdrawn, and memory that is handed back early.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <vector>

#include "mpi_impl/libraries/common/tests/random_programs/suite.hpp"
#include "mpi_impl/libraries/mpl/native/node.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/test_network.hpp"

// MPI's random programs are for libraries with MPI.
namespace hindcast::mpi::random_programs {
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RandomPrograms);
}

namespace hindcast::mpl {

namespace {

using test::NoWait;

// On the test's network a byte takes a nanosecond, and the way 500.
constexpr std::uint64_t header_bytes = 20;
constexpr std::uint32_t context = 7;
const Time sending = Time::us(30), set_up = Time::us(10), posting = Time::us(5), ending = Time::us(20);
const Time woken = Time::ps(1);  // a thread goes on a picosecond after what woke it

Time way(std::uint64_t bytes) { return Time::ns(static_cast<std::int64_t>(500 + header_bytes + bytes)); }

Costs costs() {
  Costs costs;
  costs.send.cost = sending;
  costs.long_set_up.cost = set_up;
  costs.post.cost = posting;
  costs.receive.cost = ending;
  costs.status.cost = Time::us(15);
  costs.copy_out.rate = Rate::taking(10'000);
  costs.short_max = Bytes(100);
  costs.header = Bytes(header_bytes);
  return costs;
}

// What each node does; runs to the end.
using Body = std::function<void(Node&)>;
void run_nodes(const std::vector<Body>& bodies) {
  Engine engine(EngineOptions{});
  const int count = static_cast<int>(bodies.size());
  test::make_nodes(count);
  test::TestNetwork network(engine, count);
  System system(engine, network, costs(), [](int, const std::string&) { std::abort(); });
  std::deque<Node> nodes;
  for (int i = 0; i < count; ++i) {
    Rank& rank = engine.add_rank("h" + std::to_string(i));
    Node& node = nodes.emplace_back(system, rank, i);
    engine.start_thread(rank, [&node, &body = bodies[static_cast<std::size_t>(i)]] { body(node); });
  }
  engine.run(test::must_not_end_early);
}

Time clock_now() { return Thread::current()->clock(); }

matching::Key key(const Node& from) { return {context, from.task(), 1}; }
const matching::Key from_anybody{context, matching::Key::any, matching::Key::any};

TEST(MplNodes, KeepAMessageAsItHasComeWithWhatIsBeforeItsData) {
  run_nodes({[](Node& node) {
               const std::vector<char> data(50, 'd');
               Outgoing outgoing{1, key(node), data.data(), Bytes(data.size())};
               outgoing.prefix.set(1234L, Bytes(24));
               node.send(outgoing);
               EXPECT_EQ(clock_now(), sending);
             },
             [](Node& node) {
               MessageReceive receive;
               node.post(receive, from_anybody);
               wait_for(receive.over, NoWait());
               EXPECT_EQ(clock_now(), sending + way(74) + woken);
               node.end_receive(receive.left_to_copy, receive.over.message);
               EXPECT_EQ(clock_now(), sending + way(74) + woken + ending);
               EXPECT_EQ(receive.message->prefix.get<long>(), 1234);
               EXPECT_EQ(receive.message->payload_bytes, Bytes(50));
               EXPECT_EQ(static_cast<const char*>(receive.message->payload)[49], 'd');
               node.system().free_message(*receive.message);
             }});
}

// The other protocol begins where the message with what is before its data is longer than a short one.
TEST(MplNodes, CountWhatIsBeforeTheDataAsAPartOfTheMessage) {
  const std::vector<char> data(76, 'd');  // the longer message is read from it after the node has ended
  run_nodes({[&data](Node& node) {
               Outgoing outgoing{1, key(node), data.data(), Bytes(data.size())};
               outgoing.prefix.set(1L, Bytes(24));
               node.send(outgoing);
               EXPECT_EQ(clock_now(), sending);
               outgoing.prefix.set(1L, Bytes(25));
               node.send(outgoing);
               EXPECT_EQ(clock_now(), sending + sending + set_up);
             },
             [](Node&) {}});
}

TEST(MplNodes, LeaveWhatAWithdrawnReceiveWouldHaveTakenToTheNext) {
  run_nodes({[](Node& node) {
               node.send({1, key(node), "x", Bytes(1)});
             },
             [](Node& node) {
               MessageReceive withdrawn;
               node.post(withdrawn, from_anybody);
               node.withdraw(withdrawn);
               Thread::current()->pass_until(Time::us(100), NoWait());
               Thread::current()->settle();
               EXPECT_FALSE(withdrawn.over.is_known());
               EXPECT_NE(node.find(from_anybody), nullptr);
               char data = '?';
               BufferReceive receive(&data, Bytes(1));
               node.receive_and_wait(receive, from_anybody, NoWait());
               EXPECT_EQ(data, 'x');
               EXPECT_EQ(clock_now(), Time::us(100) + posting + ending + Time::ns(10));
               EXPECT_EQ(node.find(from_anybody), nullptr);
             }});
}

TEST(MplNodes, CaptureWhatIsHandedBackBeforeItHasLeft) {
  run_nodes({[](Node& node) {
               std::vector<char> data(1000, 'a');
               Completion first, second;
               node.send({1, key(node), data.data(), Bytes(data.size()), &first});
               wait_for(first, NoWait());
               EXPECT_EQ(clock_now(), sending + set_up + Time::ns(1020));
               node.send({1, key(node), data.data(), Bytes(data.size()), &second});
               node.system().forget_sent(second);
               std::fill(data.begin(), data.end(), 'b');
               Thread::current()->pass_until(Time::us(500), NoWait());
               EXPECT_FALSE(second.is_known());
             },
             [](Node& node) {
               for (int i = 0; i < 2; ++i) {
                 std::vector<char> data(1000);
                 BufferReceive receive(data.data(), Bytes(data.size()));
                 node.receive_and_wait(receive, from_anybody, NoWait());
                 EXPECT_EQ(data[999], 'a');
               }
             }});
}

TEST(MplNodes, NumberTheMessagesOfALibraryAndTheProgramTogether) {
  run_nodes({[](Node& node) {
               const MessageId first = node.upcoming_message();
               EXPECT_EQ(node.take_message_number(), first);
               Outgoing part{1, key(node), "x", Bytes(1)};
               part.message = first;
               node.send(part);
               EXPECT_EQ(node.upcoming_message(), first + 1);
               node.send({1, key(node), "y", Bytes(1)});
               EXPECT_EQ(node.upcoming_message(), first + 2);
             },
             [](Node&) {}});
}

TEST(MplGroups, AreOneForAllWhoMakeThem) {
  Groups groups;
  const Group& first = groups.join({2, 0}, 5, 0);
  EXPECT_EQ(first.id, 1);
  EXPECT_EQ(groups.join({2, 0}, 5, 2).id, 1);
  EXPECT_EQ(groups.join({2, 0}, 6, 0).id, 2);
  EXPECT_EQ(groups.join({0, 2}, 5, 0).id, 3);
  EXPECT_EQ(groups.find(1)->rank_of(0), 1);
  EXPECT_EQ(groups.find(1)->rank_of(1), -1);
  EXPECT_EQ(groups.find(4), nullptr);
  EXPECT_EQ(groups.find(0), nullptr);
}

}  // namespace

}  // namespace hindcast::mpl
