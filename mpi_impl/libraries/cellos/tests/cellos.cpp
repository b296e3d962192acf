// CellOS on the AP1000's torus: what calls take, to the picosecond, and what becomes of messages when buffers are full.

#include "mpi_impl/libraries/cellos/tests/cells.hpp"

namespace hindcast::cellos {
namespace {

// --- times ---

struct OneMessage {
  Time sent;      // when the sender's call returns
  Time received;  // when the receiver's does, who waits
};

OneMessage send_one(const Costs& costs, Space space, std::int64_t bytes) {
  OneMessage times;
  const std::string data(static_cast<std::size_t>(bytes), 'x');
  run_cells(costs, {[&](Cell& cell) {
                      send(cell, 1, 5, data, space, 3);
                      times.sent = clock();
                    },
                    [&](Cell& cell) {
                      if (space == Space::domains) cell.domains().add(3);
                      EXPECT_EQ(receive(cell, 0, 5, space, 3).data, data);
                      times.received = clock();
                    }});
  return times;
}

class Times : public testing::TestWithParam<std::int64_t> {};

TEST_P(Times, OfAMessageAreTwoOverheadsTwoMisalignedCopiesAndTheNet) {
  const std::int64_t bytes = GetParam();
  const OneMessage times = send_one(costs(), Space::plain, bytes);
  const Time sent = Time::ns(135'200) + copy(Space::plain, bytes);
  EXPECT_EQ(times.sent, sent);
  EXPECT_EQ(times.received, sent + on_net(bytes) + one_hop + woken + Time::us(110) + copy(Space::plain, bytes));
}

TEST_P(Times, WithADomainHaveItsOverheadAndAlignedCopies) {
  const std::int64_t bytes = GetParam();
  const OneMessage times = send_one(costs(), Space::domains, bytes);
  const Time sent = Time::ns(135'200 + 72'000) + copy(Space::domains, bytes);
  EXPECT_EQ(times.sent, sent);
  EXPECT_EQ(times.received, sent + on_net(bytes) + one_hop + woken + Time::us(110) + copy(Space::domains, bytes));
}

TEST_P(Times, WithLineSendingTheSendLastsUntilTheMessageIsOnTheNetAndCopiesNothing) {
  Costs line = costs();
  line.line_sending = true;
  const std::int64_t bytes = GetParam();
  const OneMessage times = send_one(line, Space::plain, bytes);
  EXPECT_EQ(times.sent, Time::ns(135'200) + on_net(bytes));
  EXPECT_EQ(times.received, times.sent + one_hop + woken + Time::us(110) + copy(Space::plain, bytes));
}

INSTANTIATE_TEST_SUITE_P(Bytes, Times, testing::Values(0, 1, 8, 1000, 80'000));

TEST(Times, OfAMessageThatIsThereAreTheReceiversAlone) {
  run_cells(costs(), {[](Cell& cell) { send(cell, 1, 5, "ten bytes!"); },
                      [](Cell& cell) {
                        Thread::current()->charge(Time::us(1000));
                        receive(cell, 0, 5);
                        EXPECT_EQ(clock(), Time::us(1110) + copy(Space::plain, 10));
                      }});
}

// --- the program's memory ---

void send_and_overwrite(const Costs& costs) {
  run_cells(costs, {[](Cell& cell) {
                      std::string data(5000, 'a');
                      send(cell, 1, 1, data);
                      data.assign(5000, 'b');
                      send(cell, 1, 2, data);
                      data.assign(5000, 'c');
                    },
                    [](Cell& cell) {
                      EXPECT_EQ(receive(cell, 0, 1).data, std::string(5000, 'a'));
                      EXPECT_EQ(receive(cell, 0, 2).data, std::string(5000, 'b'));
                    }});
}

TEST(ProgramsMemory, MayBeOverwrittenWhenASendHasReturned) { send_and_overwrite(costs()); }

TEST(ProgramsMemory, MayBeOverwrittenWhenASendHasReturnedWithLineSending) {
  Costs line = costs();
  line.line_sending = true;
  send_and_overwrite(line);
}

TEST(ProgramsMemory, IsFilledNoFurtherThanThereIsRoom) {
  run_cells(costs(), {[](Cell& cell) { send(cell, 1, 1, "abcdef"); },
                      [](Cell& cell) {
                        char data[7] = "xxxxxx";
                        Message& message = cell.wait_for(Space::plain, {0, 0, 1}, NoWait());
                        EXPECT_EQ(message.payload_bytes, Bytes(6));
                        cell.copy_out(message, data, Bytes(4));
                        EXPECT_STREQ(data, "abcdxx");
                      }});
}

// --- matching ---

TEST(Matching, TakesTheFirstThatCameOfThoseThatFit) {
  run_cells(costs(), {[](Cell& cell) {
                        send(cell, 2, 7, "first");
                        send(cell, 2, 8, "second");
                        send(cell, 2, 7, "third");
                      },
                      [](Cell& cell) {
                        Thread::current()->charge(Time::us(5000));
                        send(cell, 2, 7, "fourth");
                      },
                      [](Cell& cell) {
                        Thread::current()->charge(Time::us(9000));
                        EXPECT_EQ(receive(cell, any, 8).data, "second");
                        EXPECT_EQ(receive(cell, 1, any).data, "fourth");
                        const Received first = receive(cell, any, any);
                        EXPECT_EQ(first.data, "first");
                        EXPECT_EQ(first.cell, 0);
                        EXPECT_EQ(first.type, 7);
                        EXPECT_EQ(receive(cell, 0, 7).data, "third");
                      }});
}

TEST(Domains, AreApartFromEachOtherAndFromMessagesWithoutOne) {
  run_cells(costs(), {[](Cell& cell) {
                        send(cell, 1, 7, "domain 1", Space::domains, 1);
                        send(cell, 1, 7, "domain 2", Space::domains, 2);
                        send(cell, 1, 7, "none");
                      },
                      [](Cell& cell) {
                        cell.domains().add(1);
                        cell.domains().add(2);
                        Thread::current()->charge(Time::us(9000));
                        EXPECT_EQ(receive(cell, any, any).data, "none");
                        EXPECT_EQ(receive(cell, any, any, Space::domains, 2).data, "domain 2");
                        EXPECT_EQ(receive(cell, any, any, Space::domains, 1).data, "domain 1");
                      }});
}

TEST(Domains, MessagesOfOthersAreDiscarded) {
  run_cells(costs(), {[](Cell& cell) {
                        send(cell, 1, 7, "too early", Space::domains, 1);
                        Thread::current()->charge(Time::us(5000));
                        send(cell, 1, 7, "in time", Space::domains, 1);
                        Thread::current()->charge(Time::us(5000));
                        send(cell, 1, 7, "too late", Space::domains, 1);
                      },
                      [](Cell& cell) {
                        Thread::current()->charge(Time::us(3000));
                        EXPECT_TRUE(cell.domains().add(1));
                        EXPECT_EQ(receive(cell, any, any, Space::domains, 1).data, "in time");
                        EXPECT_TRUE(cell.domains().remove(1));
                        EXPECT_FALSE(cell.domains().remove(1));
                        Thread::current()->charge(Time::us(9000));
                        Thread::current()->settle();
                        EXPECT_EQ(cell.mailbox(Space::domains).find({1, any, any}), nullptr);
                        EXPECT_EQ(cell.ring().used(), Bytes());
                      }});
}

TEST(Domains, ThrowAwayWhatIsInTheQueueWhenTheirRegistrationEnds) {
  run_cells(costs(), {[](Cell& cell) {
                        send(cell, 1, 7, "of the first", Space::domains, 1);
                        send(cell, 1, 7, "of the second", Space::domains, 2);
                        send(cell, 1, 8, "of the first", Space::domains, 1);
                      },
                      [](Cell& cell) {
                        cell.domains().add(1);
                        cell.domains().add(2);
                        Thread::current()->charge(Time::us(9000));
                        Thread::current()->settle();
                        EXPECT_EQ(cell.ring().used(), Bytes(3 * header_bytes + 12 + 13 + 12));
                        EXPECT_TRUE(cell.domains().remove(1));
                        EXPECT_TRUE(cell.domains().add(1));
                        Thread::current()->charge(Time::us(1));
                        Thread::current()->settle();
                        EXPECT_EQ(cell.mailbox(Space::domains).find({1, any, any}), nullptr);
                        EXPECT_EQ(cell.ring().used(), Bytes(header_bytes + 13));
                        EXPECT_EQ(receive(cell, any, any, Space::domains, 2).data, "of the second");
                      }});
}

TEST(Domains, AreThreeHundredAtATime) {
  run_cells(costs(), {[](Cell& cell) {
              for (std::uint32_t domain = 0; domain < 300; ++domain)
                EXPECT_TRUE(cell.domains().add(domain * 7'000'000));
              EXPECT_FALSE(cell.domains().add(1));
              EXPECT_TRUE(cell.domains().add(7'000'000)) << "it is registered already";
              EXPECT_TRUE(cell.domains().remove(7'000'000));
              EXPECT_TRUE(cell.domains().add(1));
              EXPECT_FALSE(cell.domains().add(2));
            }});
}

// --- full buffers ---

TEST(SendBuffer, MakesASendWaitUntilEnoughHasLeft) {
  Costs tight = costs();
  tight.send_buffer = Bytes(2 * (1000 + header_bytes));
  run_cells(tight, {[](Cell& cell) {
                      const std::string data(1000, 'x');
                      const Time start_and_copy = Time::ns(135'200) + copy(Space::plain, 1000);
                      send(cell, 1, 1, data);
                      send(cell, 1, 1, data);
                      EXPECT_EQ(clock(), start_and_copy + start_and_copy) << "both have room";
                    },
                    [](Cell& cell) {
                      for (int i = 0; i < 2; ++i) receive(cell, 0, 1);
                    }});
}

TEST(SendBuffer, ThatIsSlowToDrainHoldsUpTheSender) {
  Costs tight = costs();
  tight.send_buffer = Bytes(1000 + header_bytes);
  tight.copy_in.rate = tight.misaligned_in.rate = Rate();
  tight.send.cost = Time::us(1);
  run_cells(tight, {[](Cell& cell) {
                      const std::string data(1000, 'x');
                      send(cell, 1, 1, data);
                      EXPECT_EQ(clock(), Time::us(1));
                      send(cell, 1, 1, data);
                      EXPECT_EQ(clock(), Time::us(1) + on_net(1000)) << "when the first has left";
                    },
                    [](Cell& cell) {
                      for (int i = 0; i < 2; ++i) receive(cell, 0, 1);
                    }});
}

// Cell 1 receives late; two of the three messages have room until then.
TEST(RingBuffer, LeavesAMessageInItsSenderUntilThereIsRoom) {
  run_cells(with_small_ring(),
            {[](Cell& cell) {
               for (int i = 0; i < 3; ++i) send(cell, 1, i, std::string(1000, 'a' + i));
             },
             [](Cell& cell) {
               Thread::current()->charge(Time::us(5000));
               Thread::current()->settle();
               EXPECT_EQ(cell.ring().used(), Bytes(2 * (1000 + header_bytes)));
               EXPECT_EQ(receive(cell, 0, 1).data, std::string(1000, 'b'));
               const Time has_room = clock();
               EXPECT_EQ(receive(cell, 0, 2).data, std::string(1000, 'c'));
               EXPECT_EQ(clock(), has_room + on_net(1000) + one_hop + woken + Time::us(110) + copy(Space::plain, 1000));
               EXPECT_EQ(receive(cell, 0, 0).data, std::string(1000, 'a'));
               Thread::current()->charge(Time::us(1));
               Thread::current()->settle();
               EXPECT_EQ(cell.ring().used(), Bytes());
             }});
}

TEST(RingBuffer, HoldsUpWhatTheSenderSendsToOthers) {
  run_cells(with_small_ring(), {[](Cell& cell) {
                                  for (int i = 0; i < 3; ++i) send(cell, 1, i, std::string(1000, 'a'));
                                  send(cell, 2, 9, "behind");
                                },
                                [](Cell& cell) {
                                  Thread::current()->charge(Time::us(5000));
                                  for (int i = 0; i < 3; ++i) receive(cell, 0, i);
                                },
                                [](Cell& cell) {
                                  receive(cell, 0, 9);
                                  EXPECT_GT(clock(), Time::us(5000));
                                }});
}

TEST(RingBuffer, EndsTheRunIfItIsToldTo) {
  Costs ends = with_small_ring();
  ends.overflow_ends = true;
  EXPECT_EXIT(run_cells(ends, {[](Cell& cell) {
                                 for (int i = 0; i < 3; ++i) send(cell, 1, i, std::string(1000, 'a'));
                               },
                               [](Cell&) { Thread::current()->charge(Time::us(5000)); }}),
              testing::ExitedWithCode(1),
              "cell 1: no room for a message of 1016 bytes from cell 0: 2032 of the ring buffer's 2032 bytes "
              "\\(cellos.ring_buffer\\) are in use, and cellos.overflow is 'end'");
}

}  // namespace
}  // namespace hindcast::cellos
