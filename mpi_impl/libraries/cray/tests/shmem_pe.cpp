// A PE's calls: what arrives, and what each takes, to the picosecond.

#include <array>
#include <cstring>
#include <numeric>

#include "mpi_impl/libraries/cray/native/pe_waits.hpp"
#include "mpi_impl/libraries/cray/tests/pes.hpp"
#include "simulator/engine/report.hpp"

namespace hindcast::shmem {
namespace {

const Body nothing = [](Pe&) {};

Time load(std::uint64_t bytes) { return Time::ps(static_cast<std::int64_t>(bytes) * 1500); }

// --- put ---

TEST(Put, ReturnsWhenItsDataIsLoadedAndArrivesByItself) {
  std::uint64_t word = 0;
  run_pes({[&](Pe& pe) {
             const std::uint64_t data = 7;
             pe.put("put", 1, &word, &data, Bytes(8));
             EXPECT_EQ(clock(), Time::ns(1000) + load(8));
             Thread::current()->settle();
             EXPECT_EQ(word, 0U) << "it is on its way";
           },
           [&](Pe& pe) {
             pe.wait_for(Changes(word));
             EXPECT_EQ(word, 7U);
             EXPECT_EQ(clock(), Time::ns(1000) + way(1) + on_wire(8) + woken + Time::ns(50));
           }});
}

TEST(Put, IsCaptured) {
  std::uint64_t word = 0;
  run_pes({[&](Pe& pe) {
             std::uint64_t data = 7;
             pe.put("put", 1, &word, &data, Bytes(8));
             data = 8;
           },
           [&](Pe& pe) {
             pe.wait_for(Changes(word));
             EXPECT_EQ(word, 7U);
           }});
}

TEST(Put, TakesLongerFromFurtherAway) {
  std::uint64_t word = 0;
  std::vector<Body> bodies(8 * 8 * 3 + 1, nothing);
  bodies.front() = [&](Pe& pe) {
    const std::uint64_t data = 7;
    pe.put("put", 8 * 8 * 3, &word, &data, Bytes(8));
  };
  bodies.back() = [&](Pe& pe) {
    pe.wait_for(Changes(word));
    EXPECT_EQ(clock(), Time::ns(1000) + way(3) + on_wire(8) + woken + Time::ns(50));
  };
  run_pes(bodies);
}

// What does not fit in the registers keeps the processor until it has left.
TEST(Put, ThatIsLongerThanTheRegistersKeepsTheProcessor) {
  const std::vector<char> data(100'000, 'x');
  std::vector<char> there(data.size());
  run_pes({[&](Pe& pe) {
             pe.put("put", 1, there.data(), data.data(), Bytes(data.size()));
             const Time left = Time::ns(1000) + on_wire(100'000);
             EXPECT_NEAR(clock().in_us(), left.in_us() - 4096 / 340., 0.01);
             pe.quiet("quiet");
             EXPECT_EQ(clock(), left + way(1) + way(1)) << "there, and the acknowledgement back";
             EXPECT_EQ(there, data);
           },
           nothing});
}

TEST(Put, SeveralFillTheRegistersTogether) {
  const std::vector<char> data(1024, 'x');
  std::vector<char> there(data.size());
  run_pes({[&](Pe& pe) {
             Time before;
             for (int i = 0; i < 4; ++i) pe.put("put", 1, there.data(), data.data(), Bytes(1024));
             EXPECT_EQ(clock(), (Time::ns(1000) + load(1024)) * 4) << "slower than what leaves";
           },
           nothing});
}

TEST(Put, OnesThatFollowQuicklyWaitForTheWayOut) {
  World world;
  world.costs.put.cost = Time::ns(10);
  const std::vector<char> data(1024, 'x');
  std::vector<char> there(data.size());
  run_pes({[&](Pe& pe) {
             for (int i = 0; i < 4; ++i) pe.put("put", 1, there.data(), data.data(), Bytes(1024));
             EXPECT_EQ(clock(), (Time::ns(10) + load(1024)) * 4) << "all fit";
             for (int i = 0; i < 96; ++i) pe.put("put", 1, there.data(), data.data(), Bytes(1024));
             EXPECT_NEAR(clock().in_us(), Time::ns(10).in_us() + 96 * on_wire(1024).in_us(), 0.03);
           },
           nothing},
          world);
}

TEST(Put, NoQuickerThanItsPace) {
  World world;
  world.remote_memory.put->rate = Rate::per_second(100e6);
  const std::vector<char> data(10'000, 'x');
  std::vector<char> there(data.size());
  run_pes({[&](Pe& pe) {
             pe.put("put", 1, there.data(), data.data(), Bytes(data.size()));
             pe.quiet("quiet");
             EXPECT_EQ(clock(), Time::ns(1000) + Time::ns(10 * 10'008) + way(1) + way(1));
           },
           nothing},
          world);
}

TEST(Put, WithStridesGoesWhereItBelongs) {
  std::array<std::int32_t, 20> from;
  std::iota(from.begin(), from.end(), 0);
  std::array<std::int32_t, 20> to{};
  run_pes({[&](Pe& pe) {
             pe.put("iput", 1, Strided{to.data(), 5, 4, 8}, Strided{from.data(), 5, 4, 12});
             EXPECT_EQ(clock(), Time::ns(1000) + Time::ns(5 * 20) + load(20));
             pe.quiet("quiet");
             EXPECT_EQ(to, (std::array<std::int32_t, 20>{0, 0, 3, 0, 6, 0, 9, 0, 12}));
           },
           nothing});
}

TEST(Put, ToTheOwnPeArrivesToo) {
  std::uint64_t word = 0;
  run_pes({[&](Pe& pe) {
    const std::uint64_t data = 7;
    pe.put("put", 0, &word, &data, Bytes(8));
    pe.quiet("quiet");
    EXPECT_EQ(word, 7U);
  }});
}

TEST(Put, OfNothingIsACall) {
  run_pes({[&](Pe& pe) {
    pe.put("put", 0, nullptr, nullptr, Bytes(0));
    EXPECT_EQ(clock(), Time::ns(1000));
    pe.quiet("quiet");
    EXPECT_EQ(clock(), Time::ns(1130));
  }});
}

TEST(Quiet, WithNothingUnderWayIsACall) {
  run_pes({[&](Pe& pe) {
             std::uint64_t word = 0;
             const std::uint64_t data = 7;
             pe.put("put", 1, &word, &data, Bytes(8));
             Thread::current()->charge(Time::us(100));
             pe.quiet("quiet");
             EXPECT_EQ(clock(), Time::ns(1000) + load(8) + Time::us(100) + Time::ns(130));
           },
           nothing});
}

TEST(Fence, WaitsAsQuietDoesOrLeavesItToTheNetwork) {
  std::uint64_t word = 0;
  for (const bool waits : {false, true}) {
    World world;
    world.costs.fence_waits = waits;
    const pid_t child = fork();
    if (child != 0) {
      int status = 0;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
      continue;
    }
    run_pes({[&](Pe& pe) {
               const std::uint64_t data = 7;
               pe.put("put", 1, &word, &data, Bytes(8));
               pe.fence("fence");
               const Time written = Time::ns(1000) + on_wire(8) + way(1) + way(1);
               EXPECT_EQ(clock(), waits ? written : Time::ns(1000) + load(8) + Time::ns(140));
             },
             nothing},
            world);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
}

// --- get ---

TEST(Get, ReturnsWithTheData) {
  std::vector<char> there(1000, 'x');
  run_pes({[&](Pe& pe) {
             std::vector<char> here(1000);
             pe.get("get", 1, here.data(), there.data(), Bytes(1000));
             EXPECT_EQ(here, there);
             EXPECT_EQ(clock(), Time::ns(1100) + way(1) + on_wire(0) + Time::ns(90) + way(1) + on_wire(1000) + woken);
           },
           nothing});
}

TEST(Get, NoQuickerThanItsPace) {
  World world;
  world.remote_memory.get->rate = Rate::per_second(100e6);
  std::vector<char> there(1000, 'x');
  run_pes({[&](Pe& pe) {
             std::vector<char> here(1000);
             pe.get("get", 1, here.data(), there.data(), Bytes(1000));
             EXPECT_EQ(clock(),
                       Time::ns(1100) + way(1) + on_wire(0) + Time::ns(90) + way(1) + Time::ns(10 * 1008) + woken);
           },
           nothing},
          world);
}

TEST(Get, WithStridesComesWhereItBelongs) {
  std::array<std::int32_t, 9> from;
  std::iota(from.begin(), from.end(), 0);
  run_pes({[&](Pe& pe) {
             std::array<std::int32_t, 9> to{};
             pe.get("iget", 1, Strided{to.data(), 3, 4, 4}, Strided{from.data(), 3, 4, 16});
             EXPECT_EQ(to, (std::array<std::int32_t, 9>{0, 4, 8}));
           },
           nothing});
}

// --- atomic operations ---

TEST(Atomic, ReturnsWhatTheWordWas) {
  std::uint64_t word = 5;
  run_pes({[&](Pe& pe) {
             EXPECT_EQ(pe.atomic("swap", 1, &word, 8, {AtomicOperation::swap, 9}), 5U);
             const Time answered = Time::ns(1200) + way(1) + on_wire(8) + Time::ns(110) + way(1) + on_wire(8) + woken;
             EXPECT_EQ(clock(), answered);
             EXPECT_EQ(word, 9U);
             EXPECT_EQ(pe.atomic("cswap", 1, &word, 8, {AtomicOperation::compare_swap, 1, 8}), 9U);
             EXPECT_EQ(clock(), answered * 2 + on_wire(16) - on_wire(8)) << "two words there";
             EXPECT_EQ(word, 9U);
             EXPECT_EQ(pe.atomic("cswap", 1, &word, 8, {AtomicOperation::compare_swap, 0x1234, 9}), 9U);
             EXPECT_EQ(pe.atomic("mswap", 1, &word, 8, {AtomicOperation::masked_swap, 0xff, 0xf0}), 0x1234U);
             EXPECT_EQ(word, 0x12f4U);
             EXPECT_EQ(pe.atomic("fadd", 1, &word, 8, {AtomicOperation::fetch_add, 0x10}), 0x12f4U);
             EXPECT_EQ(pe.atomic("finc", 1, &word, 8, {AtomicOperation::fetch_increment}), 0x1304U);
             EXPECT_EQ(word, 0x1305U);
           },
           nothing});
}

TEST(Atomic, OnAShortWordLeavesItsNeighbourAlone) {
  std::array<std::int32_t, 2> words{-1, 77};
  run_pes({[&](Pe& pe) {
             EXPECT_EQ(pe.atomic("fadd", 1, words.data(), 4, {AtomicOperation::fetch_add, 3}), 0xffffffffU);
             EXPECT_EQ(words[0], 2);
             const auto minus_one = static_cast<std::uint64_t>(-1LL);
             pe.atomic("swap", 1, words.data(), 4, {AtomicOperation::swap, minus_one});
             EXPECT_EQ(words[0], -1);
             pe.atomic("cswap", 1, words.data(), 4, {AtomicOperation::compare_swap, 6, minus_one});
             EXPECT_EQ(words[0], 6);
             EXPECT_EQ(words[1], 77);
           },
           nothing});
}

TEST(Atomic, MayBeOnSomethingElseThanMemory) {
  class Lock final : public AtomicTarget {
   public:
    std::vector<std::uint64_t> operands;

   private:
    std::uint64_t perform(const AtomicRequest& request) override {
      operands.push_back(request.operand);
      return 42;
    }
  } lock;
  run_pes({[&](Pe& pe) {
             PeAnswer answer("swap", 1, pe.next_message());
             pe.begin_atomic(answer, lock, {AtomicOperation::swap, 3});
             answer.wait();
             EXPECT_EQ(answer.value(), 42U);
           },
           nothing});
  EXPECT_EQ(lock.operands, std::vector<std::uint64_t>{3});
}

TEST(Atomic, ThoseOfManyOnOneWordTakeTurns) {
  std::uint64_t counter = 0;
  std::array<Time, 5> ends;
  const Body increments = [&](Pe& pe) {
    pe.atomic("finc", 0, &counter, 8, {AtomicOperation::fetch_increment});
    ends[static_cast<std::size_t>(pe.number())] = clock();
  };
  World world;
  world.remote_memory.performed.cost = Time::us(5);
  run_pes({nothing, increments, increments, increments, increments}, world);
  EXPECT_EQ(counter, 4U);
  std::sort(ends.begin(), ends.end());
  for (std::size_t i = 2; i < ends.size(); ++i) EXPECT_GE(ends[i], ends[i - 1] + Time::us(4));
}

// --- waiting ---

TEST(Wait, ThatIsOverAlreadyTakesALook) {
  std::uint64_t word = 0;
  run_pes({[&](Pe& pe) {
             const std::uint64_t data = 7;
             pe.put("put", 1, &word, &data, Bytes(8));
           },
           [&](Pe& pe) {
             const Changes changes(word);
             Thread::current()->charge(Time::us(100));
             pe.wait_for(changes);
             EXPECT_EQ(clock(), Time::us(100) + Time::ns(50));
           }});
}

// The word changes and changes back before the thread comes to look at it.
TEST(Wait, LooksAtItsOwnTimeAndNotBefore) {
  std::uint64_t word = 0;
  run_pes({[&](Pe& pe) {
             for (const std::uint64_t data : {7, 0, 8}) {
               pe.put("put", 1, &word, &data, Bytes(8));
               Thread::current()->charge(Time::us(data == 0 ? 1000 : 10));
             }
           },
           [&](Pe& pe) {
             const Changes changes(word);
             Thread::current()->charge(Time::us(100));
             pe.wait_for(changes);
             EXPECT_EQ(word, 8U);
             EXPECT_GT(clock(), Time::us(1000));
           }});
}

// --- barrier ---

TEST(HardwareBarrier, LetsAllGoWhenTheLastHasCome) {
  const auto after = [](Time late) {
    return [late](Pe& pe) {
      Thread::current()->charge(late);
      pe.barrier("barrier");
      EXPECT_EQ(clock(), Time::us(9) + Time::ns(200) + Time::ns(100) * 4 + woken);
    };
  };
  run_pes({after(Time::us(3)), after(Time::us(9)), after(Time()), after(Time::us(1)), after(Time::us(2))});
}

TEST(HardwareBarrier, CanBeBegunAndLookedAt) {
  run_pes({[](Pe& pe) {
             Completion over;
             pe.begin_barrier(over);
             Thread::current()->charge(Time::us(3));
             Thread::current()->settle();
             EXPECT_FALSE(over.is_known());
             Thread::current()->charge(Time::us(20));
             Thread::current()->settle();
             EXPECT_EQ(over.at(), Time::us(9) + Time::ns(200) + Time::ns(100) * 2);
           },
           [](Pe& pe) {
             Thread::current()->charge(Time::us(9));
             pe.barrier("barrier");
           }});
}

// --- waiting for ever ---

void say_who_waits(Engine& engine, Ending ending) {
  std::fprintf(stderr, "%s\n", report_of(engine, ending).c_str());
  std::_Exit(1);
}

void run_to_deadlock(const std::vector<Body>& bodies) {
  World world;
  Engine* engine = nullptr;
  world.prepare = [&](Engine& made) { engine = &made; };
  world.on_early_end = [&](Ending ending) { say_who_waits(*engine, ending); };
  run_pes(bodies, world);
}

TEST(DeadlockDeathTest, SaysWhatAPeWaitsFor) {
  std::uint64_t word = 0;
  EXPECT_EXIT(run_to_deadlock({[&](Pe& pe) { pe.wait_for(Changes(word)); }, nothing}), testing::ExitedWithCode(1),
              "rank 0.*shmem_wait.*until a word of the own memory changes");
  EXPECT_EXIT(run_to_deadlock({[&](Pe& pe) { pe.barrier("shmem_barrier_all"); }, nothing}), testing::ExitedWithCode(1),
              "rank 0.*shmem_barrier_all.*until all PEs have called it");
}

}  // namespace
}  // namespace hindcast::shmem
