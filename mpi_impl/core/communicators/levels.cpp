#include "mpi_impl/core/communicators/levels.hpp"

#include <algorithm>
#include <unordered_map>

namespace hindcast::mpi {

namespace {

std::vector<int> numbers_of(const Group& group, const Places& places, int Place::*number) {
  std::vector<int> numbers;
  numbers.reserve(static_cast<std::size_t>(group.size()));
  for (int rank = 0; rank < group.size(); ++rank) numbers.push_back(places.of(group.world_rank(rank)).*number);
  return numbers;
}

}  // namespace

Division::Division(const std::vector<int>& number) : members_(number.size()), place_of_(number.size()) {
  std::unordered_map<int, int> part_of_number;
  for (std::size_t rank = 0; rank < number.size(); ++rank) {
    const auto [found, is_new] = part_of_number.emplace(number[rank], static_cast<int>(leaders_.size()));
    if (is_new) {
      leaders_.push_back(static_cast<int>(rank));
      begin_.push_back(0);
    }
    part_of_.push_back(found->second);
    ++begin_[index(found->second) + 1];
  }
  largest_ = *std::max_element(begin_.begin(), begin_.end());
  for (std::size_t part = 1; part < begin_.size(); ++part) begin_[part] += begin_[part - 1];
  std::vector<int> next = begin_;
  for (std::size_t rank = 0; rank < number.size(); ++rank) {
    place_of_[rank] = next[index(part_of_[rank])]++;
    members_[index(place_of_[rank])] = static_cast<int>(rank);
  }
  are_in_order_ = std::is_sorted(members_.begin(), members_.end());
}

Levels::Levels(const Group& group, const Places& places)
    : nodes_(numbers_of(group, places, &Place::node)), sites_(numbers_of(group, places, &Place::site)) {}

const Division* Levels::division(Level level) const {
  if (level != Level::site && nodes_.are_several()) return &nodes_;
  if (level != Level::node && sites_.are_several()) return &sites_;
  return nullptr;
}

std::shared_ptr<const Levels> KnownLevels::of(const GroupPointer& group, const Places& places) {
  if (places.are_all_alike() || group->size() < 2) return nullptr;
  return known_.get({group, &places});
}

}  // namespace hindcast::mpi
