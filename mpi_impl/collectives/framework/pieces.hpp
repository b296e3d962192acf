// Data cut into pieces that travel apart, and pieces put together that travel as one.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

// A block in pieces of so many bytes, in whole elements. None if there are no elements.
class Segments {
 public:
  Segments(const Block& whole, std::size_t bytes) : whole_(whole) {
    const std::size_t elements = bytes / std::max<std::size_t>(whole.type->size, 1);
    each_ = std::clamp<MPI_Count>(static_cast<MPI_Count>(elements), 1, std::max<MPI_Count>(whole.count, 1));
  }
  MPI_Count count() const { return (whole_.count + each_ - 1) / each_; }
  MPI_Count longest() const { return each_; }
  Block of(MPI_Count i) const { return whole_.part(i * each_, std::min(each_, whole_.count - i * each_)); }

 private:
  Block whole_;
  MPI_Count each_;
};

// A block in as many pieces as there are ranks, as equal as can be.
class Chunks {
 public:
  Chunks(const Block& whole, int chunks) : whole_(whole), chunks_(chunks) {}
  Block of(int chunk) const { return range(chunk, 1); }
  Block range(int first, int chunks) const { return whole_.part(begin(first), begin(first + chunks) - begin(first)); }
  MPI_Count longest() const { return (whole_.count + chunks_ - 1) / chunks_; }

 private:
  MPI_Count begin(int chunk) const {
    return chunk * (whole_.count / chunks_) + std::min<MPI_Count>(chunk, whole_.count % chunks_);
  }
  Block whole_;
  int chunks_;
};

// The data of a block as bytes that lie together: in their place if they do there, else copied.
class Flat {
 public:
  Flat(Collective& collective, const Block& block, bool has_data) : collective_(collective), block_(block) {
    if (block.type->lies_together(block.count)) {
      bytes_ = bytes_at(block.type->data_at(block.data), block.bytes());
    } else {
      copy_.emplace(collective.pool(), block.bytes());
      bytes_ = copy_->block();
      if (has_data) collective.copy(block, bytes_);
    }
  }
  const Block& bytes() const { return bytes_; }
  void put_back() {
    if (copy_) collective_.copy(bytes_, block_);
  }

 private:
  Collective& collective_;
  Block block_;
  Block bytes_;
  std::optional<Scratch> copy_;
};

// The blocks of all ranks as bytes in their order, so that those of several ranks travel as one: in their place if they
// lie so there, else in memory of our own.
class Assembled {
 public:
  Assembled(Collective& collective, const Blocks& blocks) : collective_(collective), blocks_(blocks) {
    if (!blocks.are_as_long()) {
      before_.assign(1, 0);
      for (int rank = 0; rank < collective.size(); ++rank) before_.push_back(before_.back() + blocks.of(rank).bytes());
    }
    if (blocks.lie_together(collective.size())) {
      data_ = static_cast<std::byte*>(blocks.type->data_at(blocks.of(0).data));
    } else {
      own_.emplace(collective.pool(), bytes_before(collective.size()));
      data_ = own_->bytes();
    }
  }
  std::size_t bytes_before(int rank) const {
    return !blocks_.are_as_long() ? before_[static_cast<std::size_t>(rank)]
                                  : static_cast<std::size_t>(rank) * blocks_.type->bytes_of(blocks_.count);
  }
  std::size_t bytes_of(int first, int ranks) const { return bytes_before(first + ranks) - bytes_before(first); }
  Block range(int first, int ranks) const { return bytes_at(data_ + bytes_before(first), bytes_of(first, ranks)); }
  Block of(int rank) const { return range(rank, 1); }
  // Out of the program's memory, and into it.
  void fill() {
    for (int rank = 0; own_ && rank < collective_.size(); ++rank) collective_.copy(blocks_.of(rank), of(rank));
  }
  void put_back() {
    for (int rank = 0; own_ && rank < collective_.size(); ++rank) collective_.copy(of(rank), blocks_.of(rank));
  }

 private:
  Collective& collective_;
  Blocks blocks_;
  std::vector<std::size_t> before_;  // of the v-forms
  std::byte* data_;
  std::optional<Scratch> own_;
};

}  // namespace hindcast::mpi
