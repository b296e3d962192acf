// The direct-mapped cache: what of repeated passes over an array comes from memory. The arrays are told apart as those
// of programs are.

#include "simulator/hardware/node/direct_mapped_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "simulator/hardware/node/program_arrays.hpp"

namespace hindcast {
namespace {

constexpr std::uint64_t kib = 1024;
char memory[1 << 20];
char& first_array = memory[0];
char& second_array = memory[512 * kib];

class CacheOfPrograms {
 public:
  CacheOfPrograms(Bytes size, Bytes line) : cache_(size, line) {}
  Bytes pass_over(const void* data, Bytes bytes) {
    const PlaceInArray place = arrays_.place_of(data, bytes);
    return cache_.count_pass_over(place.array, place.from, bytes);
  }

 private:
  DirectMappedCache cache_;
  ProgramArrays arrays_{0};
};

// Of the second pass and all later ones.
std::uint64_t missed_again(std::uint64_t bytes) {
  CacheOfPrograms cache(Bytes(128 * kib), Bytes(16));
  EXPECT_EQ(cache.pass_over(&first_array, Bytes(bytes)), Bytes(bytes)) << "nothing is there at first";
  const Bytes missed = cache.pass_over(&first_array, Bytes(bytes));
  EXPECT_EQ(cache.pass_over(&first_array, Bytes(bytes)), missed);
  return missed.count();
}

TEST(DirectMappedCache, KeepsAnArrayUpToItsSize) {
  EXPECT_EQ(missed_again(1), 0U);
  EXPECT_EQ(missed_again(100 * kib), 0U);
  EXPECT_EQ(missed_again(128 * kib), 0U);
}

// What lies a cache's size apart in the array is never there, neither the one nor the other.
TEST(DirectMappedCache, LosesTwiceWhatAnArrayIsLarger) {
  EXPECT_EQ(missed_again(129 * kib), 2 * kib);
  EXPECT_EQ(missed_again(200 * kib), 144 * kib);
  EXPECT_EQ(missed_again(256 * kib), 256 * kib);
}

// Whoever does not ask what comes from memory.
TEST(DirectMappedCache, KeepsTheEndOfAPassOfAnyLengthThatIsNotCounted) {
  DirectMappedCache cache(Bytes(128 * kib), Bytes(16));
  const std::uint64_t long_array = 20, short_array = 21;
  const Bytes longest(20 * kib * kib);
  cache.pass_over(short_array, 0, Bytes(16));
  cache.pass_over(long_array, 0, longest);
  EXPECT_EQ(cache.count_pass_over(long_array, (20 * kib - 128) * kib, Bytes(128 * kib)), Bytes());
  EXPECT_EQ(cache.count_pass_over(short_array, 0, Bytes(16)), Bytes(16)) << "the long one took its place";
  cache.pass_over(long_array, 0, longest);
  cache.pass_over(short_array, 0, Bytes(16));
  EXPECT_EQ(cache.count_pass_over(short_array, 0, Bytes(16)), Bytes());
}

TEST(DirectMappedCache, KeepsNothingOfAnArrayOfTwiceItsSizeOrMore) {
  EXPECT_EQ(missed_again(257 * kib), 257 * kib);
  EXPECT_EQ(missed_again(500 * kib + 3), 500 * kib + 3);
}

TEST(DirectMappedCache, LosesAnArrayToAnother) {
  CacheOfPrograms cache(Bytes(128 * kib), Bytes(16));
  cache.pass_over(&first_array, Bytes(100 * kib));
  EXPECT_EQ(cache.pass_over(&second_array, Bytes(40 * kib)), Bytes(40 * kib));
  EXPECT_EQ(cache.pass_over(&first_array, Bytes(100 * kib)), Bytes(40 * kib));
}

TEST(DirectMappedCache, KnowsAPartOfAnArray) {
  CacheOfPrograms cache(Bytes(128 * kib), Bytes(16));
  cache.pass_over(&memory[0], Bytes(100 * kib));
  EXPECT_EQ(cache.pass_over(&memory[10 * kib], Bytes(5 * kib)), Bytes());
  EXPECT_EQ(cache.pass_over(&memory[99 * kib], Bytes(2 * kib)), Bytes(1 * kib));
}

TEST(DirectMappedCache, KnowsTheArrayThatAPartBelongsTo) {
  CacheOfPrograms cache(Bytes(128 * kib), Bytes(16));
  cache.pass_over(&memory[10 * kib], Bytes(5 * kib));
  EXPECT_EQ(cache.pass_over(&memory[0], Bytes(100 * kib)), Bytes(95 * kib));
  EXPECT_EQ(cache.pass_over(&memory[0], Bytes(100 * kib)), Bytes());
  cache.pass_over(&second_array, Bytes(10 * kib));
  EXPECT_EQ(cache.pass_over(&memory[0], Bytes(10 * kib)), Bytes()) << "it lies at the cache's end";
  EXPECT_EQ(cache.pass_over(&memory[10 * kib], Bytes(10 * kib)), Bytes(10 * kib)) << "this at its beginning";
}

TEST(DirectMappedCache, CountsTheBytesOfPartsOfLines) {
  CacheOfPrograms cache(Bytes(64), Bytes(16));
  EXPECT_EQ(cache.pass_over(&memory[0], Bytes(20)), Bytes(20));
  EXPECT_EQ(cache.pass_over(&memory[5], Bytes(30)), Bytes(3)) << "two lines of the three are there";
}

TEST(DirectMappedCache, TellsBuffersWithNumbersApart) {
  DirectMappedCache cache(Bytes(64), Bytes(16));
  EXPECT_EQ(cache.count_pass_over(0, 0, Bytes(32)), Bytes(32));
  EXPECT_EQ(cache.count_pass_over(0, 16, Bytes(16)), Bytes());
  EXPECT_EQ(cache.count_pass_over(1, 16, Bytes(16)), Bytes(16));
  EXPECT_EQ(cache.count_pass_over(0, 0, Bytes(32)), Bytes(16));
}

// A cache that has each of its lines by itself.
class LineByLine {
 public:
  LineByLine(std::uint64_t lines, std::uint64_t line) : line_(line), held_(lines) {}
  std::uint64_t pass_over(std::uint64_t array, std::uint64_t from, std::uint64_t bytes) {
    std::uint64_t missed = 0;
    for (std::uint64_t number = from / line_; number * line_ < from + bytes; ++number) {
      Line& held = held_[number % held_.size()];
      const bool is_there = held.is_filled && held.array == array && held.number == number;
      held = {true, array, number};
      if (!is_there) missed += std::min(from + bytes, (number + 1) * line_) - std::max(from, number * line_);
    }
    return missed;
  }

 private:
  struct Line {
    bool is_filled = false;
    std::uint64_t array = 0;
    std::uint64_t number = 0;
  };
  std::uint64_t line_;
  std::vector<Line> held_;
};

TEST(DirectMappedCache, HoldsWhatOneHoldsThatKeepsEachLine) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t lines = std::uint64_t{1} << random() % 10;
    DirectMappedCache cache(Bytes(lines * 16), Bytes(16));
    LineByLine expected(lines, 16);
    const unsigned one_counted_of = round % 2 == 0 ? 2 : 40;
    for (int pass = 0; pass < 100; ++pass) {
      const std::uint64_t array = random() % 3, from = random() % (lines * 48);
      const std::uint64_t bytes = 1 + random() % (random() % 2 == 0 ? 40 : lines * 32);
      const std::uint64_t missed = expected.pass_over(array, from, bytes);
      if (random() % one_counted_of != 0)
        cache.pass_over(array, static_cast<std::int64_t>(from), Bytes(bytes));
      else
        ASSERT_EQ(cache.count_pass_over(array, static_cast<std::int64_t>(from), Bytes(bytes)).count(), missed)
            << "round " << round << ", pass " << pass << ", " << lines << " lines";
    }
  }
}

}  // namespace
}  // namespace hindcast
