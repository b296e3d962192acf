// A PE's memory, which its processor, its E-registers and the network share: 600 MB/s for what is read and written, of
// which a copy of 300 MB/s takes all, and what goes over the network 340 if it gets that.

#include <vector>

#include "mpi_impl/libraries/cray/tests/pes.hpp"

namespace hindcast::shmem {
namespace {

constexpr std::uint64_t bytes = 600'000;
const Bandwidth copied = Rate::per_second(300e6);
const RatedStep copy{{"copy", ""}, copied};

World world_of(MemoryPort::Sharing sharing) {
  World world;
  world.costs.memory = MemoryCosts{Rate::per_second(600e6), sharing, Bytes(128), Rate::per_second(340e6)};
  return world;
}
const World apart;
const World fair = world_of(MemoryPort::Sharing::fair);

struct Arrays {
  std::vector<char> here = std::vector<char>(bytes, 'x'), there = std::vector<char>(bytes);
};

// Until the data of a put to PE 1 is there and PE 0 knows.
Body put(Arrays& arrays, Time& took, int to = 1) {
  return [&arrays, &took, to](Pe& pe) {
    const Time begin = clock();
    pe.put("put", to, arrays.there.data(), arrays.here.data(), Bytes(bytes));
    pe.quiet("quiet");
    took = clock() - begin;
  };
}
Body get(Arrays& arrays, Time& took) {
  return [&](Pe& pe) {
    const Time begin = clock();
    pe.get("get", 1, arrays.here.data(), arrays.there.data(), Bytes(bytes));
    took = clock() - begin;
  };
}
Body copies(Time& took, Bytes each = Bytes(bytes)) {
  return [&took, each](Pe& pe) {
    for (std::uint64_t left = bytes; left > 0; left -= each.count()) pe.copy(copy, each);
    took = clock();
  };
}
const Body idle_pe = [](Pe&) {};

TEST(PeMemory, IsWideEnoughForAPutAlone) {
  Arrays arrays;
  Time took;
  run_pes({put(arrays, took), idle_pe}, fair);
  EXPECT_NEAR(took.in_us(), (Time::ns(1000) + on_wire(bytes) + way(1) + way(1)).in_us(), 1e-5);
}

TEST(PeMemory, IsWideEnoughForAGetAlone) {
  Arrays arrays;
  Time took;
  run_pes({get(arrays, took), idle_pe}, fair);
  EXPECT_NEAR(took.in_us(), (Time::ns(1190) + on_wire(0) + way(1) + on_wire(bytes) + way(1)).in_us(), 1e-5);
}

TEST(PeMemory, IsWideEnoughForACopyAlone) {
  Time took;
  run_pes({copies(took), idle_pe}, fair);
  EXPECT_NEAR(took.in_us(), bytes / 300., 1e-5);
}

// A put that is written where the processor copies has half the memory, which is less than it could use: 300 MB/s. Then
// the copy, of which half is done, has all.
TEST(PeMemory, IsSharedByWhatComesAndCopies) {
  Arrays arrays;
  Time put_took, copies_took;
  run_pes({put(arrays, put_took), copies(copies_took)}, fair);
  EXPECT_NEAR(put_took.in_us(), bytes / 300., 4);
  EXPECT_NEAR(copies_took.in_us(), bytes / 200., 8);
}

// Two PEs put to each other at one time, at so many MB/s each.
void expect_puts_both_ways(const World& world, double rate) {
  Arrays there, back;
  Time took_there, took_back;
  run_pes({put(there, took_there, 1), put(back, took_back, 0)}, world);
  EXPECT_NEAR(took_there.in_us(), bytes / rate, 4);
  EXPECT_NEAR(took_back.in_us(), bytes / rate, 4);
}

TEST(PeMemory, IsSharedByWhatComesAndWhatGoes) { expect_puts_both_ways(fair, 300); }

TEST(PeMemory, IsNobodysConcernIfAllHaveWaysOfTheirOwn) { expect_puts_both_ways(apart, 340); }

// Of a get the memory at the other end is read.
TEST(PeMemory, IsReadForAGetBesideCopiesThere) {
  Arrays arrays;
  Time get_took, copies_took;
  run_pes({get(arrays, get_took), copies(copies_took)}, fair);
  EXPECT_NEAR(get_took.in_us(), bytes / 300., 4);
}

TEST(PeMemory, ServesInTurnIfItIsSaidTo) {
  Arrays arrays;
  Time put_took, copies_took;
  run_pes({put(arrays, put_took), copies(copies_took)}, world_of(MemoryPort::Sharing::in_turn));
  EXPECT_NEAR(copies_took.in_us(), bytes / 300., 0.01);
  EXPECT_GT(put_took.in_us(), bytes / 300. + bytes / 340. - 4) << "written behind the copy";
}

// Short copies are not put off, nor do they put off.
TEST(PeMemory, LetsShortCopiesPass) {
  Arrays arrays;
  Time put_took, copies_took;
  run_pes({put(arrays, put_took), copies(copies_took, Bytes(100))}, fair);
  EXPECT_NEAR(copies_took.in_us(), bytes / 300., 0.01);
  EXPECT_NEAR(put_took.in_us(), bytes / 340., 4);
}

}  // namespace
}  // namespace hindcast::shmem
