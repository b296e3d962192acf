// Striding send and pre-receive: what they take, to the picosecond, where the data goes, and who takes which message.

#include "mpi_impl/libraries/cellos/tests/cells.hpp"

namespace hindcast::cellos {
namespace {

const Time overhead_of_send = Time::ns(135'200);
const Time overhead_of_receive = Time::us(110);

void send_striding(Cell& from, int to, int type, const Strided& data, DoneSink* sent = nullptr) {
  from.send_striding({"l_striding_send", to, Space::plain, {0, from.number(), type}}, data, sent);
}

// A pre-receive with its buffer.
class BufferPreReceive final : public PreReceive, private PreReceiveSink {
 public:
  BufferPreReceive(Cell& cell, int from, int type, std::size_t room) : data(room, '-'), cell_(cell) {
    key = {0, from, type};
    to = whole(data);
    sink = this;
  }
  void post() { cell_.system().striding().pre_receive(cell_, *this); }
  void wait() { cell_.wait_for_flag(raised_, 1, NoWait()); }

  std::string data;
  Bytes bytes;
  DeliveredBy by{};

 private:
  void received(PreReceive&, Message& message, const Delivery& delivery) override {
    bytes = message.payload_bytes;
    by = delivery.by;
    cell_.system().free_message(message);
    raised_ = 1;
    cell_.flag_raised();
  }
  Cell& cell_;
  int raised_ = 0;
};

class Lengths : public testing::TestWithParam<std::int64_t> {};

TEST_P(Lengths, AStridingSendTakesAnOverheadAndTheMessageLeavesWithoutTheProcessor) {
  const std::int64_t bytes = GetParam();
  std::string data(static_cast<std::size_t>(bytes), 'x');
  run_cells(costs(), {[&](Cell& cell) {
                        Flag sent(cell);
                        send_striding(cell, 1, 5, whole(data), &sent);
                        EXPECT_EQ(clock(), overhead_of_send) << "it neither copies nor waits";
                        sent.wait();
                        EXPECT_EQ(clock(), overhead_of_send + on_net(bytes) + woken);
                      },
                      [&](Cell& cell) {
                        EXPECT_EQ(receive(cell, 0, 5).data, data);
                        EXPECT_EQ(clock(), overhead_of_send + on_net(bytes) + one_hop + woken + overhead_of_receive +
                                               copy(Space::plain, bytes));
                      }});
}

TEST_P(Lengths, ComputingMeanwhileTakesTheTimeOfTheLongerOne) {
  const std::int64_t bytes = GetParam();
  std::string data(static_cast<std::size_t>(bytes), 'x');
  run_cells(costs(), {[&](Cell& cell) {
                        Flag sent(cell);
                        send_striding(cell, 1, 5, whole(data), &sent);
                        Thread::current()->charge(Time::us(3000));
                        sent.wait();
                        const Time computed = overhead_of_send + Time::us(3000);
                        EXPECT_EQ(clock(), later_of(computed, overhead_of_send + on_net(bytes) + woken));
                      },
                      [&](Cell& cell) { receive(cell, 0, 5); }});
}

TEST_P(Lengths, APreReceiveHasItsMessageWhenThatArrives) {
  const std::int64_t bytes = GetParam();
  std::string data(static_cast<std::size_t>(bytes), 'x');
  run_cells(costs(), {[&](Cell& cell) {
                        Thread::current()->charge(Time::us(200));
                        send_striding(cell, 1, 5, whole(data));
                      },
                      [&](Cell& cell) {
                        BufferPreReceive posted(cell, 0, 5, data.size());
                        posted.post();
                        EXPECT_EQ(clock(), overhead_of_receive);
                        posted.wait();
                        EXPECT_EQ(posted.data, data);
                        EXPECT_EQ(posted.by, DeliveredBy::controller);
                        EXPECT_EQ(clock(), Time::us(200) + overhead_of_send + on_net(bytes) + one_hop + woken);
                      }});
}

void receive_what_is_there(std::int64_t bytes, bool is_ahead) {
  std::string data(static_cast<std::size_t>(bytes), 'x');
  run_cells(costs(), {[&](Cell& cell) { send_striding(cell, 1, 5, whole(data)); },
                      [&](Cell& cell) {
                        Thread::current()->charge(Time::us(5000));
                        if (!is_ahead) Thread::current()->settle();
                        BufferPreReceive posted(cell, 0, 5, data.size());
                        posted.post();
                        Thread::current()->settle();
                        EXPECT_EQ(clock(), Time::us(5110) + copy(Space::plain, bytes));
                        posted.wait();
                        EXPECT_EQ(posted.data, data);
                        EXPECT_EQ(posted.by, is_ahead ? DeliveredBy::call_in_past : DeliveredBy::calling);
                        EXPECT_EQ(clock(), Time::us(5110) + copy(Space::plain, bytes));
                      }});
}
TEST_P(Lengths, WhatIsThereBeforeThePreReceiveIsCopiedByTheCall) { receive_what_is_there(GetParam(), false); }
TEST_P(Lengths, WhatIsThereBeforeThePreReceiveOfAThreadThatHasRunAheadIsToo) {
  receive_what_is_there(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(Bytes, Lengths, testing::Values(0, 1, 100, 1000, 80'000));

// The message comes between the instants at which the call looks for it, and at which the program goes on.
TEST(PreReceive, IsPostedAtTheEndOfItsOverhead) {
  run_cells(costs(), {[](Cell& cell) {
                        std::string data(100, 'x');
                        send_striding(cell, 1, 5, whole(data));
                      },
                      [](Cell& cell) {
                        const Time arrival = overhead_of_send + on_net(100) + one_hop;
                        Thread::current()->charge(arrival - overhead_of_receive + Time::us(1));
                        BufferPreReceive posted(cell, 0, 5, 100);
                        posted.post();
                        Thread::current()->settle();
                        EXPECT_EQ(posted.by, DeliveredBy::call_in_past);
                        EXPECT_EQ(clock(), arrival + Time::us(1) + copy(Space::plain, 100));
                      }});
}

TEST(PreReceive, AndStridingSendMoveItems) {
  std::string from = "ab.cd.ef.gh.";
  std::string to = "----------------";
  run_cells(costs(), {[&](Cell& cell) {
                        Flag sent(cell);
                        send_striding(cell, 1, 5, {from.data(), 4, 2, 3}, &sent);
                        sent.wait();
                      },
                      [&](Cell& cell) {
                        BufferPreReceive posted(cell, 0, 5, 0);
                        posted.to = {to.data(), 3, 3, 5};
                        posted.post();
                        posted.wait();
                        EXPECT_EQ(to, "abc--def--gh----") << "the message ends within an item";
                        EXPECT_EQ(posted.bytes, Bytes(8));
                      }});
}

TEST(PreReceive, FillsNoMoreThanThereIsRoom) {
  run_cells(costs(), {[](Cell& cell) {
                        std::string data = "abcdef";
                        send_striding(cell, 1, 5, whole(data));
                      },
                      [](Cell& cell) {
                        BufferPreReceive posted(cell, 0, 5, 6);
                        posted.to.item_bytes = 4;
                        posted.post();
                        posted.wait();
                        EXPECT_EQ(posted.data, "abcd--");
                        EXPECT_EQ(posted.bytes, Bytes(6));
                      }});
}

TEST(PreReceive, TakesMessagesInTheOrderOfCallsBeforeALaterReceive) {
  run_cells(costs(), {[](Cell& cell) {
                        for (const char* text : {"first", "second", "third", "fourth"}) send(cell, 1, 7, text);
                      },
                      [](Cell& cell) {
                        BufferPreReceive wild(cell, any, any, 6);
                        BufferPreReceive other(cell, 0, 8, 6);
                        BufferPreReceive exact(cell, 0, 7, 6);
                        for (BufferPreReceive* posted : {&wild, &other, &exact}) posted->post();
                        EXPECT_EQ(receive(cell, 0, 7).data, "third");
                        EXPECT_EQ(wild.data, "first-");
                        EXPECT_EQ(exact.data, "second");
                        EXPECT_EQ(receive(cell, 0, 7).data, "fourth");
                        cell.mailbox(Space::plain).forget(other);
                      }});
}

TEST(StridingSend, KeepsTheOrderOfMessagesWithOthers) {
  run_cells(costs(), {[](Cell& cell) {
                        std::string striding(1000, 's');
                        send(cell, 1, 7, std::string(5000, 'a'));
                        send_striding(cell, 1, 7, whole(striding));
                        send(cell, 1, 7, "b");
                        send_striding(cell, 1, 7, whole(striding));
                      },
                      [](Cell& cell) {
                        std::string first_of_each;
                        for (int i = 0; i < 4; ++i) first_of_each += receive(cell, 0, 7).data[0];
                        EXPECT_EQ(first_of_each, "asbs");
                      }});
}

// --- buffers ---

TEST(StridingSend, NeedsNoRoomInTheSendBuffer) {
  Costs tight = costs();
  tight.send_buffer = Bytes(100);
  std::string data(1000, 'x');
  run_cells(tight, {[&](Cell& cell) {
                      for (int i = 0; i < 3; ++i) send_striding(cell, 1, i, whole(data));
                      EXPECT_EQ(clock(), overhead_of_send + overhead_of_send + overhead_of_send);
                    },
                    [&](Cell& cell) {
                      for (int i = 0; i < 3; ++i) EXPECT_EQ(receive(cell, 0, i).data, data);
                    }});
}

// Room for two messages; the cell that has posted all its pre-receives computes.
TEST(PreReceive, GivesTheRoomInTheRingBufferBackAtOnce) {
  constexpr int messages = 5;
  std::string data(1000, 'x');
  run_cells(with_small_ring(), {[&](Cell& cell) {
                                  Thread::current()->charge(Time::us(1000));
                                  Flag sent(cell);
                                  for (int i = 0; i < messages; ++i)
                                    send_striding(cell, 1, i, whole(data), i == messages - 1 ? &sent : nullptr);
                                  sent.wait();
                                  EXPECT_LT(clock(), Time::us(2000));
                                },
                                [&](Cell& cell) {
                                  std::deque<BufferPreReceive> all;
                                  for (int i = 0; i < messages; ++i) all.emplace_back(cell, 0, i, 1000).post();
                                  Thread::current()->charge(Time::us(5000));
                                  Thread::current()->settle();
                                  for (const BufferPreReceive& posted : all) EXPECT_EQ(posted.data, data);
                                  EXPECT_EQ(cell.ring().used(), Bytes());
                                }});
}

// A message that no pre-receive takes keeps its room, and the others wait in their sender.
TEST(PreReceive, DoesNotHelpWhereOthersFillTheRingBuffer) {
  std::string data(1000, 'x');
  run_cells(with_small_ring(), {[&](Cell& cell) {
                                  Thread::current()->charge(Time::us(1000));
                                  for (int type : {8, 9, 7}) send_striding(cell, 1, type, whole(data));
                                },
                                [&](Cell& cell) {
                                  BufferPreReceive posted(cell, 0, 7, 1000);
                                  posted.post();
                                  Thread::current()->charge(Time::us(5000));
                                  Thread::current()->settle();
                                  EXPECT_EQ(posted.data, std::string(1000, '-'));
                                  receive(cell, 0, 9);
                                  posted.wait();
                                  EXPECT_EQ(posted.data, data);
                                  receive(cell, 0, 8);
                                }});
}

// --- broadcasts ---

TEST(PreReceive, TakesABroadcastWithoutACopy) {
  const std::string data(1000, 'x');
  run_cells(costs(), {[&](Cell& cell) {
                        Thread::current()->charge(Time::us(1000));
                        cell.broadcast({"cbroad", to_all_cells, Space::plain, {0, 0, 3}, data.data(), Bytes(1000)});
                        Thread::current()->charge(Time::us(5000));
                      },
                      [&](Cell& cell) {
                        BufferPreReceive posted(cell, any, 3, 1000);
                        posted.post();
                        Thread::current()->charge(Time::us(5000));
                        Thread::current()->settle();
                        EXPECT_EQ(posted.data, data);
                        EXPECT_EQ(clock(), Time::us(5110) + interrupted) << "no copy has put it off";
                        EXPECT_EQ(cell.ring().used(), Bytes());
                      }});
}

}  // namespace
}  // namespace hindcast::cellos
