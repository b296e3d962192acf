// Messages to queues of few slots, worked out by hand. A byte takes a nanosecond, a link has 10 ns.
#include "simulator/hardware/node/message_queue.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "simulator/hardware/network/torus_routes.hpp"
#include "simulator/hardware/network/wormhole_network.hpp"
#include "tests/hardware/wormhole_run.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::test {
namespace {

constexpr Bytes packet(64);
constexpr Time on_ring = Time::ns(64 + 10);  // to a neighbour

// What the senders of a test are told.
class Told final : public QueueSender {
 public:
  struct Status {
    Time at;
    bool is_inserted;
    Time status_at;
    friend bool operator==(const Status&, const Status&) = default;
  };
  explicit Told(Engine& engine) : engine_(engine) {}
  std::vector<Status> statuses;
  std::vector<Time> room;

 private:
  void arrived(QueueMessage&, bool is_inserted, Time status_at) override {
    statuses.push_back({engine_.now(), is_inserted, status_at});
  }
  void has_room() override { room.push_back(engine_.now()); }
  Engine& engine_;
};

// Nodes of a ring, each with a queue. Node 0's thread sends, node 1's owns the queue that is looked at.
class MessageQueueTest : public testing::Test {
 protected:
  void run(int slots, const std::function<void(Thread&)>& sender, const std::function<void(Thread&)>& owner) {
    Engine engine(EngineOptions{});
    make_nodes(2);
    TestLinks links = plain_links();
    WormholeNetwork<TorusRoutes> network(engine, TorusRoutes({8}), links, {0, 2}, {});
    MessageQueues queues(engine, network);
    Told told(engine);
    const std::function<void(Thread&)> bodies[] = {sender, owner};
    for (int node = 0; node < 2; ++node) {
      Rank& rank = engine.add_rank("h" + std::to_string(node));
      engine.start_thread(rank, [&bodies, node] { bodies[node](*Thread::current()); });
      queues_of_nodes_.emplace_back(node, rank, slots);
    }
    queues_ = &queues;
    told_ = &told;
    engine.run(must_not_end_early);
    statuses_ = told.statuses;
    room_ = told.room;
  }

  // From node 0 to node 1, at the thread's clock.
  void send(Thread& thread, QueueMessage& message) {
    queues_->prepare(message, queues_of_nodes_[0], queue().address(), packet, *told_);
    thread.act(*queues_, MessageQueues::act_of(message));
  }
  MessageQueue& queue() { return queues_of_nodes_[1]; }

  std::deque<MessageQueue> queues_of_nodes_;
  MessageQueues* queues_ = nullptr;
  Told* told_ = nullptr;
  std::vector<Told::Status> statuses_;
  std::vector<Time> room_;
  QueueMessage messages_[3];
};

TEST_F(MessageQueueTest, AMessageIsInsertedWhenItArrivesAndItsSenderKnowsAWayBackLater) {
  run(
      1, [&](Thread& thread) { send(thread, messages_[0]); },
      [&](Thread& thread) {
        EXPECT_EQ(queue().size(), 0U);
        thread.wait(NoWait());
        EXPECT_EQ(thread.clock(), on_ring + Time::ps(1));
        ASSERT_EQ(queue().size(), 1U);
        EXPECT_EQ(&queue().first(), &messages_[0]);
        queue().remove_first();
        EXPECT_EQ(queue().size(), 0U);
      });
  EXPECT_EQ(statuses_, (std::vector<Told::Status>{{on_ring, true, on_ring + Time::ns(10)}}));
}

TEST_F(MessageQueueTest, AnOwnerThatWaitsForSomethingElseIsNotWoken) {
  run(
      2,
      [&](Thread& thread) {
        send(thread, messages_[0]);
        thread.charge(Time::ns(500));
        thread.settle();
        queue().let_arrivals_wake(true);
        send(thread, messages_[1]);
      },
      [&](Thread& thread) {
        queue().let_arrivals_wake(false);
        thread.wait(NoWait());
        EXPECT_EQ(thread.clock(), Time::ns(500) + on_ring + Time::ps(1));
        EXPECT_EQ(queue().size(), 2U);
      });
  EXPECT_EQ(statuses_.size(), 2U);
}

TEST_F(MessageQueueTest, AMessageIsRejectedIfAllSlotsAreTakenUntilTheOwnersTimeToFreeOne) {
  run(
      1,
      [&](Thread& thread) {
        send(thread, messages_[0]);
        thread.charge(Time::ns(400));
        send(thread, messages_[1]);
        thread.charge(Time::ns(400));
        send(thread, messages_[1]);
        thread.settle();
      },
      [&](Thread& thread) {
        thread.wait(NoWait());
        thread.charge(Time::ns(500));  // ahead of the second message's arrival
        queue().remove_first();
        thread.settle();
      });
  ASSERT_EQ(statuses_.size(), 3U);
  EXPECT_EQ(statuses_[0], (Told::Status{on_ring, true, on_ring + Time::ns(10)}));
  EXPECT_EQ(statuses_[1], (Told::Status{Time::ns(400) + on_ring, false, Time::ns(410) + on_ring}));
  EXPECT_EQ(statuses_[2], (Told::Status{Time::ns(800) + on_ring, true, Time::ns(810) + on_ring}));
}

TEST_F(MessageQueueTest, WhoAsksToIsToldOnceThatThereIsRoom) {
  run(
      2,
      [&](Thread& thread) {
        for (int i = 0; i < 2; ++i) send(thread, messages_[i]);
        thread.charge(Time::ns(300));
        thread.settle();
        EXPECT_TRUE(queue().is_full());
        queue().tell_of_room(*told_);
      },
      [&](Thread& thread) {
        thread.charge(Time::ns(1000));
        thread.settle();
        queue().remove_first();
        queue().remove_first();
        thread.settle();
        thread.charge(Time::ns(1));
        thread.settle();
        EXPECT_FALSE(queue().is_full());
      });
  EXPECT_EQ(room_, (std::vector<Time>{Time::ns(1000)}));
}

}  // namespace
}  // namespace hindcast::test
