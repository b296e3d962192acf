// The blocks for all ranks in one broadcast of the machine's, of which each rank takes its own.
//
// Blocks of one length are where their number says. Where lengths differ their places are broadcast before, and with
// each in how many messages all comes, as it may be longer than any of the machine's.
#pragma once

#include <fmt/format.h>

#include <optional>

#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/collectives/framework/pieces.hpp"

namespace hindcast::mpi {

// Where a block is among the others.
struct BlockPlace {
  std::uint64_t begin : 40 = 0;
  std::uint64_t messages : 24 = 1;
  std::uint64_t bytes = 0;
};
static_assert(sizeof(BlockPlace) == 16, "as the costs have it");

// By the rank that has them.
class BroadcastBlocks {
 public:
  BroadcastBlocks(Collective& collective, const Blocks& blocks)
      : all_(collective, blocks), longest_(collective.longest_message()), ranks_(collective.size()) {
    all_.fill();
  }
  Block data() const { return all_.range(0, ranks_); }
  // Of each block, in the order of ranks.
  Block places(BufferPool& pool) {
    const std::size_t messages = all_messages();
    places_.emplace(pool, sizeof(BlockPlace) * static_cast<std::size_t>(ranks_));
    for (int rank = 0; rank < ranks_; ++rank)
      reinterpret_cast<BlockPlace*>(places_->bytes())[rank] = {all_.bytes_before(rank), messages,
                                                               all_.bytes_of(rank, 1)};
    return places_->block();
  }

 private:
  std::size_t all_messages() const {
    const std::size_t bytes = data().bytes();
    return bytes <= longest_ ? 1 : (bytes + longest_ - 1) / longest_;
  }

  Assembled all_;
  std::size_t longest_;
  int ranks_;
  std::optional<Scratch> places_;
};

// By the others: the place of their own block, at the place of their number.
inline std::size_t place_of_place(const Collective& collective) {
  return static_cast<std::size_t>(collective.rank()) * sizeof(BlockPlace);
}
inline BlockPlace place_among_equals(const Collective& collective, const Block& mine) {
  return {static_cast<std::size_t>(collective.rank()) * mine.bytes(), 1, mine.bytes()};
}
// How long all is at most that comes in several messages.
inline std::size_t whole_of(const Collective& collective, const BlockPlace& place) {
  return place.messages > 1 ? place.messages * collective.longest_message() : 0;
}
inline void refuse_short_block(const Block& mine, const BlockPlace& place, int from) {
  if (place.bytes > mine.bytes())
    throw Error{MPI_ERR_TRUNCATE, fmt::format("rank {} has sent {} bytes, and the receive buffer has room for {}", from,
                                              place.bytes, mine.bytes())};
}

}  // namespace hindcast::mpi
