// The AP1000's host among its cells: what it takes to reach it and to be reached, to the picosecond, and what waits for
// what. The host's line has 5 MB/s and 1 us, the broadcast net behind it 0.2 us.

#include "mpi_impl/libraries/cellos/native/group/host.hpp"

#include "mpi_impl/libraries/cellos/tests/cells.hpp"
#include "simulator/engine/report.hpp"

namespace hindcast::cellos {
namespace {

// Not a cell's, so that a mistaken one shows.
Costs costs_of_host() {
  Costs host = costs();
  host.send.cost = Time::us(500);
  host.receive.cost = Time::us(300);
  host.host_scatter.cost = Time::us(500);
  host.host_gather.cost = Time::us(300);
  host.copy_in.rate = host.copy_out.rate = Rate::taking(50'000);
  return host;
}

PartsBesideNetwork with_host(const MachineFile& file) {
  PartsBesideNetwork parts = library_of(file).parts_for(file);
  parts.with_front_end = true;
  return parts;
}

// The first body is the host's, the others are those of cells 0, 1, ...
void run_with_host(const std::vector<Body>& bodies, BusIsHeld held = BusIsHeld::until_taken,
                   const Costs& cells_costs = costs()) {
  Engine engine(EngineOptions{});
  const MachineFile file = machine_file();
  const auto ranks = static_cast<int>(bodies.size());
  const auto machine = Machine::build(engine, file, ranks - 1, with_host(file));
  const auto bus = machine->build_broadcast_bus("bnet");
  const auto line = machine->build_front_end_line(*bus);
  const auto barrier = machine->build_barrier_tree("snet", ranks - 1);
  const auto reductions = machine->build_barrier_tree("snet", ranks - 1);
  const auto hosts_barrier = machine->build_barrier_tree("snet", ranks);
  const auto statuses = machine->build_barrier_tree("snet", ranks);
  const auto distribution = machine->build_barrier_tree("snet", ranks);
  const Nets nets{
      machine->network(),
      *bus,
      held,
      *barrier,
      *reductions,
      HostParts{machine->front_end_node(), *line, *hosts_barrier, *statuses, *distribution, costs_of_host()}};
  System system(engine, nets, cells_costs, [](int status, const std::string& text) {
    std::fprintf(stderr, "%s\n", text.c_str());
    std::_Exit(status);
  });
  std::deque<Cell> cells;
  for (int i = 0; i < ranks; ++i) {
    const int node = i == 0 ? machine->front_end_node() : i - 1;
    Rank& rank = engine.add_rank(machine->node_name(node));
    Cell& cell = cells.emplace_back(system, rank, node);
    rank.set_may_be_interrupted();
    engine.start_thread(rank, [&cell, &body = bodies[static_cast<std::size_t>(i)]] { body(cell); });
  }
  engine.run([&](Ending ending) {
    std::fprintf(stderr, "%s\n", report_of(engine, ending).c_str());
    std::_Exit(3);
  });
}

// Of a message's data and header, and of the way of its last byte.
Time on_line(std::int64_t bytes) { return Time::ns((bytes + header_bytes) * 200); }
const Time along_line = Time::ns(200 + 1000);
Time copy_on_host(std::int64_t bytes) { return Time::ns(bytes * 50) + Time::ps(bytes * 2'900); }

void broadcast(Cell& from, const std::string& data, Space space = Space::plain, std::uint32_t domain = 0) {
  from.broadcast({"cbroad", to_all_cells, space, {domain, from.number(), 5}, data.data(), Bytes(data.size())});
}

void wait_until(std::int64_t us) {
  Thread::current()->charge(Time::us(us) - clock());
  Thread::current()->settle();
}

TEST(Numbers, AreTheCellsOrTheHostsForEveryRankAndBack) {
  const Numbers hosted(true);
  EXPECT_EQ(hosted.number_of_rank(0), 0x1000);
  EXPECT_EQ(hosted.rank_of(0x1000), 0);
  for (int cell = 0; cell < 1024; ++cell) {
    EXPECT_EQ(hosted.number_of_rank(cell + 1), cell);
    EXPECT_EQ(hosted.rank_of(cell), cell + 1);
    EXPECT_EQ(Numbers(false).number_of_rank(cell), cell);
    EXPECT_EQ(Numbers(false).rank_of(cell), cell);
  }
}

TEST(Host, AndCellsKnowTheirNumbers) {
  run_with_host({[](Cell& host) {
                   EXPECT_EQ(host.number(), 0x1000);
                   EXPECT_TRUE(host.is_host());
                   EXPECT_EQ(host.system().cells(), 2);
                   EXPECT_EQ(&host.system().cell(0x1000), &host);
                 },
                 [](Cell& cell) { EXPECT_EQ(cell.number(), 0); },
                 [](Cell& cell) {
                   EXPECT_EQ(cell.number(), 1);
                   EXPECT_EQ(&cell.system().cell(1), &cell);
                   EXPECT_EQ(&cell.system().cell_of_rank(2), &cell);
                 }});
}

// --- messages ---

class MessagesOfHost : public testing::TestWithParam<std::int64_t> {};

TEST_P(MessagesOfHost, ToACellTakeItsSendItsLineAndTheCellsReceive) {
  const std::int64_t bytes = GetParam();
  const std::string data(static_cast<std::size_t>(bytes), 'x');
  const Time sent = Time::us(500) + copy_on_host(bytes);
  run_with_host({[&](Cell& host) {
                   send(host, 0, 7, data);
                   EXPECT_EQ(clock(), sent) << "it does not wait for its line";
                 },
                 [&](Cell& cell) {
                   const Received received = receive(cell, host_number, 7);
                   EXPECT_EQ(received.data, data);
                   EXPECT_EQ(received.cell, 0x1000);
                   EXPECT_EQ(clock(),
                             sent + on_line(bytes) + along_line + woken + Time::us(110) + copy(Space::plain, bytes));
                 }});
}

TEST_P(MessagesOfHost, FromACellTakeTheCellsSendTheLineAndItsReceive) {
  const std::int64_t bytes = GetParam();
  const std::string data(static_cast<std::size_t>(bytes), 'x');
  run_with_host({[&](Cell& host) {
                   const Received received = receive(host, any, any);
                   EXPECT_EQ(received.data, data);
                   EXPECT_EQ(received.cell, 1);
                   EXPECT_EQ(clock(), Time::ns(135'200) + copy(Space::plain, bytes) + on_line(bytes) + along_line +
                                          woken + Time::us(300) + copy_on_host(bytes));
                 },
                 [](Cell&) {}, [&](Cell& cell) { send(cell, host_number, 7, data); }});
}

INSTANTIATE_TEST_SUITE_P(Bytes, MessagesOfHost, testing::Values(0, 1, 8, 1000, 80'000));

// Two cells send at one instant: the one of the lower number goes first, and the other when that has arrived. What two
// other cells send each other at that instant takes what it always takes.
TEST(HostLine, IsForOneMessageAtATimeAndNotInTheWayOfCells) {
  const std::string data(1000, 'x');
  const Time sent = Time::ns(135'200) + copy(Space::plain, 1000);
  const Time first = sent + on_line(1000) + along_line, second = first + on_line(1000) + along_line;
  run_with_host({[&](Cell& host) {
                   wait_until(5000);
                   EXPECT_EQ(receive(host, any, any).cell, 0);
                   EXPECT_EQ(receive(host, any, any).cell, 1);
                 },
                 [&](Cell& cell) { send(cell, host_number, 1, data); },
                 [&](Cell& cell) {
                   send(cell, host_number, 1, data);
                   Thread::current()->charge(second - clock() - Time::ps(1));
                   Thread::current()->settle();
                   EXPECT_EQ(cell.system().cell(host_number).mailbox(Space::plain).find({0, 1, 1}), nullptr);
                   Thread::current()->charge(Time::ps(2));
                   Thread::current()->settle();
                   EXPECT_NE(cell.system().cell(host_number).mailbox(Space::plain).find({0, 1, 1}), nullptr);
                 },
                 [&](Cell& cell) { send(cell, 3, 1, data); },
                 [&](Cell& cell) {
                   receive(cell, 2, 1);
                   EXPECT_EQ(clock(), sent + on_net(1000) + one_hop + woken + Time::us(110) + copy(Space::plain, 1000));
                 }});
}

// The broadcast's bytes take the net at 33 ns each, as they are in nobody's cache, the host's message waits for it.
TEST(HostLine, WaitsForABroadcastThatHasTheNet) {
  const std::string data(1000, 'x');
  run_with_host({[&](Cell& host) {
                   wait_until(5000);
                   const std::string small(8, 's');
                   send(host, 1, 1, small);  // asks at 5500.4 us and a little
                 },
                 [&](Cell& cell) {
                   Thread::current()->charge(Time::us(5000 - 80));
                   broadcast(cell, std::string(100'000, 'b'));  // has the net from 5500 us on
                 },
                 [&](Cell& cell) {
                   receive(cell, host_number, 1);
                   const Time net_is_free = Time::us(5500) + Time::ns(header_bytes * 20 + 100'000 * 33 + 200);
                   EXPECT_EQ(clock(),
                             net_is_free + on_line(8) + along_line + woken + Time::us(110) + copy(Space::plain, 8));
                   receive(cell, 0, 5);
                 }},
                BusIsHeld::for_wire_time, without_interruptions());
}

// Cell 0 has room for two messages of the host's. The third waits, and does not hold the net that cell 1's message to
// the host takes meanwhile.
TEST(HostLine, IsFreeForOthersWhileAMessageWaitsForRoom) {
  const std::string data(1000, 'x');
  run_with_host({[&](Cell& host) {
                   for (int i = 0; i < 3; ++i) send(host, 0, i, data);
                   receive(host, 1, 9);
                   EXPECT_LT(clock(), Time::us(10'000));
                 },
                 [&](Cell& cell) {
                   wait_until(20'000);
                   EXPECT_EQ(cell.ring().used(), Bytes(2 * (1000 + header_bytes)));
                   for (int i = 0; i < 3; ++i) EXPECT_EQ(receive(cell, host_number, i).data, data);
                   EXPECT_EQ(clock(), Time::us(20'000) + (Time::us(110) + copy(Space::plain, 1000)) * 3);
                 },
                 [&](Cell& cell) {
                   wait_until(6000);
                   send(cell, host_number, 9, data);
                 }},
                BusIsHeld::until_taken, with_small_ring());
}

// A send buffer has room for two; what goes to cells and what goes to the host leave it at their own nets' pace.
TEST(HostLine, DoesNotKeepWhatGoesToCellsInTheSendBuffer) {
  Costs tight = costs();
  tight.send_buffer = Bytes(2 * (10'000 + header_bytes));
  const std::string data(10'000, 'x');
  run_with_host({[&](Cell& host) {
                   for (int i = 0; i < 2; ++i) receive(host, 0, i);
                 },
                 [&](Cell& cell) {
                   for (int i = 0; i < 2; ++i) send(cell, host_number, i, data);
                   for (int i = 0; i < 2; ++i) send(cell, 1, i, data);
                   EXPECT_EQ(clock(), (Time::ns(135'200) + copy(Space::plain, 10'000)) * 4);
                 },
                 [&](Cell& cell) {
                   for (int i = 0; i < 2; ++i) receive(cell, 0, i);
                 }},
                BusIsHeld::until_taken, tight);
}

// --- broadcasts ---

TEST(BroadcastOfHost, ReachesAllCellsAtThePaceOfItsLine) {
  const std::string data(1000, 'x');
  const Body receiver = [&](Cell& cell) {
    EXPECT_EQ(receive(cell, host_number, 5).data, data);
    EXPECT_EQ(clock(), Time::us(580) + on_line(1000) + along_line + interrupted + woken + Time::us(110) +
                           Time::ps(1000 * 158'400));
  };
  run_with_host({[&](Cell& host) { broadcast(host, data); }, receiver, receiver, receiver});
}

// With a domain it reaches the host if that has registered; else the host neither slows it down nor notices.
TEST(BroadcastOfCell, ReachesTheHostThatHasRegistered) {
  const std::string data(1000, 'x');
  run_with_host({[&](Cell& host) {
                   host.domains().add(3);
                   EXPECT_EQ(receive(host, 0, 5, Space::domains, 3).data, data);
                   EXPECT_EQ(clock(), Time::us(637) + on_line(1000) + along_line + interrupted + woken + Time::us(300) +
                                          copy_on_host(1000));
                 },
                 [&](Cell& cell) { broadcast(cell, data, Space::domains, 3); }, [](Cell&) {}});
}

TEST(BroadcastOfCell, IsNotForTheHostThatHasNotRegistered) {
  const std::string data(1000, 'x');
  run_with_host({[&](Cell&) {
                   wait_until(5000);
                   EXPECT_EQ(clock(), Time::us(5000)) << "it is not interrupted";
                 },
                 [&](Cell& cell) { broadcast(cell, data, Space::domains, 3); },
                 [&](Cell& cell) {
                   cell.domains().add(3);
                   receive(cell, 0, 5, Space::domains, 3);
                   EXPECT_EQ(clock(), Time::us(637) + on_bus(1000) + interrupted + woken + Time::us(110) +
                                          Time::ps(1000 * 161'300));
                 }});
}

TEST(BroadcastOfCell, WithoutADomainIsForTheCellsAlone) {
  run_with_host({[](Cell& host) {
                   wait_until(5000);
                   EXPECT_EQ(host.ring().used(), Bytes());
                 },
                 [](Cell& cell) { broadcast(cell, "data"); },
                 [](Cell& cell) { EXPECT_EQ(receive(cell, 0, 5).data, "data"); }});
}

// --- barriers ---

// Of a tree with five leaves, two levels.
const Time signal = Time::ns(2 * 2 * 200);

TEST(HSync, ReturnsWhenTheHostAndAllCellsAreInIt) {
  std::vector<Body> bodies;
  for (int i = 0; i < 5; ++i)
    bodies.emplace_back([i](Cell& cell) {
      for (int round = 0; round < 2; ++round) {
        const Time start = Time::us(round * 10'000);
        Thread::current()->charge(start + Time::us(100 * ((i + round) % 5)) - clock());
        cell.sync_with_host("hsync");
        EXPECT_EQ(clock(), start + Time::us(400 + 288) + signal + woken);
      }
    });
  run_with_host(bodies);
}

TEST(Sync, OfTheCellsDoesNotWaitForTheHost) {
  const Body cell_body = [](Cell& cell) {
    cell.sync("sync");
    EXPECT_EQ(clock(), Time::us(288) + Time::ns(2 * 200) + woken);
  };
  run_with_host({[](Cell&) { wait_until(5000); }, cell_body, cell_body, cell_body, cell_body});
}

TEST(HSync, SaysWhichRanksItWaitsFor) {
  EXPECT_EXIT(run_with_host({[](Cell&) {}, [](Cell& cell) { cell.sync_with_host("hsync"); },
                             [](Cell& cell) { cell.sync("sync"); }, [](Cell&) {}}),
              testing::ExitedWithCode(3),
              "rank 1: waits in hsync until the host and all cells have called it.*\n"
              ".*rank 2: waits in sync until all cells have called it");
}

// --- scatter and gather by the host ---

Strided in_one_piece(std::string& data) {
  Strided items;
  items.first = data.data();
  items.items = 1;
  items.item_bytes = static_cast<decltype(items.item_bytes)>(data.size());
  return items;
}

// The last cell calls at 900 us, and pays what a receive costs. The blocks of all go in one transfer.
TEST(HScatter, GivesEveryCellItsBlockWhenTheLastOneHasCalled) {
  const Time end = Time::us(900 + 110) + signal + Time::ns((4 * 1000 + header_bytes) * 200) + along_line + woken;
  std::vector<Body> bodies;
  bodies.emplace_back([&](Cell& host) {
    std::string all;
    for (char name = 'a'; name < 'e'; ++name) all += std::string(1000, name);
    DistributedBlock block{in_one_piece(all), 1000};
    block.items.item_bytes = 1000;
    host.system().host().distribution().pass(host, Direction::scatter, block);
    EXPECT_EQ(clock(), end);
  });
  for (int i = 0; i < 4; ++i)
    bodies.emplace_back([&, i](Cell& cell) {
      Thread::current()->charge(Time::us(300 * i));
      std::string mine(1000, '?');
      cell.system().host().distribution().pass(cell, Direction::scatter, {in_one_piece(mine)});
      EXPECT_EQ(mine, std::string(1000, static_cast<char>('a' + i)));
      EXPECT_EQ(clock(), end);
    });
  run_with_host(bodies);
}

// Of items that are cut differently here and there. Cells pay what a send costs, which is more than the host's receive.
TEST(HGather, TakesStridedItemsFromEveryCell) {
  const Time sent = Time::us(400), end = sent + Time::ns(2 * 200) + on_line(2 * 6) + along_line + woken;
  Costs slow = costs();
  slow.host_gather.cost = sent;
  const Body cell_body = [&](Cell& cell) {
    std::string mine = cell.number() == 0 ? "ab.cd.ef." : "uv.wx.yz.";
    DistributedBlock block{in_one_piece(mine)};
    block.items.items = 3;
    block.items.item_bytes = 2;
    block.items.stride = 3;
    cell.system().host().distribution().pass(cell, Direction::gather, block);
    EXPECT_EQ(clock(), end);
  };
  run_with_host({[&](Cell& host) {
                   std::string all(20, '-');
                   std::uint64_t longest = 0;
                   DistributedBlock block{in_one_piece(all), 10, &longest};
                   block.items.items = 2;
                   block.items.item_bytes = 3;
                   block.items.stride = 4;
                   host.system().host().distribution().pass(host, Direction::gather, block);
                   EXPECT_EQ(all, "abc-def---uvw-xyz---");
                   EXPECT_EQ(longest, 6U);
                   EXPECT_EQ(clock(), end);
                 },
                 cell_body, cell_body},
                BusIsHeld::until_taken, slow);
}

TEST(HScatter, AndAGatherAtATimeEndTheRun) {
  const auto call = [](Direction direction, int us) {
    return [direction, us](Cell& cell) {
      Thread::current()->charge(Time::us(us));
      cell.system().host().distribution().pass(cell, direction, {});
    };
  };
  EXPECT_EXIT(run_with_host({call(Direction::scatter, 0), call(Direction::gather, 1000)}), testing::ExitedWithCode(1),
              "rank 1: h_rgather: rank 0 has called h_sscatter; the host and all cells have to call the same routine");
}

}  // namespace
}  // namespace hindcast::cellos
