// CellOS on the AP1000's other nets, and put and get: what calls take, to the picosecond, who gets a broadcast, and
// what it waits for.

#include "mpi_impl/libraries/cellos/tests/cells.hpp"

namespace hindcast::cellos {
namespace {

// --- broadcasts ---

// Of broadcasts, those with a domain are misaligned.
Time broadcast_copy(Space space, std::int64_t bytes) {
  return Time::ps(bytes * (space == Space::plain ? 158'400 : 161'300));
}

class BroadcastTimes : public testing::TestWithParam<std::int64_t> {};

TEST_P(BroadcastTimes, AreAStartTheBusAndOneCopy) {
  const std::int64_t bytes = GetParam();
  const std::string data(static_cast<std::size_t>(bytes), 'x');
  const Body receiver = [&](Cell& cell) {
    EXPECT_EQ(receive(cell, 0, 5).data, data);
    EXPECT_EQ(clock(), Time::us(580) + on_bus(bytes) + interrupted + woken + Time::us(110) +
                           broadcast_copy(Space::plain, bytes));
  };
  run_cells(costs(), {[&](Cell& cell) {
                        broadcast(cell, 5, data);
                        EXPECT_EQ(clock(), Time::us(580)) << "it does not wait";
                      },
                      receiver, receiver, receiver});
}

TEST_P(BroadcastTimes, WithADomainHaveItsOverheadAndAMisalignedCopy) {
  const std::int64_t bytes = GetParam();
  const std::string data(static_cast<std::size_t>(bytes), 'x');
  run_cells(costs(), {[&](Cell& cell) {
                        broadcast(cell, 5, data, Space::domains, 3);
                        EXPECT_EQ(clock(), Time::us(637));
                      },
                      [&](Cell& cell) {
                        cell.domains().add(3);
                        EXPECT_EQ(receive(cell, 0, 5, Space::domains, 3).data, data);
                        EXPECT_EQ(clock(), Time::us(637) + on_bus(bytes) + interrupted + woken + Time::us(110) +
                                               broadcast_copy(Space::domains, bytes));
                      }});
}

INSTANTIATE_TEST_SUITE_P(Bytes, BroadcastTimes, testing::Values(0, 1, 8, 1000, 80'000));

// Cell 1 computes until 5000 us: the interruption puts off what it does, and the data waits in the ring buffer.
TEST(Broadcast, ThatNobodyWaitsForInterruptsTheCellAndIsCopiedOnce) {
  const std::string data(1000, 'x');
  run_cells(costs(), {[&](Cell& cell) { broadcast(cell, 5, data); },
                      [&](Cell& cell) {
                        Thread::current()->charge(Time::us(5000));
                        Thread::current()->settle();
                        EXPECT_EQ(clock(), Time::us(5000) + interrupted);
                        EXPECT_EQ(cell.ring().used(), Bytes(1000 + header_bytes));
                        EXPECT_EQ(receive(cell, 0, 5).data, data);
                        EXPECT_EQ(clock(), Time::us(5110) + interrupted + broadcast_copy(Space::plain, 1000));
                      }});
}

// Also where a call waits for it.
TEST(Broadcast, TakesRoomInTheRingBufferUntilItIsCopied) {
  run_cells(costs(), {[](Cell& cell) { broadcast(cell, 5, std::string(1000, 'x')); },
                      [](Cell& cell) {
                        Message& message = cell.wait_for(Space::plain, {0, 0, 5}, NoWait());
                        EXPECT_EQ(cell.ring().used(), Bytes(1000 + header_bytes));
                        cell.copy_out(message, nullptr, Bytes());
                        Thread::current()->charge(Time::us(1));
                        Thread::current()->settle();
                        EXPECT_EQ(cell.ring().used(), Bytes());
                      }});
}

// What cell 1, which waits for the broadcast, cell 2, which does not, and cell 3, which discards it, are put off by.
struct Delays {
  Interrupts when;
  Time of_waiting;
  Time of_others;
};
class BroadcastInterrupts : public testing::TestWithParam<Delays> {};

TEST_P(BroadcastInterrupts, ThoseThatTakeItAndThoseThatDiscardItAlike) {
  Costs changed = costs();
  changed.interrupts = GetParam().when;
  const auto computer = [&](std::uint32_t domain) {
    return [domain](Cell& cell) {
      cell.domains().add(domain);
      Thread::current()->charge(Time::us(5000));
      Thread::current()->settle();
      EXPECT_EQ(clock(), Time::us(5000) + GetParam().of_others);
    };
  };
  run_cells(changed, {[](Cell& cell) { broadcast(cell, 5, std::string(5000, 'x'), Space::domains, 3); },
                      [&](Cell& cell) {
                        cell.domains().add(3);
                        cell.wait_for(Space::domains, {3, 0, 5}, NoWait());
                        EXPECT_EQ(clock(), Time::us(637) + on_bus(5000) + woken + GetParam().of_waiting);
                      },
                      computer(3), computer(4)});
}

// At its start is long before the last byte comes.
INSTANTIATE_TEST_SUITE_P(When, BroadcastInterrupts,
                         testing::Values(Delays{Interrupts::at_end, interrupted, interrupted},
                                         Delays{Interrupts::at_start, Time(), interrupted},
                                         Delays{Interrupts::never, Time(), Time()}));

TEST(Broadcast, GoesToTheCellsOfItsDomainAndCostsTheOthersAnInterruption) {
  run_cells(costs(), {[](Cell& cell) { broadcast(cell, 5, "ours", Space::domains, 3); },
                      [](Cell& cell) {
                        cell.domains().add(3);
                        EXPECT_EQ(receive(cell, 0, 5, Space::domains, 3).data, "ours");
                      },
                      [](Cell& cell) {
                        cell.domains().add(4);
                        Thread::current()->charge(Time::us(5000));
                        Thread::current()->settle();
                        EXPECT_EQ(clock(), Time::us(5030));
                        EXPECT_EQ(cell.mailbox(Space::domains).find({3, any, any}), nullptr);
                        EXPECT_EQ(cell.ring().used(), Bytes());
                      },
                      [](Cell& cell) {
                        receive(cell, any, any);
                        EXPECT_EQ(clock(), Time::us(7000 + 580 + 110) + on_bus(0) + interrupted + woken)
                            << "by its own alone";
                      },
                      [](Cell& cell) {
                        Thread::current()->charge(Time::us(7000) - Time::us(30));
                        broadcast(cell, 1, "");
                      }});
}

TEST(Broadcast, MayBeCopiedInPart) {
  run_cells(costs(), {[](Cell& cell) { broadcast(cell, 5, std::string(1000, 'a') + "piece" + std::string(1000, 'b')); },
                      [](Cell& cell) {
                        Message& message = cell.wait_for(Space::plain, {0, 0, 5}, NoWait());
                        const Time start = clock();
                        char piece[6] = "?????";
                        cell.copy_out(message, piece, Bytes(5), Bytes(1000));
                        EXPECT_STREQ(piece, "piece");
                        EXPECT_EQ(clock(), start + Time::us(110) + broadcast_copy(Space::plain, 5));
                      }});
}

// Cells 0 and 1 broadcast at once; cells 2 and 3 wait, for the one and the other.
std::vector<Time> times_of_two(BusIsHeld held) {
  std::vector<Time> ends(4);
  const std::string data(10'000, 'x');
  const auto sender = [&](std::uint32_t domain) {
    return [&data, domain](Cell& cell) { broadcast(cell, 5, data, Space::domains, domain); };
  };
  const auto receiver = [&](int from, std::uint32_t domain) {
    return [&ends, from, domain](Cell& cell) {
      cell.domains().add(domain);
      receive(cell, from, 5, Space::domains, domain);
      Thread::current()->settle();
      ends[static_cast<std::size_t>(cell.number())] = clock();
    };
  };
  run_cells(costs(), {sender(1), sender(2), receiver(0, 1), receiver(1, 2)}, held);
  return ends;
}

TEST(Broadcast, HoldsTheBusUntilItIsTaken) {
  const std::vector<Time> ends = times_of_two(BusIsHeld::until_taken);
  const Time receive_and_copy = interrupted + woken + Time::us(110) + broadcast_copy(Space::domains, 10'000);
  EXPECT_EQ(ends[2], Time::us(637) + on_bus(10'000) + receive_and_copy);
  EXPECT_EQ(ends[3], ends[2] + on_bus(10'000) + receive_and_copy);
}

TEST(Broadcast, HoldsTheBusForTheWireTimeIfSoChosen) {
  const std::vector<Time> ends = times_of_two(BusIsHeld::for_wire_time);
  const Time receive_and_copy = interrupted + woken + Time::us(110) + broadcast_copy(Space::domains, 10'000);
  EXPECT_EQ(ends[2], Time::us(637) + on_bus(10'000) + receive_and_copy + interrupted) << "the other one interrupts";
  EXPECT_EQ(ends[3], Time::us(637) + on_bus(10'000) + on_bus(10'000) + receive_and_copy);
}

class BroadcastRoom : public testing::TestWithParam<BusIsHeld> {};

// The ring buffer has room for two of three that nobody waits for; then for the third, too.
TEST_P(BroadcastRoom, ThatLacksHoldsUpTheBusUntilThereIsSome) {
  const Body sender = [](Cell& cell) {
    for (int type = 0; type < 3; ++type) broadcast(cell, type, std::string(1000, static_cast<char>('a' + type)));
  };
  const Body late = [](Cell& cell) {
    Thread::current()->charge(Time::us(9000));
    Thread::current()->settle();
    EXPECT_EQ(cell.ring().used(), Bytes(2 * (1000 + header_bytes)));
    for (int type = 0; type < 3; ++type)
      EXPECT_EQ(receive(cell, 0, type).data, std::string(1000, static_cast<char>('a' + type)));
    Thread::current()->charge(Time::us(1));
    Thread::current()->settle();
    EXPECT_EQ(cell.ring().used(), Bytes());
  };
  run_cells(with_small_ring(), {sender, late}, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Held, BroadcastRoom, testing::Values(BusIsHeld::until_taken, BusIsHeld::for_wire_time));

TEST(Broadcast, WaitsForRoomInItsOwnSendersBuffer) {
  Costs tight = costs();
  tight.send_buffer = Bytes(1000 + header_bytes);
  tight.broadcast.cost = Time::us(1);
  run_cells(tight, {[](Cell& cell) {
                      broadcast(cell, 1, std::string(1000, 'a'));
                      EXPECT_EQ(clock(), Time::us(1));
                      broadcast(cell, 2, std::string(1000, 'b'));
                      EXPECT_EQ(clock(), Time::us(2) + Time::ns(header_bytes * 20 + 1000 * 33) - Time::us(1));
                    },
                    [](Cell& cell) {
                      EXPECT_EQ(receive(cell, 0, 1).data, std::string(1000, 'a'));
                      EXPECT_EQ(receive(cell, 0, 2).data, std::string(1000, 'b'));
                    }});
}

TEST(Broadcast, ChangesItsTimeWithTheBandwidthOfTheBus) {
  MachineFile file = machine_file();
  file.set("bnet.bandwidth=1 MB/s");
  run_cells_on(file, costs(),
               {[](Cell& cell) { broadcast(cell, 5, std::string(984, 'x')); },
                [](Cell& cell) {
                  receive(cell, 0, 5);
                  EXPECT_EQ(clock(), Time::us(580 + 1000 + 110) + Time::ns(200) + interrupted + woken +
                                         broadcast_copy(Space::plain, 984));
                }});
}

// --- put and get ---

constexpr Time interruption = Time::us(30);

TEST(Put, WritesToAnotherCellsMemoryAndIsAnsweredByItsSystem) {
  std::string here(1000, 'x');
  std::string there(1000, '-');
  run_cells(costs(), {[&](Cell& cell) {
                        Flag flag(cell);
                        cell.system().put_and_get().put(cell, cell.system().cell(1), whole(here), whole(there), flag);
                        EXPECT_EQ(clock(), Time::ns(135'200)) << "it does not wait, nor copies";
                        flag.wait();
                        EXPECT_EQ(there, here);
                        EXPECT_EQ(clock(), Time::ns(135'200) + on_net(1000) + one_hop + interruption + on_net(0) +
                                               one_hop + woken);
                      },
                      [&](Cell&) {
                        Thread::current()->charge(Time::us(5000));
                        Thread::current()->settle();
                        EXPECT_EQ(clock(), Time::us(5000) + interruption);
                      }});
}

TEST(Get, ReadsAnotherCellsMemory) {
  std::string here(1000, '-');
  std::string there(1000, 'x');
  run_cells(costs(), {[&](Cell& cell) {
                        Flag flag(cell);
                        cell.system().put_and_get().get(cell, cell.system().cell(1), whole(here), whole(there), flag);
                        EXPECT_EQ(clock(), Time::ns(135'200));
                        flag.wait();
                        EXPECT_EQ(here, there);
                        EXPECT_EQ(clock(), Time::ns(135'200) + on_net(0) + one_hop + interruption + on_net(1000) +
                                               one_hop + woken);
                      },
                      [&](Cell&) { Thread::current()->charge(Time::us(5000)); }});
}

TEST(Put, CutsItemsHereAndThereAsItIsTold) {
  std::string here = "ab.cd.ef.";
  std::string there = "------------";
  run_cells(costs(), {[&](Cell& cell) {
                        Flag flag(cell);
                        cell.system().put_and_get().put(cell, cell.system().cell(1), {here.data(), 3, 2, 3},
                                                        {there.data(), 2, 3, 6}, flag);
                        flag.wait();
                        EXPECT_EQ(there, "abc---def---");
                      },
                      [&](Cell&) { Thread::current()->charge(Time::us(5000)); }});
}

TEST(Put, NeedsNoRoomInTheRingBuffer) {
  std::string here(1000, 'x');
  std::string there(1000, '-');
  run_cells(with_small_ring(), {[&](Cell& cell) {
                                  for (int i = 0; i < 2; ++i) send(cell, 1, i, here);
                                  Flag flag(cell);
                                  cell.system().put_and_get().put(cell, cell.system().cell(1), whole(here),
                                                                  whole(there), flag);
                                  flag.wait();
                                  EXPECT_LT(clock(), Time::us(5000));
                                },
                                [](Cell& cell) {
                                  Thread::current()->charge(Time::us(5000));
                                  for (int i = 0; i < 2; ++i) receive(cell, 0, i);
                                }});
}

// --- what all cells do together ---

const Time signal_of_small_tree = Time::ns(2 * 200);  // of a tree with up to four leaves

TEST(Sync, ReturnsWhenAllCellsAreInIt) {
  std::vector<Body> bodies;
  for (int i = 0; i < 4; ++i)
    bodies.emplace_back([i](Cell& cell) {
      for (int round = 0; round < 2; ++round) {
        const Time start = Time::us(round * 10'000);
        Thread::current()->charge(start + Time::us(100 * ((i + round) % 4)) - clock());
        cell.sync("sync");
        EXPECT_EQ(clock(), start + Time::us(300 + 288) + signal_of_small_tree + woken);
      }
    });
  run_cells(costs(), bodies);
}

// Of three cells 2 gives its number to 0, two hops away; 0 and 1 exchange what they have, of which 1's comes first; and
// 2 gets the result.
Time reduced(int cell) {
  const Time step = Time::us(9);
  const Time from_2 = Time::us(20) + one_hop + on_net(8) + on_net(8) + step;
  const Time exchanged[] = {from_2 + step, from_2 + on_net(8) + one_hop + step,
                            from_2 + step + on_net(8) + one_hop + one_hop + step};
  return exchanged[cell] + woken;
}

TEST(Reductions, GiveEveryCellTheResult) {
  const Body body = [](Cell& cell) {
    const int me = cell.number();
    int number = me + 1;
    cell.reduce(isum, &number);
    EXPECT_EQ(number, 1 + 2 + 3);
    EXPECT_EQ(clock(), reduced(me));
    number = 2 * me - 1;
    cell.reduce(imin, &number);
    EXPECT_EQ(number, -1);
    float real = -static_cast<float>(me);
    cell.reduce(fmax, &real);
    EXPECT_EQ(real, 0);
    double most = me == 1 ? 0.25 : 0.5;
    cell.reduce(dsum, &most);
    EXPECT_EQ(most, 1.25);
  };
  run_cells(costs(), {body, body, body});
}

TEST(Reductions, OfTwoKindsAtATimeEndTheRun) {
  EXPECT_EXIT(run_cells(costs(), {[](Cell& cell) {
                                    int number = 1;
                                    cell.reduce(isum, &number);
                                  },
                                  [](Cell& cell) {
                                    Thread::current()->charge(Time::us(1));
                                    double number = 1;
                                    cell.reduce(dmax, &number);
                                  }}),
              testing::ExitedWithCode(1),
              "rank 1: xy_dmax: cell 0 has called xy_isum; all cells have to call the same routine");
}

}  // namespace
}  // namespace hindcast::cellos
