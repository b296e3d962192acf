// Blocks of more elements, or bytes, than an int counts. None of the memory that they are in is there: only where they
// would be is looked at.
#include <gtest/gtest.h>

#include <mpi.h>

#include <climits>
#include <vector>

#include "mpi_impl/collectives/framework/block.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"
#include "mpi_impl/collectives/patterns/grouped_blocks.hpp"

namespace hindcast::mpi {
namespace {

constexpr std::size_t long_block = std::size_t{3} << 30;

std::size_t begin_of(const Block& block) { return reinterpret_cast<std::size_t>(block.data); }

TEST(LongBlocks, OfOneLengthLieSideBySide) {
  const Blocks blocks{.data = nullptr, .type = predefined_datatype(MPI_BYTE), .count = INT_MAX};
  EXPECT_EQ(begin_of(blocks.of(3)), std::size_t{3} * INT_MAX);
  EXPECT_EQ(blocks.range(1, 3).bytes(), std::size_t{3} * INT_MAX);
}

TEST(LongBlocks, OfLengthsOfBytesLieSideBySide) {
  BlocksOfLengths lengths;
  lengths.append(long_block);
  lengths.append(16);
  lengths.append(long_block);
  EXPECT_EQ(lengths.bytes(), 2 * long_block + 16);
  const Blocks blocks = lengths.at(nullptr);
  EXPECT_FALSE(blocks.are_as_long());
  EXPECT_TRUE(blocks.lie_together(3));
  EXPECT_EQ(begin_of(blocks.of(1)), long_block);
  EXPECT_EQ(blocks.of(1).bytes(), 16U);
  EXPECT_EQ(begin_of(blocks.of(2)), long_block + 16);
  EXPECT_EQ(blocks.of(2).bytes(), long_block);
}

TEST(LongBlocks, AreCutIntoChunksAndSegments) {
  const Block whole = bytes_at(nullptr, long_block);
  const Chunks chunks(whole, 2);
  EXPECT_EQ(begin_of(chunks.of(1)), long_block / 2);
  EXPECT_EQ(chunks.range(0, 2).bytes(), long_block);
  const Segments segments(whole, std::size_t{1} << 20);
  EXPECT_EQ(segments.count(), 3072);
  EXPECT_EQ(begin_of(segments.of(3071)), long_block - (std::size_t{1} << 20));
}

TEST(LongBlocks, ThatAreTheSameForAllAreOne) {
  const Blocks blocks = Blocks::one({nullptr, 5, predefined_datatype(MPI_INT)});
  EXPECT_EQ(begin_of(blocks.of(7)), 0U);
  EXPECT_EQ(blocks.of(7).count, 5);
}

// How many elements each call of an operation of the program's own was for.
std::vector<int> calls;
void count(void*, void*, int* elements, MPI_Datatype*) { calls.push_back(*elements); }

TEST(LongBlocks, AreCombinedByTheProgramInParts) {
  Op op;
  op.function = count;
  calls.clear();
  op.apply(nullptr, nullptr, MPI_Count{INT_MAX} + 7, *predefined_datatype(MPI_BYTE));
  EXPECT_EQ(calls, (std::vector<int>{INT_MAX, 7}));
}

}  // namespace
}  // namespace hindcast::mpi
