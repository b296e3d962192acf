// The arrays of programs: which addresses are of one array, and what memory that is given back leaves.

#include "simulator/hardware/node/program_arrays.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

namespace hindcast {
namespace {

char memory_of_arrays[1000];

TEST(ProgramArrays, TellApartWhatDoesNotOverlap) {
  ProgramArrays arrays(16);
  const PlaceInArray first = arrays.place_of(&memory_of_arrays[100], Bytes(100));
  EXPECT_EQ(first.array, 16U);
  EXPECT_EQ(first.from, 0);
  EXPECT_NE(arrays.place_of(&memory_of_arrays[200], Bytes(1)).array, first.array);
  EXPECT_NE(arrays.place_of(&memory_of_arrays[99], Bytes(1)).array, first.array);
}

TEST(ProgramArrays, CountPlacesFromWhatWasKnownFirst) {
  ProgramArrays arrays(0);
  const PlaceInArray first = arrays.place_of(&memory_of_arrays[100], Bytes(100));
  const PlaceInArray whole = arrays.place_of(&memory_of_arrays[50], Bytes(300));
  EXPECT_EQ(whole.array, first.array);
  EXPECT_EQ(whole.from, -50);
  EXPECT_EQ(arrays.place_of(&memory_of_arrays[300], Bytes(10)).from, 200);
}

TEST(ProgramArrays, JoinWhatIsOverlapped) {
  ProgramArrays arrays(0);
  const PlaceInArray first = arrays.place_of(&memory_of_arrays[100], Bytes(10));
  const PlaceInArray second = arrays.place_of(&memory_of_arrays[200], Bytes(10));
  EXPECT_NE(first.array, second.array);
  EXPECT_EQ(arrays.place_of(&memory_of_arrays[100], Bytes(200)).array, first.array);
  EXPECT_EQ(arrays.place_of(&memory_of_arrays[205], Bytes(1)).array, first.array);
}

// The same addresses are another array then.
TEST(ProgramArrays, ForgetMemoryThatIsGivenBack) {
  ProgramArrays arrays(0);
  const PlaceInArray first = arrays.place_of(&memory_of_arrays[100], Bytes(10));
  memory_is_free(&memory_of_arrays[0], 100);
  EXPECT_EQ(arrays.place_of(&memory_of_arrays[100], Bytes(10)).array, first.array);
  memory_is_free(&memory_of_arrays[0], 200);
  EXPECT_NE(arrays.place_of(&memory_of_arrays[100], Bytes(10)).array, first.array);
}

TEST(ProgramArrays, KnowEachOfManyUntilItIsGivenBack) {
  ProgramArrays arrays(0);
  std::vector<char> block(1 << 20);
  const auto place = [&](std::size_t i) { return arrays.place_of(&block[i * 64], Bytes(10)); };
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < 16'000; ++i) numbers.push_back(place(i).array);
  for (std::size_t i = 0; i < 16'000; i += 2) memory_is_free(&block[i * 64], 64);
  for (std::size_t i = 0; i < 16'000; ++i) ASSERT_EQ(place(i).array == numbers[i], i % 2 == 1) << i;
}

// It gives what a search gives, whatever has been found, has grown and has gone before.
TEST(ProgramArrays, FoundLastAreWhatASearchFinds) {
  ProgramArrays arrays(0);
  ProgramArrays searched(0);
  ProgramArrays::Found found;
  std::vector<char> block(1 << 16);
  std::minstd_rand random(1);
  for (int i = 0; i < 100'000; ++i) {
    // Mostly parts of a few hundred arrays, of which some are known by a part first; sometimes one is given back.
    const std::size_t begin = random() % 400 * 160 + (random() % 8 == 0 ? random() % 64 : 0);
    if (random() % 500 == 0) {
      memory_is_free(&block[begin], 160);
      continue;
    }
    const Bytes bytes(random() % 16 == 0 ? 1 + random() % 160 : 96);
    const PlaceInArray place = found.place_of(arrays, &block[begin], bytes);
    const PlaceInArray expected = searched.place_of(&block[begin], bytes);
    ASSERT_EQ(place.array, expected.array) << i;
    ASSERT_EQ(place.from, expected.from) << i;
  }
}

TEST(ProgramArrays, HearOfWhatTheAllocatorIsGivenBack) {
  ProgramArrays arrays(0);
  char kept[100];
  const PlaceInArray first = arrays.place_of(kept, Bytes(100));
  std::uint64_t last = first.array;
  const auto is_new = [&](void* block) { return arrays.place_of(block, Bytes(500)).array > last++; };
  for (int round = 0; round < 3; ++round) {
    void* block = std::malloc(1000);
    EXPECT_TRUE(is_new(block));
    block = std::realloc(block, 1001);
    EXPECT_TRUE(is_new(block));
    std::free(block);
    EXPECT_TRUE(is_new(std::make_unique<char[]>(1000).get()));
    EXPECT_TRUE(is_new(std::vector<char>(1000).data()));
  }
  EXPECT_EQ(arrays.place_of(kept, Bytes(100)).array, first.array);
}

}  // namespace
}  // namespace hindcast
