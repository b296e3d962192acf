// Many who send to one on the T3E: senders that want one lock at the same time, and queues that are full.
#include <deque>

#include "mpi_impl/libraries/cray/tests/t3e_ranks.hpp"

namespace hindcast::mpi {
namespace {

// --- several senders ---

// So many ranks send one message each to rank 0, all at the same time.
Outcome contention(const T3eMode& mode, int senders) {
  std::vector<Program> programs{[senders](const Caller& caller) {
    for (int from = 1; from <= senders; ++from) {
      std::vector<char> data(8);
      caller.receive(data, from);
      EXPECT_EQ(data, data_of(8, from));
    }
  }};
  for (int rank = 1; rank <= senders; ++rank)
    programs.emplace_back([rank](const Caller& caller) { caller.send(data_of(8, rank), 0); });
  return run(mode, programs);
}

TEST(T3eEndpoint, SendersThatWantOneLockTryAgainUntilTheyHaveIt) {
  int before = 0;
  for (const int senders : {1, 2, 4, 8}) {
    const Outcome old = contention(old_library, senders);
    const int swaps = old.of("swap");
    EXPECT_GE(swaps, 2 * senders);
    if (senders > 1) {
      EXPECT_GT(swaps, 2 * senders + senders / 2) << "nobody was in another's way";
    }
    EXPECT_GT(swaps, before);
    before = swaps;
    EXPECT_EQ(old.of("put"), senders);
    const Outcome without_lock = contention(new_library, senders);
    EXPECT_EQ(without_lock.of("SEND"), senders);
    EXPECT_EQ(without_lock.of("swap"), 0);
    EXPECT_LT(without_lock.ends[0], old.ends[0]);
  }
}

// Some of the polls of a receiver that waits hold the lock when a sender wants it.
TEST(T3eEndpoint, AReceiverThatPollsIsInTheWayOfItsSender) {
  std::map<int, int> by_swaps;
  for (int delay = 0; delay < 40; ++delay) {
    const Outcome run_of = run(old_library, {[delay](const Caller& caller) {
                                               caller.compute(Time::us(20) + Time::ns(50 * delay));
                                               caller.send(data_of(8), 1);
                                             },
                                             [](const Caller& caller) {
                                               std::vector<char> data(8);
                                               caller.receive(data, 0);
                                             }});
    ++by_swaps[run_of.of("swap")];
  }
  EXPECT_GT(by_swaps[2], 5);
  EXPECT_LT(by_swaps[2], 30);
}

// --- full queues ---

// Everybody sends to everybody before anybody receives.
void exchange(const Caller& caller, int ranks, int messages) {
  std::deque<SendOperation> sends;
  const std::vector<char> data = data_of(8, caller.rank());
  for (int i = 0; i < messages; ++i)
    for (int to = 0; to < ranks; ++to) caller.begin_send(sends.emplace_back(), data, to, SendMode::standard, i);
  for (SendOperation& send : sends) caller.end(send);
  caller.compute(Time::us(3 * caller.rank()));
  for (int i = 0; i < messages; ++i)
    for (int from = 0; from < ranks; ++from) {
      std::vector<char> received(8);
      caller.receive(received, from, i);
      EXPECT_EQ(received, data_of(8, from));
    }
}

TEST(T3eEndpoint, RanksWhoseQueuesAreFullAbsorbTheirOwnAndGoOn) {
  const std::vector<Program> programs(5, [](const Caller& caller) { exchange(caller, 5, 6); });
  const Outcome of_hardware = run({.packets = 3}, programs);
  EXPECT_GT(of_hardware.of("rejected by a full message queue"), 5);
  EXPECT_EQ(of_hardware.of("SEND"), 150 + of_hardware.of("rejected by a full message queue"));
  const Outcome of_slots = run({.is_old = true, .slots = 3, .medium_max = 72}, programs);
  EXPECT_EQ(of_slots.of("put"), 150);
  EXPECT_GT(of_slots.of("swap"), 2 * 150);
  for (const T3eMode& mode : {T3eMode{.packets = 3}, T3eMode{.is_old = true, .slots = 3, .medium_max = 72}})
    EXPECT_EQ(run(mode, programs, true).ends, run(mode, programs, false).ends);
}

TEST(T3eEndpoint, PacketsThatWereRejectedKeepTheirOrder) {
  run({.packets = 2}, {[](const Caller& caller) {
                         for (int i = 0; i < 20; ++i) caller.send(data_of(8, i), 1);
                       },
                       [](const Caller& caller) {
                         caller.compute(Time::us(200));
                         for (int i = 0; i < 20; ++i) {
                           std::vector<char> data(8);
                           caller.receive(data, 0);
                           EXPECT_EQ(data, data_of(8, i));
                         }
                       }});
}

// The sends and receives after the first that would have to wait are done by the next call that waits, or before any
// other call, at the times that they would have had.
TEST(T3eEndpoint, WhatNonblockingCallsWouldWaitForIsLeftToTheNextCallThatWaits) {
  constexpr std::size_t count = 4;
  const auto sends = [](bool is_ahead) {
    return [is_ahead](const Caller& caller) {
      SendOperation operations[count];
      const std::vector<char> data = data_of(8);
      for (SendOperation& operation : operations) {
        operation.is_nonblocking = operation.may_be_in_backlog = true;
        caller.begin_send(operation, data, 1);
      }
      std::vector<char> answer(8);
      ReceiveOperation receive;
      caller.begin_receive(receive, answer, 1);
      EXPECT_EQ(caller.thread().has_backlog(), is_ahead);
      caller.thread().work_off_backlog();
      EXPECT_FALSE(caller.thread().has_backlog());
      caller.tell(caller.thread().clock());
      SendOperation later[count];
      for (SendOperation& operation : later) {
        operation.is_nonblocking = operation.may_be_in_backlog = true;
        caller.begin_send(operation, data, 1);
      }
      EXPECT_EQ(caller.thread().has_backlog(), is_ahead);
      caller.wait_for(later[count - 1]);
      EXPECT_FALSE(caller.thread().has_backlog());
      caller.tell(caller.thread().clock());
      caller.end(receive);
      caller.tell(caller.thread().clock());
    };
  };
  const Program receives = [](const Caller& caller) {
    std::vector<char> data(8);
    for (std::size_t i = 0; i < 2 * count; ++i) caller.receive(data, 0);
    caller.send(data, 0);
  };
  for (const T3eMode& mode : {new_library, old_library}) {
    const Outcome ahead = run(mode, {sends(true), receives}, false, false);
    const Outcome lockstep = run(mode, {sends(false), receives}, true, false);
    EXPECT_EQ(ahead.told, lockstep.told);
    EXPECT_EQ(ahead.ends, lockstep.ends);
  }
}

// Who waits for ever for room is found as others are who wait.
TEST(T3eEndpoint, ASenderToAFullQueueThatNobodyEmptiesIsADeadlock) {
  const std::vector<Program> programs{[](const Caller& caller) {
                                        for (int i = 0; i < 4; ++i) caller.send(data_of(8), 1);
                                      },
                                      [](const Caller& caller) { caller.thread().wait(NoWait()); }};
  const auto on_end = [](Ending ending) { _exit(ending == Ending::deadlock ? 7 : 8); };
  for (const T3eMode& mode : {T3eMode{.packets = 2}, T3eMode{.is_old = true, .slots = 2, .medium_max = 48}})
    EXPECT_EXIT(run_here(mode, programs, false, on_end), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace hindcast::mpi
