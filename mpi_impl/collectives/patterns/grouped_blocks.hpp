// The blocks of all ranks as bytes, group after group, so that those of a group travel as one: in their place if they
// lie so there, else in memory of our own.
#pragma once

#include <optional>
#include <vector>

#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/core/communicators/levels.hpp"

namespace hindcast::mpi {

// Blocks of bytes of these lengths, side by side. They refer to this.
class BlocksOfLengths {
 public:
  void append(std::size_t bytes) { begins_.push_back(begins_.back() + static_cast<MPI_Count>(bytes)); }
  std::size_t bytes() const { return static_cast<std::size_t>(begins_.back()); }
  Blocks at(std::byte* data) const {
    return {.data = data, .type = predefined_datatype(MPI_PACKED), .begins = begins_.data()};
  }

 private:
  std::vector<MPI_Count> begins_{0};
};

inline Blocks blocks_of_bytes(std::byte* data, std::size_t each) {
  return {data, predefined_datatype(MPI_PACKED), bytes_at(data, each).count};
}

class GroupedBlocks {
 public:
  GroupedBlocks(Collective& collective, const Blocks& blocks, const Division& division)
      : collective_(collective), blocks_(blocks), division_(division) {
    if (!blocks.are_as_long()) {
      before_.assign(1, 0);
      for (int place = 0; place < division.members(); ++place)
        before_.push_back(before_.back() + blocks.of(division.member_at(place)).bytes());
    }
    for (int group = 0; group < division.count(); ++group) lengths_of_groups_.append(group_bytes(group));
    if (division.are_in_order() && blocks.lie_together(division.members())) {
      data_ = static_cast<std::byte*>(blocks.type->data_at(blocks.of(0).data));
    } else {
      own_.emplace(collective.pool(), bytes_before(division.members()));
      data_ = own_->bytes();
    }
  }
  GroupedBlocks(const GroupedBlocks&) = delete;
  GroupedBlocks& operator=(const GroupedBlocks&) = delete;

  Block whole() const { return bytes_at(data_, bytes_before(division_.members())); }
  Block of_group(int group) const {
    return bytes_at(data_ + bytes_before(division_.begin_of(group)), group_bytes(group));
  }
  // For every group those of its members as one block, or for every member of a group its block.
  Blocks groups() const { return lengths_of_groups_.at(data_); }
  Blocks members(int group) {
    std::byte* data = data_ + bytes_before(division_.begin_of(group));
    if (blocks_.are_as_long()) return blocks_of_bytes(data, bytes_before(1));
    lengths_of_members_ = {};
    for (int place = division_.begin_of(group); place < division_.begin_of(group + 1); ++place)
      lengths_of_members_.append(bytes_before(place + 1) - bytes_before(place));
    return lengths_of_members_.at(data);
  }
  // Out of the program's memory, and into it.
  void fill() {
    for (int place = 0; own_ && place < division_.members(); ++place)
      collective_.copy(blocks_.of(division_.member_at(place)), at(place));
  }
  void put_back() {
    for (int place = 0; own_ && place < division_.members(); ++place)
      collective_.copy(at(place), blocks_.of(division_.member_at(place)));
  }

 private:
  std::size_t bytes_before(int place) const {
    return !blocks_.are_as_long() ? before_[static_cast<std::size_t>(place)]
                                  : static_cast<std::size_t>(place) * blocks_.type->bytes_of(blocks_.count);
  }
  std::size_t group_bytes(int group) const {
    return bytes_before(division_.begin_of(group + 1)) - bytes_before(division_.begin_of(group));
  }
  Block at(int place) const {
    return bytes_at(data_ + bytes_before(place), bytes_before(place + 1) - bytes_before(place));
  }

  Collective& collective_;
  Blocks blocks_;
  const Division& division_;
  std::vector<std::size_t> before_;  // of the v-forms
  BlocksOfLengths lengths_of_groups_;
  BlocksOfLengths lengths_of_members_;
  std::byte* data_;
  std::optional<Scratch> own_;
};

}  // namespace hindcast::mpi
