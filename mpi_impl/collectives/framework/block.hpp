// What collectives move: elements in memory, one block of them for every rank, and memory for some that are on their
// way.
#pragma once

#include <mpi.h>

#include <climits>
#include <cstddef>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "simulator/engine/memory/buffer_pool.hpp"

namespace hindcast::mpi {

// Elements in memory.
struct Block {
  void* data = nullptr;
  int count = 0;
  const Datatype* type = nullptr;

  std::size_t bytes() const { return type->bytes_of(count); }
  // `elements` of them, from the one numbered `first` on.
  Block part(int first, int elements) const {
    return {static_cast<std::byte*>(data) + first * type->extent, elements, type};
  }
};

[[noreturn]] void refuse_long_part(std::size_t bytes);

inline Block bytes_at(void* data, std::size_t bytes) {
  if (bytes > INT_MAX) [[unlikely]]
    refuse_long_part(bytes);
  return {data, static_cast<int>(bytes), predefined_datatype(MPI_PACKED)};
}

// One block for every rank: all as long and side by side, or as the v- and w-forms say.
struct Blocks {
  void* data = nullptr;
  const Datatype* type = nullptr;
  int count = 0;
  const int* counts = nullptr;             // null: all have `count`
  const int* displacements = nullptr;      // in extents of the type, or in bytes if there are types; null: side by side
  const MPI_Aint* addresses = nullptr;     // displacements in bytes that an int may not hold, if there are types
  const Datatype* const* types = nullptr;  // null: all have `type`

  const Datatype* type_of(int rank) const { return types != nullptr ? types[rank] : type; }
  int count_of(int rank) const { return counts != nullptr ? counts[rank] : count; }
  Block of(int rank) const {
    auto* bytes = static_cast<std::byte*>(data);
    if (types != nullptr)
      return {bytes + (addresses != nullptr ? addresses[rank] : displacements[rank]), counts[rank], types[rank]};
    const std::ptrdiff_t elements =
        displacements != nullptr ? displacements[rank] : static_cast<std::ptrdiff_t>(rank) * count;
    return {bytes + elements * type->extent, count_of(rank), type};
  }
  // In the order of so many ranks.
  bool lie_together(int ranks) const {
    if (types != nullptr || !type->is_contiguous) return false;
    for (int rank = 1; counts != nullptr && rank < ranks; ++rank)
      if (displacements[rank] != displacements[rank - 1] + counts[rank - 1]) return false;
    return true;
  }
  // Those of several ranks, where they are as long and side by side.
  Block range(int first, int ranks) const { return {of(first).data, count * ranks, type}; }
};

// Memory for as many elements as a block has, or for so many bytes, from a pool.
class Scratch {
 public:
  Scratch(BufferPool& pool, const Block& like) : pool_(pool) {
    const Reach reach = reach_of(*like.type, like.count);
    bytes_ = reach.bytes;
    memory_ = pool.take(bytes_);
    block_ = {bytes() - reach.offset, like.count, like.type};
  }
  Scratch(BufferPool& pool, std::size_t bytes) : pool_(pool), bytes_(bytes), memory_(pool.take(bytes)) {
    block_ = bytes_at(memory_, bytes);
  }
  ~Scratch() { pool_.give_back(memory_, bytes_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const Block& block() const { return block_; }
  std::byte* bytes() const { return static_cast<std::byte*>(memory_); }

 private:
  BufferPool& pool_;
  std::size_t bytes_;
  void* memory_;
  Block block_;
};

}  // namespace hindcast::mpi
