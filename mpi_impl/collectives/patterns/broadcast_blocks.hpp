// The blocks for all ranks in one broadcast of the machine's, of which each rank takes its own.
//
// Blocks of one length are where their number says. Where lengths differ their places are broadcast before.
#pragma once

#include <fmt/format.h>

#include <optional>

#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

// Where a block is among the others.
struct BlockPlace {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

// By the rank that has them.
class BroadcastBlocks {
 public:
  BroadcastBlocks(Collective& collective, const Blocks& blocks) : all_(collective, blocks), ranks_(collective.size()) {
    all_.fill();
  }
  Block data() const { return all_.range(0, ranks_); }
  // Of each block, in the order of ranks.
  Block places(BufferPool& pool) {
    places_.emplace(pool, sizeof(BlockPlace) * static_cast<std::size_t>(ranks_));
    for (int rank = 0; rank < ranks_; ++rank)
      reinterpret_cast<BlockPlace*>(places_->bytes())[rank] = {all_.bytes_before(rank), all_.bytes_of(rank, 1)};
    return places_->block();
  }

 private:
  Assembled all_;
  int ranks_;
  std::optional<Scratch> places_;
};

// By the others: the place of their own block, at the place of their number.
inline std::size_t place_of_place(const Collective& collective) {
  return static_cast<std::size_t>(collective.rank()) * sizeof(BlockPlace);
}
inline BlockPlace place_among_equals(const Collective& collective, const Block& mine) {
  return {static_cast<std::size_t>(collective.rank()) * mine.bytes(), mine.bytes()};
}
inline void refuse_short_block(const Block& mine, const BlockPlace& place, int from) {
  if (place.bytes > mine.bytes())
    throw Error{MPI_ERR_TRUNCATE, fmt::format("rank {} has sent {} bytes, and the receive buffer has room for {}", from,
                                              place.bytes, mine.bytes())};
}

}  // namespace hindcast::mpi
