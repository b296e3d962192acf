#include "mpi_impl/core/topologies/topology.hpp"

#include <algorithm>
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

// base^exponent, or some number above `enough` if it is more than that.
std::int64_t power_up_to(std::int64_t base, int exponent, std::int64_t enough) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent && power <= enough; ++i) power *= base;
  return power;
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

// Of all ways to make a product of some factors, in falling order, the one whose first and last differ least; of
// several such ways the one whose first is the least, then the next. Ways are tried in that order, so that only a
// smaller difference is better than what has been found, and what cannot have one is passed over.
class MostEvenFactors {
 public:
  explicit MostEvenFactors(int product) : divisors_(divisors_of(product)), difference_(product) {}

  std::vector<int> find(int product, int count) {
    factors_.clear();
    search(product, count, product);
    return found_;
  }

 private:
  void search(int product, int count, int largest) {
    if (count == 1) return keep_if_better(product);
    for (const int factor : divisors_) {
      if (factor > largest) return;
      const int least = std::max(1, (factors_.empty() ? factor : factors_.front()) - difference_ + 1);
      if (power_up_to(least, count, product) > product) return;
      if (factor < least || product % factor != 0 || power_up_to(factor, count, product) < product) continue;
      factors_.push_back(factor);
      search(product / factor, count - 1, factor);
      factors_.pop_back();
    }
  }

  void keep_if_better(int last) {
    const int difference = factors_.empty() ? 0 : factors_.front() - last;
    if (difference >= difference_) return;
    difference_ = difference;
    found_ = factors_;
    found_.push_back(last);
  }

  const std::vector<int> divisors_;
  int difference_;
  std::vector<int> factors_;
  std::vector<int> found_;
};

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
  if (free_dims == 0) return !dims.empty() || nodes == 1;
  const std::vector<int> factors = MostEvenFactors(left).find(left, free_dims);
  auto factor = factors.begin();
  for (int& dim : dims)
    if (dim == 0) dim = *factor++;
  return true;
}

}  // namespace hindcast::mpi
