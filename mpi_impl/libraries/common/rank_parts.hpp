// What a library keeps for each rank: it stays where it is as long as the rank lives, and what a rank that has gone
// leaves is there for a later one.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "mpi_impl/core/process.hpp"

namespace hindcast {

// Of parts that have an endpoint and a process of MPI's. False: something of the rank's is still under way.
inline bool is_at_rest(const mpi::Endpoint& endpoint, mpi::Process& process) {
  bool is_at_rest = endpoint.is_at_rest();
  process.requests.for_each(
      [&](const auto& request) { is_at_rest = is_at_rest && (!request.active || request.finished); });
  return is_at_rest;
}

template <typename Part>
class RankParts {
 public:
  template <typename... Arguments>
  Part& add(int rank, Arguments&&... arguments) {
    std::size_t place = parts_.size();
    if (free_.empty()) {
      parts_.emplace_back();
    } else {
      place = free_.back();
      free_.pop_back();
    }
    const auto number = static_cast<std::size_t>(rank);
    if (number >= place_of_.size()) place_of_.resize(number + 1);
    place_of_[number] = place;
    return parts_[place].emplace(std::forward<Arguments>(arguments)...);
  }

  Part& of(int rank) { return *parts_[place_of_[static_cast<std::size_t>(rank)]]; }

  void remove(int rank) {
    const std::size_t place = place_of_[static_cast<std::size_t>(rank)];
    parts_[place].reset();
    free_.push_back(place);
  }

  bool is_at_rest(int rank) {
    Part& part = of(rank);
    return hindcast::is_at_rest(part.endpoint, part.process);
  }
  bool remove_if_at_rest(int rank) {
    if (!is_at_rest(rank)) return false;
    remove(rank);
    return true;
  }

  std::size_t living() const { return parts_.size() - free_.size(); }

 private:
  std::deque<std::optional<Part>> parts_;
  std::vector<std::size_t> place_of_;  // by rank
  std::vector<std::size_t> free_;
};

}  // namespace hindcast
