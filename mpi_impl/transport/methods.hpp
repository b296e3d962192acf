// Which method a message takes, by where its two ranks are and how long it is.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "mpi_impl/transport/method.hpp"
#include "mpi_impl/transport/place.hpp"

namespace hindcast::mpi {

class Methods {
 public:
  const Method& add(Method method) {
    method.number = all_.size();
    method.may_overtake = !method.network->keeps_pairs_in_order();
    return all_.emplace_back(std::move(method));
  }
  // For messages of so many bytes at most, between ranks that are so far apart, of which the sender is at this site. Of
  // several that could serve, the first that does so does.
  void use(const Method& method, Distance distance, int site, Bytes longest) {
    std::vector<Way>& ways = ways_of(site)[static_cast<std::size_t>(distance)];
    ways.push_back({&method, longest});
    if (ways.size() == 1) return;
    for (const Way& way : ways) all_[way.method->number].may_overtake = true;
  }

  // In the order in which they were added.
  const std::deque<Method>& all() const { return all_; }

  const Method& method_for(const Place& from, const Place& to, Bytes bytes) const {
    for (const Way& way : ways(from, to))
      if (bytes <= way.longest) return *way.method;
    throw std::logic_error("a pair of ranks without a method: has() was not asked");
  }
  // Whether there is one for messages of any length.
  bool has(const Place& from, const Place& to) const {
    if (static_cast<std::size_t>(from.site) >= sites_.size()) return false;
    const std::vector<Way>& all = ways(from, to);
    return std::any_of(all.begin(), all.end(), [](const Way& way) { return way.longest == any_length; });
  }
  static constexpr Bytes any_length{UINT64_MAX};

 private:
  struct Way {
    const Method* method;
    Bytes longest;
  };
  using Ways = std::array<std::vector<Way>, 3>;  // by distance

  Ways& ways_of(int site) {
    if (sites_.size() <= static_cast<std::size_t>(site)) sites_.resize(static_cast<std::size_t>(site) + 1);
    return sites_[static_cast<std::size_t>(site)];
  }
  const std::vector<Way>& ways(const Place& from, const Place& to) const {
    return sites_[static_cast<std::size_t>(from.site)][static_cast<std::size_t>(distance_between(from, to))];
  }

  std::deque<Method> all_;
  std::vector<Ways> sites_;
};

}  // namespace hindcast::mpi
