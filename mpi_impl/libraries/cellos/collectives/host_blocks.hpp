// The blocks of all ranks but the machine's host, as it scatters and gathers them: at the host in the order of the
// ranks in the run, one behind the other.
#pragma once

#include <fmt/format.h>

#include <optional>

#include "mpi_impl/collectives/framework/pieces.hpp"
#include "mpi_impl/libraries/cellos/collectives/host.hpp"

namespace hindcast::mpi {

// At the host: in their place if they lie so there, else in memory of our own, between which they are copied.
class BlocksAtHost {
 public:
  BlocksAtHost(Collective& collective, const Blocks& blocks)
      : collective_(collective), blocks_(blocks), others_(collective.size() - 1) {
    all_.bytes = blocks.of(0).bytes();
    if (lie_together()) {
      all_.data = blocks.type->data_at(blocks.of(rank_beside_host(collective, 0)).data);
    } else {
      own_.emplace(collective.pool(), all_.bytes * static_cast<std::size_t>(others_));
      all_.data = own_->bytes();
    }
  }
  HostBlocks& all() { return all_; }
  void fill() {
    for (int place = 0; own_ && place < others_; ++place) collective_.copy(program_block(place), own_block(place));
  }
  void put_back() {
    for (int place = 0; own_ && place < others_; ++place) collective_.copy(own_block(place), program_block(place));
  }

 private:
  bool lie_together() const {
    if (!blocks_.type->is_contiguous) return false;
    for (int place = 1; place < others_; ++place)
      if (rank_beside_host(collective_, place) != rank_beside_host(collective_, 0) + place) return false;
    return true;
  }
  Block program_block(int place) const { return blocks_.of(rank_beside_host(collective_, place)); }
  Block own_block(int place) const {
    return bytes_at(own_->bytes() + static_cast<std::size_t>(place) * all_.bytes, all_.bytes);
  }

  Collective& collective_;
  Blocks blocks_;
  int others_;
  HostBlocks all_;
  std::optional<Scratch> own_;
};

// Elsewhere.
inline HostBlocks block_beside_host(const Flat& mine) { return {mine.bytes().data, mine.bytes().bytes()}; }

// By who receives. All go on to the end, and are told then.
inline void note_cut_block(Collective& collective, const HostBlocks& blocks) {
  if (blocks.opposite_bytes > blocks.bytes)
    collective.note(
        {MPI_ERR_TRUNCATE, fmt::format("a block of {} bytes has been sent, and the receive buffer has room for {}",
                                       blocks.opposite_bytes, blocks.bytes)});
}

}  // namespace hindcast::mpi
