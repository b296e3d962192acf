#include "mpi_impl/core/topologies/topology.hpp"

#include <cstdint>

namespace hindcast::mpi {

std::vector<int> Grid::coordinates_of(int rank) const {
  std::vector<int> coordinates(dims.size());
  for (std::size_t d = dims.size(); d-- > 0;) {
    coordinates[d] = rank % dims[d];
    rank /= dims[d];
  }
  return coordinates;
}

int Grid::rank_of(std::vector<int> coordinates) const {
  int rank = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    int place = coordinates[d];
    if (is_periodic[d]) place = (place % dims[d] + dims[d]) % dims[d];
    if (place < 0 || place >= dims[d]) return -1;
    rank = rank * dims[d] + place;
  }
  return rank;
}

namespace {

// Whether `count` factors of at most `largest` can make up `product`.
bool is_within_reach(int product, int count, int largest) {
  std::int64_t reach = 1;
  for (int i = 0; i < count && reach < product; ++i) reach *= largest;
  return reach >= product;
}

std::vector<int> divisors_of(int number) {
  std::vector<int> small, large;
  for (int divisor = 1; divisor <= number / divisor; ++divisor) {
    if (number % divisor != 0) continue;
    small.push_back(divisor);
    if (divisor != number / divisor) large.push_back(number / divisor);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

// The factors in falling order, the first as small as it can be, then the next.
bool find_factors(int product, int count, int largest, const std::vector<int>& divisors, std::vector<int>& factors) {
  if (count == 0) return product == 1;
  for (const int factor : divisors) {
    if (factor > largest) break;
    if (product % factor != 0 || !is_within_reach(product, count, factor)) continue;
    factors.push_back(factor);
    if (find_factors(product / factor, count - 1, factor, divisors, factors)) return true;
    factors.pop_back();
  }
  return false;
}

}  // namespace

bool balance(int nodes, std::vector<int>& dims) {
  int left = nodes;
  int free_dims = 0;
  for (const int dim : dims) {
    if (dim == 0) {
      ++free_dims;
    } else {
      if (left % dim != 0) return false;
      left /= dim;
    }
  }
  std::vector<int> factors;
  if (!find_factors(left, free_dims, left, divisors_of(left), factors)) return false;
  auto factor = factors.begin();
  for (int& dim : dims)
    if (dim == 0) dim = *factor++;
  return true;
}

}  // namespace hindcast::mpi
