// Where ranks are, and how far apart.
#pragma once

#include <cstdint>

namespace hindcast::mpi {

// Where a rank is.
struct Place {
  int node = 0;
  int site = 0;
};

// How far apart two ranks are.
enum class Distance : std::uint8_t { node, site, sites };

constexpr Distance distance_between(const Place& a, const Place& b) {
  if (a.node == b.node) return Distance::node;
  return a.site == b.site ? Distance::site : Distance::sites;
}

}  // namespace hindcast::mpi
