// The symmetric heap: the same blocks on all PEs, whoever asks first, and where they lie.

#include "mpi_impl/libraries/cray/native/symmetric_memory.hpp"

#include <random>

#include "mpi_impl/libraries/cray/tests/pes.hpp"

namespace hindcast::shmem {
namespace {

const Bytes some(100);

TEST(BlockAllocator, TakesTheFirstStretchThatIsLongEnough) {
  BlockAllocator blocks(1000);
  EXPECT_EQ(blocks.allocate(100, 8), 0U);
  EXPECT_EQ(blocks.allocate(100, 64), 128U);
  EXPECT_EQ(blocks.allocate(20, 4), 100U) << "between the two";
  EXPECT_EQ(blocks.allocate(800, 8), BlockAllocator::nowhere);
  EXPECT_EQ(blocks.allocate(772, 4), 228U);
  EXPECT_EQ(blocks.allocate(9, 1), BlockAllocator::nowhere);
  EXPECT_EQ(blocks.allocate(8, 1), 120U);
}

TEST(BlockAllocator, JoinsWhatIsFree) {
  BlockAllocator blocks(300);
  const std::uint64_t a = blocks.allocate(100, 1), b = blocks.allocate(100, 1), c = blocks.allocate(100, 1);
  blocks.free(a);
  blocks.free(c);
  EXPECT_EQ(blocks.allocate(200, 1), BlockAllocator::nowhere);
  blocks.free(b);
  EXPECT_EQ(blocks.allocate(300, 1), 0U);
}

TEST(BlockAllocator, ResizesInPlaceWhereItCan) {
  BlockAllocator blocks(300);
  const std::uint64_t a = blocks.allocate(100, 1), b = blocks.allocate(50, 1);
  EXPECT_FALSE(blocks.resize(a, 101));
  EXPECT_TRUE(blocks.resize(b, 200));
  EXPECT_FALSE(blocks.resize(b, 201));
  EXPECT_TRUE(blocks.resize(a, 40));
  EXPECT_EQ(blocks.allocate(60, 1), 40U);
  EXPECT_TRUE(blocks.resize(b, 0)) << "a byte is left";
  EXPECT_EQ(blocks.size_of(b), 1U);
}

TEST(BlockAllocator, NeverGivesAByteTwice) {
  std::mt19937 random(7);
  BlockAllocator blocks(10'000);
  std::map<std::uint64_t, std::uint64_t> held;
  for (int i = 0; i < 20'000; ++i) {
    if (!held.empty() && random() % 2 == 0) {
      const auto victim = std::next(held.begin(), random() % held.size());
      const std::uint64_t bytes = 1 + random() % 400;
      if (random() % 2 == 0) {
        blocks.free(victim->first);
        held.erase(victim);
      } else if (blocks.resize(victim->first, bytes)) {
        victim->second = bytes;
      }
    } else {
      const std::uint64_t bytes = 1 + random() % 400, alignment = 1U << random() % 8;
      const std::uint64_t block = blocks.allocate(bytes, alignment);
      if (block == BlockAllocator::nowhere) continue;
      EXPECT_EQ(block % alignment, 0U);
      held[block] = bytes;
    }
    std::uint64_t end = 0;
    for (const auto& [block, bytes] : held) {
      ASSERT_GE(block, end);
      end = block + bytes;
    }
    ASSERT_LE(end, 10'000U);
  }
  for (const auto& block : held) blocks.free(block.first);
  EXPECT_EQ(blocks.allocate(10'000, 1), 0U);
}

TEST(SymmetricHeap, GivesTheSamePlaceToAll) {
  std::vector<char*> blocks(3);
  const Body body = [&](Pe& pe) {
    SymmetricMemory& memory = pe.system().symmetric_memory();
    Thread::current()->charge(Time::us(10 - pe.number()));
    auto* first = static_cast<char*>(memory.allocate(pe, "shmalloc", some));
    auto* second = static_cast<char*>(memory.allocate(pe, "shmalloc", some));
    EXPECT_GE(second, first + 100);
    second[0] = static_cast<char>('a' + pe.number());
    blocks[static_cast<std::size_t>(pe.number())] = second;
    pe.barrier("barrier");
    for (int other = 0; other < 3; ++other)
      EXPECT_EQ(pe.counterpart(second + 7, Bytes(5), other), blocks[static_cast<std::size_t>(other)] + 7);
    const int next = (pe.number() + 1) % 3;
    char got = 0;
    pe.get("get", next, &got, pe.counterpart(second, Bytes(1), next), Bytes(1));
    EXPECT_EQ(got, 'a' + next);
    EXPECT_EQ(memory.free(pe, "shfree", first), BlockFault::none);
    EXPECT_NE(memory.free(pe, "shfree", first + 1), BlockFault::none);
    EXPECT_EQ(memory.allocate(pe, "shmalloc", some), first);
  };
  run_pes({body, body, body});
}

TEST(SymmetricHeap, HasNoRoomForMoreThanItsSize) {
  run_pes({[](Pe& pe) {
    SymmetricMemory& memory = pe.system().symmetric_memory();
    EXPECT_EQ(memory.allocate(pe, "shmalloc", Bytes((1 << 20) + 1)), nullptr);
    void* all = memory.allocate(pe, "shmalloc", Bytes(1 << 20));
    ASSERT_NE(all, nullptr);
    std::memset(all, 1, 1 << 20);
    EXPECT_EQ(memory.allocate(pe, "shmalloc", Bytes(1)), nullptr);
  }});
}

TEST(SymmetricHeap, MovesABlocksContentsWithIt) {
  const Body body = [](Pe& pe) {
    SymmetricMemory& memory = pe.system().symmetric_memory();
    auto* block = static_cast<char*>(memory.allocate(pe, "shmalloc", Bytes(64)));
    memory.allocate(pe, "shmalloc", Bytes(64));
    std::memset(block, 'a' + pe.number(), 64);
    const SymmetricMemory::Moved moved = memory.reallocate(pe, "shrealloc", block, Bytes(200));
    ASSERT_EQ(moved.fault, BlockFault::none);
    ASSERT_NE(moved.block, nullptr);
    EXPECT_NE(moved.block, block);
    EXPECT_EQ(std::string(static_cast<char*>(moved.block), 64), std::string(64, static_cast<char>('a' + pe.number())));
    const SymmetricMemory::Moved too_long = memory.reallocate(pe, "shrealloc", moved.block, Bytes(1 << 21));
    EXPECT_EQ(too_long.fault, BlockFault::none);
    EXPECT_EQ(too_long.block, nullptr);
  };
  run_pes({body, body});
}

TEST(SymmetricHeap, TellsWhatIsNoBlock) {
  const Body body = [](Pe& pe) {
    SymmetricMemory& memory = pe.system().symmetric_memory();
    auto* block = static_cast<char*>(memory.allocate(pe, "shmalloc", Bytes(64)));
    int local = 0;
    const auto fault = [&](void* address) {
      EXPECT_EQ(memory.reallocate(pe, "shrealloc", address, Bytes(8)).block, nullptr);
      return memory.free(pe, "shfree", address);
    };
    EXPECT_EQ(fault(&local), BlockFault::outside_the_heap);
    EXPECT_EQ(fault(nullptr), BlockFault::outside_the_heap);
    EXPECT_EQ(fault(block + 1), BlockFault::not_at_the_beginning);
    EXPECT_EQ(fault(block + 64), BlockFault::already_free);
    EXPECT_EQ(memory.free(pe, "shfree", block), BlockFault::none);
    EXPECT_EQ(fault(block), BlockFault::already_free);
  };
  run_pes({body, body});
}

TEST(SymmetricMemory, IsNotWhatLiesElsewhere) {
  run_pes({[](Pe& pe) {
             auto* block = static_cast<char*>(pe.system().symmetric_memory().allocate(pe, "shmalloc", some));
             int local = 0;
             EXPECT_EQ(pe.counterpart(&local, Bytes(4), 1), nullptr);
             EXPECT_EQ(pe.counterpart(nullptr, Bytes(4), 1), nullptr);
             EXPECT_NE(pe.counterpart(block, Bytes(1 << 20), 1), nullptr);
             EXPECT_EQ(pe.counterpart(block + 1, Bytes(1 << 20), 1), nullptr) << "beyond the heap's end";
             EXPECT_EQ(pe.counterpart(pe.counterpart(block, some, 1), some, 1), nullptr) << "another PE's";
           },
           [](Pe&) {}});
}

TEST(SymmetricHeapDeathTest, RefusesCallsThatDiffer) {
  const auto asking = [](std::uint64_t bytes) {
    return [bytes](Pe& pe) {
      Thread::current()->settle();
      pe.system().symmetric_memory().allocate(pe, "shmalloc", Bytes(bytes));
    };
  };
  EXPECT_EXIT(run_pes({asking(8), asking(16)}), testing::ExitedWithCode(1),
              "rank 1: shmalloc for 16 bytes, where PE 0 has called shmalloc for 8 bytes: all PEs have to");
}

}  // namespace
}  // namespace hindcast::shmem
