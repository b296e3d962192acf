// Symmetric memory: what lies at the same place in every PE's memory, so that the address of one's own names the
// others'. It is the static data of the program and its own libraries, and the symmetric heap.
//
// The heap is the same on all PEs, because all make the same calls in the same order. The first PE to make a call has
// it done; the others get what came of it. PEs whose calls are not the same end the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "simulator/engine/units.hpp"

namespace hindcast::shmem {

class Pe;

// A stretch of memory that is handed out in blocks, the first that is large enough, by their offsets.
class BlockAllocator {
 public:
  static constexpr std::uint64_t nowhere = UINT64_MAX;

  explicit BlockAllocator(std::uint64_t bytes);

  // `alignment` is a power of two.
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment);
  bool is_block(std::uint64_t offset) const { return used_.contains(offset); }
  bool is_free(std::uint64_t offset) const;
  std::uint64_t size_of(std::uint64_t block) const { return used_.at(block); }
  void free(std::uint64_t block);
  // Makes it shorter, or longer if there is room behind it. False, and nothing has changed, if there is none.
  bool resize(std::uint64_t block, std::uint64_t bytes);

 private:
  void add_free(std::uint64_t begin, std::uint64_t end);

  std::map<std::uint64_t, std::uint64_t> used_;  // size by offset
  std::map<std::uint64_t, std::uint64_t> free_;  // end by begin
};

// What is wrong with an address that ought to be a block's.
enum class BlockFault : std::uint8_t { none, outside_the_heap, already_free, not_at_the_beginning };

class SymmetricMemory {
 public:
  // A block's new place; null if there is no room, or if the address was at fault.
  struct Moved {
    BlockFault fault;
    void* block;
  };

  explicit SymmetricMemory(Bytes heap_bytes) : heap_bytes_(heap_bytes.count()), blocks_(heap_bytes.count()) {}
  ~SymmetricMemory();
  SymmetricMemory(const SymmetricMemory&) = delete;
  SymmetricMemory& operator=(const SymmetricMemory&) = delete;

  // Where memory of one PE's lies in another's. Null: not all of these bytes are symmetric.
  void* counterpart(const Pe& self, const void* address, Bytes bytes, const Pe& other);

  // Collective, in so far as all PEs have to make the same calls in the same order; none waits for another here. `call`
  // is how a line names it. Null: there is no room.
  void* allocate(Pe& self, const char* call, Bytes bytes, std::uint64_t alignment = alignment_usual);
  // The contents are moved along where the block is, as far as they fit.
  Moved reallocate(Pe& self, const char* call, void* block, Bytes bytes);
  BlockFault free(Pe& self, const char* call, void* block);

  Bytes heap_bytes() const { return Bytes(heap_bytes_); }

  static constexpr std::uint64_t alignment_usual = 64;  // a line of E-registers
  // Where the heap begins on every PE. On the machines it begins at one address on all, so programs align pointers into
  // a block by themselves and get the same place on all PEs.
  static constexpr std::uint64_t heap_alignment = 64 * 1024;

 private:
  enum class Kind : std::uint8_t { allocate, reallocate, free };

  // What one call was, and what came of it.
  struct Call {
    Kind kind;
    const char* name;
    std::uint64_t block;
    std::uint64_t bytes;
    std::uint64_t alignment;
    int first_pe;
    BlockFault fault = BlockFault::none;
    std::uint64_t bytes_before = 0;
    std::uint64_t result = BlockAllocator::nowhere;
    int made_by = 0;  // so many PEs
  };

  Call make(Pe& self, const Call& wanted);
  void perform(Call& call);
  BlockFault fault_of(std::uint64_t block) const;
  [[noreturn]] static void refuse(Pe& self, const Call& wanted, const Call& first);
  std::uint64_t mapped_bytes() const;
  std::byte* heap(const Pe& pe) const;
  void reserve(Pe& pe);
  std::uint64_t offset_of(const Pe& self, const void* address) const;  // in the heap; or nowhere

  const std::uint64_t heap_bytes_;
  std::uint64_t stride_ = 0;
  void* mapped_ = nullptr;
  std::byte* heaps_ = nullptr;  // of all PEs, one behind the other; none before the first block
  int pes_ = 0;
  BlockAllocator blocks_;
  std::deque<Call> calls_;               // those that not all have made yet
  std::uint64_t calls_over_ = 0;         // that all have made
  std::vector<std::uint64_t> calls_of_;  // how many each PE has made
};

}  // namespace hindcast::shmem
