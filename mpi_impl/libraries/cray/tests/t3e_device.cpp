// MPI's two libraries on the T3E: which protocol moves a message, of which steps it is made, what is buffered, progress
// in the barrier, and cancelling.
#include "mpi_impl/libraries/cray/tests/t3e_ranks.hpp"

namespace hindcast::mpi {
namespace {

// A message from rank 0 to rank 1, which has posted its receive; what is received is right.
Outcome message(const T3eMode& mode, std::size_t bytes, SendMode send_mode = SendMode::standard) {
  return run(mode, {[&](const Caller& caller) {
                      caller.compute(Time::us(50));
                      caller.send(data_of(bytes), 1, send_mode);
                    },
                    [&](const Caller& caller) {
                      std::vector<char> data(bytes);
                      caller.receive(data, 0);
                      EXPECT_EQ(data, data_of(bytes));
                    }});
}

// The steps of a message, as the protocols are told apart by them. Swaps that found a lock taken do not count.
struct Steps {
  int messages, swaps, puts, gets, sends, copies;
  friend bool operator==(const Steps&, const Steps&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Steps& steps) {
    return out << fmt::format("{} messages, {} swaps, {} puts, {} gets, {} SENDs, {} copies", steps.messages,
                              steps.swaps, steps.puts, steps.gets, steps.sends, steps.copies);
  }
};
Steps steps_in(const Outcome& outcome) {
  int copies = 0;
  for (const auto& [name, count] : outcome.counts)
    if (name.starts_with("copy")) copies += count;
  return {outcome.of("protocol message"),
          outcome.of("swap") - outcome.of("pause after a lock was taken"),
          outcome.of("put"),
          outcome.of("get"),
          outcome.of("SEND"),
          copies};
}

constexpr Steps new_t{1, 0, 0, 0, 1, 0};
constexpr Steps new_rta{2, 0, 0, 1, 2, 0};
constexpr Steps old_t{1, 2, 1, 0, 0, 0};
constexpr Steps old_tn{1, 2, 1, 0, 0, 2};
constexpr Steps old_rta{2, 4, 2, 1, 0, 0};

TEST(T3eEndpoint, ShortDataTravelsInThePacketInTheNewLibraryAndIsGotOtherwise) {
  for (const std::size_t bytes : {0, 1, 8, 55, 56}) EXPECT_EQ(steps_in(message(new_library, bytes)), new_t);
  for (const std::size_t bytes : {57, 64, 5000}) EXPECT_EQ(steps_in(message(new_library, bytes)), new_rta) << bytes;
}

TEST(T3eEndpoint, DataTravelsInOneSlotOrSeveralOrIsGotInTheOldLibrary) {
  for (const std::size_t bytes : {0, 8, 16}) EXPECT_EQ(steps_in(message(old_library, bytes)), old_t) << bytes;
  for (const std::size_t bytes : {17, 24, 25, 1000}) EXPECT_EQ(steps_in(message(old_library, bytes)), old_tn) << bytes;
  EXPECT_EQ(steps_in(message(old_library, 1001)), old_rta);
}

TEST(T3eEndpoint, RatTakesThreeMessagesAndAPutAndCopiesUnlessTheSendIsSynchronous) {
  const T3eMode mode{.longer = "RAT"};
  EXPECT_EQ(steps_in(message(mode, 4000)), (Steps{3, 0, 1, 0, 3, 1}));
  EXPECT_EQ(steps_in(message(mode, 4000, SendMode::synchronous)), (Steps{3, 0, 1, 0, 3, 0}));
  EXPECT_EQ(steps_in(message(new_library, 4000, SendMode::synchronous)), (Steps{3, 0, 1, 0, 3, 0}));
  const T3eMode old{.is_old = true, .longer = "RAT"};
  EXPECT_EQ(steps_in(message(old, 4000)), (Steps{3, 6, 4, 0, 0, 1}));
}

// The program may free its request, and then its memory: before the receiver gets the data, meanwhile, and afterwards.
TEST(T3eEndpoint, WhatIsGotMayMoveToTheLibraryAtAnyTime) {
  const auto received_at = [](Time let_go_after) {
    const Program sender = [=](const Caller& caller) {
      std::vector<char> data = data_of(20000), reply(1);
      SendOperation send;
      caller.begin_send(send, data, 1);
      caller.compute(let_go_after);
      caller.thread().settle();
      caller.endpoint().release_buffer(send);
      data.assign(data.size(), 'x');
      caller.receive(reply, 1);
    };
    const Program receiver = [](const Caller& caller) {
      std::vector<char> data(20000);
      caller.receive(data, 0);
      EXPECT_EQ(data, data_of(20000));
      caller.tell(caller.thread().clock());
      caller.send(data_of(1), 0);
    };
    return run(new_library, {sender, receiver}, false, false).told.at(0);
  };
  const Time usual = received_at(Time::us(1));
  EXPECT_GT(usual, Time::us(60));
  for (Time time = Time::us(2); time < usual + Time::us(20); time += Time::us(3)) EXPECT_EQ(received_at(time), usual);
}

TEST(T3eEndpoint, AShortSynchronousSendWaitsForAnAnswer) {
  EXPECT_EQ(steps_in(message(new_library, 8, SendMode::synchronous)), (Steps{2, 0, 0, 0, 2, 0}));
  const Outcome late =
      run(new_library, {[](const Caller& caller) { caller.send(data_of(8), 1, SendMode::synchronous); },
                        [](const Caller& caller) {
                          caller.compute(Time::us(300));
                          std::vector<char> data(8);
                          caller.receive(data, 0);
                        }});
  EXPECT_GT(late.ends[0], Time::us(300));
}

TEST(T3eEndpoint, DataThatCameBeforeItsReceiveInSlotsIsCopiedOnceMore) {
  const Outcome outcome = run(old_library, {[](const Caller& caller) {
                                              caller.send(data_of(500), 1, SendMode::standard, 1);
                                              caller.send(data_of(1), 1, SendMode::standard, 2);
                                            },
                                            [](const Caller& caller) {
                                              std::vector<char> last(1), first(500);
                                              caller.receive(last, 0, 2);
                                              caller.receive(first, 0, 1);
                                              EXPECT_EQ(first, data_of(500));
                                            }});
  EXPECT_EQ(steps_in(outcome).copies, 3);
}

// --- searches ---

constexpr Time of_one_passed = Time::ns(40);  // an element of a list

// When a message has been received whose receive stands behind so many others.
Time received_behind(int others) {
  const Program sender = [=](const Caller& caller) {
    caller.compute(Time::us(100));
    for (int tag = others; tag >= 0; --tag) caller.send(data_of(1), 1, SendMode::standard, tag);
  };
  const Program receiver = [=](const Caller& caller) {
    std::vector<char> data(1);
    std::vector<ReceiveOperation> receives(static_cast<std::size_t>(others) + 1);
    for (int tag = 0; tag <= others; ++tag) caller.begin_receive(receives[static_cast<std::size_t>(tag)], data, 0, tag);
    caller.end(receives.back());
    caller.tell(caller.thread().clock());
    receives.pop_back();
    for (ReceiveOperation& receive : receives) caller.end(receive);
  };
  return run(new_library, {sender, receiver}).told.at(0);
}

// What it finds first it looks at for nothing.
TEST(T3eEndpoint, WhoTakesAMessageOutOfHisQueuePassesTheReceivesBeforeItsOwn) {
  const Time alone = received_behind(0);
  for (const int others : {1, 3, 12}) EXPECT_EQ(received_behind(others), alone + of_one_passed * others);
}

TEST(T3eEndpoint, WhoPostsAReceiveOrProbesPassesTheMessagesBeforeItsOwn) {
  run(new_library, {[](const Caller& caller) {
                      for (const int tag : {0, 1, 2, 3, 9}) caller.send(data_of(1), 1, SendMode::standard, tag);
                    },
                    [](const Caller& caller) {
                      std::vector<char> data(1);
                      caller.receive(data, 0, 9);  // the others have come before
                      std::vector<ReceiveOperation> receives(4);
                      const auto cost_of = [&](const std::function<void()>& call) {
                        const Time begin = caller.thread().clock();
                        call();
                        return caller.thread().clock() - begin;
                      };
                      const auto probe = [&](int tag) {
                        return cost_of([&] {
                          Envelope envelope;
                          Bytes bytes;
                          EXPECT_EQ(caller.endpoint().probe({0, 0, tag}, envelope, bytes, nullptr), tag < 4);
                        });
                      };
                      const auto post = [&](int tag) {
                        ReceiveOperation& receive = receives[static_cast<std::size_t>(tag)];
                        return cost_of([&] { caller.begin_receive(receive, data, 0, tag); });
                      };
                      EXPECT_EQ(probe(2), of_one_passed * 2);
                      EXPECT_EQ(probe(7), of_one_passed * 4);
                      EXPECT_EQ(post(3), of_one_passed * 3);
                      EXPECT_EQ(post(0), Time());
                      EXPECT_EQ(post(2), of_one_passed * 1);
                      EXPECT_EQ(post(1), Time());
                      for (ReceiveOperation& receive : receives) caller.end(receive);
                    }});
}

// --- buffering ---

Time end_of_send(std::uint64_t buffer_max, std::size_t bytes, bool is_old) {
  const Outcome outcome = run({.is_old = is_old, .buffer_max = buffer_max}, {[&](const Caller& caller) {
                                                                               std::vector<char> data = data_of(bytes);
                                                                               SendOperation send;
                                                                               caller.begin_send(send, data, 1);
                                                                               caller.end(send);
                                                                               caller.tell(caller.thread().clock());
                                                                               std::fill(data.begin(), data.end(), 'x');
                                                                               caller.meet();
                                                                             },
                                                                             [&](const Caller& caller) {
                                                                               caller.compute(Time::us(500));
                                                                               std::vector<char> data(bytes);
                                                                               caller.receive(data, 0);
                                                                               EXPECT_EQ(data, data_of(bytes));
                                                                               caller.meet();
                                                                             }});
  return outcome.told.at(0);
}

TEST(T3eEndpoint, StandardSendsReturnAtOnceWhileTheLibraryHasABufferForThem) {
  for (const bool is_old : {false, true}) {
    EXPECT_LT(end_of_send(5000, 4000, is_old), Time::us(60));
    EXPECT_GT(end_of_send(0, 4000, is_old), Time::us(500));
    EXPECT_GT(end_of_send(3999, 4000, is_old), Time::us(500)) << "there is too little room";
  }
}

TEST(T3eEndpoint, RoomInTheBufferIsThereAgainOnceTheReceiverHasTheData) {
  const Outcome outcome = run({.buffer_max = 4000}, {[&](const Caller& caller) {
                                                       SendOperation a, b;
                                                       const std::vector<char> data = data_of(4000);
                                                       caller.begin_send(a, data, 1);
                                                       caller.end(a);
                                                       caller.begin_send(b, data, 1);  // no room
                                                       caller.end(b);
                                                       caller.tell(caller.thread().clock());
                                                       SendOperation c;
                                                       caller.begin_send(c, data, 1);  // both have been acknowledged
                                                       caller.end(c);
                                                       caller.tell(caller.thread().clock());
                                                     },
                                                     [&](const Caller& caller) {
                                                       caller.compute(Time::us(700));
                                                       std::vector<char> data(4000);
                                                       caller.receive(data, 0);
                                                       caller.receive(data, 0);
                                                       caller.compute(Time::us(700));
                                                       caller.receive(data, 0);
                                                     }});
  EXPECT_GT(outcome.told.at(0), Time::us(700));
  EXPECT_LT(outcome.told.at(1) - outcome.told.at(0), Time::us(60));
}

// --- the barrier ---

// The data is got while the receiver is in the barrier, and the sender is told.
TEST(T3eEndpoint, MessagesProgressWhileTheirReceiverIsInTheBarrier) {
  for (const bool is_old : {false, true}) {
    const Outcome result = run({.is_old = is_old}, {[&](const Caller& caller) {
                                                      caller.compute(Time::us(100));
                                                      caller.send(data_of(5000), 1);
                                                      caller.tell(caller.thread().clock());
                                                      caller.compute(Time::us(1000));
                                                      caller.meet();
                                                    },
                                                    [](const Caller& caller) {
                                                      std::vector<char> data(5000);
                                                      ReceiveOperation receive;
                                                      caller.begin_receive(receive, data, 0);
                                                      caller.meet();
                                                      EXPECT_TRUE(receive.is_known());
                                                      EXPECT_LT(receive.at(), Time::us(300));
                                                      EXPECT_EQ(data, data_of(5000));
                                                      caller.end(receive);
                                                    }});
    EXPECT_LT(result.told.at(0), Time::us(300));
    EXPECT_GT(result.ends[1], Time::us(1100));
    EXPECT_EQ(result.of("barrier"), 2);
  }
}

TEST(T3eEndpoint, TheBarrierIsForCommunicatorsOfAllRanksAndBlockingCalls) {
  run(new_library, {[](const Caller& caller) {
                      const GroupOperations& machine = *caller.endpoint().group_operations();
                      EXPECT_TRUE(machine.offers({5, 0, 2}, true).barrier);
                      EXPECT_FALSE(machine.offers({5, 0, 2}, false).barrier);
                      EXPECT_FALSE(machine.offers({9, 0, 1}, true).barrier);
                      EXPECT_FALSE(machine.offers({5, 0, 2}, true).broadcast);
                    },
                    [](const Caller&) {}});
}

// --- cancelling ---

TEST(T3eEndpoint, ASendIsCancelledAsLongAsItsReceiverHasNotMatchedIt) {
  for (const T3eMode& mode : {new_library, old_library})
    for (const bool is_in_time : {true, false})
      run(mode, {[&](const Caller& caller) {
                   const std::vector<char> data = data_of(5000);
                   SendOperation send;
                   caller.begin_send(send, data, 1);
                   caller.compute(Time::us(100));
                   caller.thread().settle();
                   caller.endpoint().cancel(send);
                   caller.end(send);
                   EXPECT_EQ(send.cancelled, is_in_time);
                   caller.send(data_of(1), 1, SendMode::standard, 9);
                 },
                 [&](const Caller& caller) {
                   std::vector<char> data(5000), end(1);
                   ReceiveOperation receive;
                   if (!is_in_time) caller.begin_receive(receive, data, 0);
                   caller.receive(end, 0, 9);
                   EXPECT_EQ(receive.is_known(), !is_in_time);
                   if (!is_in_time) caller.end(receive);
                 }});
}

}  // namespace
}  // namespace hindcast::mpi
