// What collectives move: elements in memory, one block of them for every rank, and memory for some that are on their
// way.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdlib>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "simulator/engine/memory/buffer_pool.hpp"

namespace hindcast::mpi {

// Elements in memory. There may be more of them than an int counts, where several blocks are taken as one, or blocks as
// their bytes.
struct Block {
  void* data = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;

  std::size_t bytes() const { return type->bytes_of(count); }
  // `elements` of them, from the one numbered `first` on.
  Block part(MPI_Count first, MPI_Count elements) const {
    return {static_cast<std::byte*>(data) + first * type->extent, elements, type};
  }
};

inline Block bytes_at(void* data, std::size_t bytes) {
  return {data, static_cast<MPI_Count>(bytes), predefined_datatype(MPI_PACKED)};
}

// One block for every rank: all as long and side by side, or the same one for all, or of any lengths side by side, or
// as the v- and w-forms say.
struct Blocks {
  void* data = nullptr;
  const Datatype* type = nullptr;
  MPI_Count count = 0;
  bool are_one = false;
  const MPI_Count* begins = nullptr;       // of blocks side by side, in elements, and the end of the last one
  const int* counts = nullptr;             // if this is null and `begins` too, all have `count`
  const int* displacements = nullptr;      // in extents of the type, or in bytes if there are types; null: side by side
  const MPI_Aint* addresses = nullptr;     // displacements in bytes that an int may not hold, if there are types
  const Datatype* const* types = nullptr;  // null: all have `type`

  const Datatype* type_of(int rank) const { return types != nullptr ? types[rank] : type; }
  static Blocks one(const Block& block) {
    return {.data = block.data, .type = block.type, .count = block.count, .are_one = true};
  }
  bool are_as_long() const { return counts == nullptr && begins == nullptr; }
  MPI_Count count_of(int rank) const {
    return counts != nullptr ? counts[rank] : begins != nullptr ? begins[rank + 1] - begins[rank] : count;
  }
  Block of(int rank) const {
    auto* bytes = static_cast<std::byte*>(data);
    if (types != nullptr)
      return {bytes + (addresses != nullptr ? addresses[rank] : displacements[rank]), counts[rank], types[rank]};
    return {bytes + begin_of(rank) * type->extent, count_of(rank), type};
  }
  // In the order of so many ranks.
  bool lie_together(int ranks) const {
    if (types != nullptr || !type->is_contiguous) return false;
    for (int rank = 1; counts != nullptr && rank < ranks; ++rank)
      if (begin_of(rank) != begin_of(rank - 1) + counts[rank - 1]) return false;
    return true;
  }
  // Those of several ranks, where they are as long and side by side.
  Block range(int first, int ranks) const { return {of(first).data, count * ranks, type}; }

 private:
  MPI_Count begin_of(int rank) const {
    if (displacements != nullptr) return displacements[rank];
    return begins != nullptr ? begins[rank] : are_one ? 0 : rank * count;
  }
};

// How far into aligned memory data begin, so that they are as aligned as in memory of the program's: what is combined
// is handed to functions of the program.
inline std::size_t lead_of(const Reach& data) {
  return static_cast<std::size_t>(data.offset) % alignof(std::max_align_t);
}

// Memory for as many elements as a block has, or for so many bytes, from a pool.
class Scratch {
 public:
  Scratch(BufferPool& pool, const Block& like) : pool_(pool) {
    const Reach reach = reach_of(*like.type, like.count);
    bytes_ = lead_of(reach) + reach.bytes;
    memory_ = pool.take(bytes_);
    block_ = {bytes() + lead_of(reach) - reach.offset, like.count, like.type};
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

// Memory for several blocks, none of them longer than one that is given, from a pool. Where elements reach over more
// than their extent, a block that began where another one ends would lie among that one's elements, so it begins
// behind all that the other one reaches over.
class ScratchBlocks {
 public:
  ScratchBlocks(BufferPool& pool, const Block& like, int blocks)
      : like_(like),
        reach_(reach_of(*like.type, like.count)),
        step_(step_of(like)),
        memory_(pool, lead_of(reach_) + step_ * static_cast<std::size_t>(blocks)) {}
  Block of(int block, MPI_Count count) const {
    std::byte* begin = memory_.bytes() + lead_of(reach_) + step_ * static_cast<std::size_t>(block);
    return {begin - reach_.offset, count, like_.type};
  }

 private:
  std::size_t step_of(const Block& like) const {
    constexpr std::size_t alignment = alignof(std::max_align_t);
    const auto extents = static_cast<std::size_t>(std::abs(like.count * like.type->extent));
    return reach_.bytes <= extents ? extents : (reach_.bytes + alignment - 1) / alignment * alignment;
  }

  Block like_;
  Reach reach_;
  std::size_t step_;
  Scratch memory_;
};

}  // namespace hindcast::mpi
