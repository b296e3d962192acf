#include "mpi_impl/collectives/costs/costs.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hindcast::mpi::cost {

namespace {

using Model = const CostModel&;
using Chosen = const Parameters&;

int ceil_log(int n, int base) {
  int levels = 0;
  for (long reached = 1; reached < n; reached *= base) ++levels;
  return levels;
}
int floor_log2(int n) {
  int levels = 0;
  while (2 << levels <= n) ++levels;
  return levels;
}
bool is_power_of_two(int n) { return (n & (n - 1)) == 0; }

// Of the root of a k-nomial tree.
int children_at(int n, long stride, int k) { return static_cast<int>(std::min<long>(k - 1, (n - 1) / stride)); }

// The sum of `of(m / 2), of(m / 4), ...`, so many terms.
template <typename Cost>
double halved(int terms, double m, Cost of) {
  double sum = 0;
  for (int k = 0; k < terms; ++k) sum += of(m /= 2);
  return sum;
}

// The levels of a k-nomial tree that gathers or scatters, each with as many blocks as there are below it.
template <typename Gap>
double by_levels(Model t, int n, double m, int k, Gap gap) {
  double sum = 0;
  for (long blocks = 1; blocks < n; blocks *= k) {
    const double bytes = static_cast<double>(std::min(blocks, n - blocks)) * m;
    sum += t.message(bytes) + (children_at(n, blocks, k) - 1) * gap(bytes);
  }
  return sum;
}

// Up a k-ary tree, to the last child that the root hears: so much more for each of the messages.
double longest_way_up(Model t, int n, double m, int k, double combine, bool hears_last_child_first = false) {
  std::vector<double> ready(static_cast<std::size_t>(n));
  for (int place = n - 1; place >= 0; --place) {
    double at = 0;
    const long before = static_cast<long>(place) * k;
    const long children = std::clamp(n - before - 1, 0L, static_cast<long>(k));
    for (long i = 0; i < children; ++i) {
      const long child = before + (hears_last_child_first ? children - i : i + 1);
      const double arrives = ready[static_cast<std::size_t>(child)] + t.message(m);
      const bool waits = i > 0 && arrives < at + t.between_receives(m);
      at = (waits ? std::max(arrives, at + t.between_receives(m)) + t.waiting_message(m) : arrives) + combine;
    }
    ready[static_cast<std::size_t>(place)] = at;
  }
  return ready.front();
}

// Of a block among others of different lengths: where it begins, and its length.
constexpr double place_bytes = 16;

// The root of a scatter copies its own block after the last send, while that is received.
double own_block(Model t, double m) { return std::max(0.0, t.copy(m) - t.between_receives(m)); }

// Between two segments, of a rank that hands on what it gets after `before` and then works on `after`; of two ranks one
// only sends, while the other works on what it got.
double scan_gap(Model t, int n, double s, double before, double after) {
  if (n > 2) return t.between_receives(s) + before + t.between_sends(s) + after;
  return std::max(t.between_sends(s), t.between_receives(s) + after);
}

constexpr int neighbours = 4;

double segments_of(double m, const Parameters& chosen) { return std::ceil(m / static_cast<double>(chosen.segment)); }

}  // namespace

double barrier_dissemination(Model t, int n, double, Chosen) { return ceil_log(n, 2) * t.message(0); }
double barrier_recursive_doubling(Model t, int n, double, Chosen) {
  return (floor_log2(n) + (is_power_of_two(n) ? 0 : 2)) * t.message(0);
}
double barrier_tree(Model t, int n, double, Chosen chosen) {
  const int k = chosen.radix;
  std::vector<double> told(static_cast<std::size_t>(n));
  for (int place = 1; place < n; ++place)
    told[static_cast<std::size_t>(place)] =
        told[static_cast<std::size_t>((place - 1) / k)] + t.message(0) + (place - 1) % k * t.between_sends(0);
  return longest_way_up(t, n, 0, k, 0) + *std::max_element(told.begin(), told.end());
}
double barrier_native(Model t, int, double, Chosen) { return t.barrier; }
double barrier_tree_broadcast(Model t, int n, double, Chosen chosen) {
  return longest_way_up(t, n, 0, chosen.radix, 0, true) + t.broadcast(0, 0);
}
double barrier_linear(Model t, int n, double, Chosen) {
  return 2 * t.message(0) + (n - 2) * (t.between_receives(0) + t.between_sends(0));
}

double bcast_binomial(Model t, int n, double m, Chosen) { return ceil_log(n, 2) * t.message(m); }
double bcast_knomial(Model t, int n, double m, Chosen chosen) {
  double sum = 0;
  for (long stride = 1; stride < n; stride *= chosen.radix)
    sum += t.message(m) + (children_at(n, stride, chosen.radix) - 1) * t.between_sends(m);
  return sum;
}
double bcast_linear(Model t, int n, double m, Chosen) { return t.message(m) + (n - 2) * t.between_sends(m); }
double bcast_tree(Model t, int n, double m, Chosen chosen) {
  const double q = segments_of(m, chosen), s = std::min(m, static_cast<double>(chosen.segment));
  const int k = chosen.radix;
  std::vector<double> first(static_cast<std::size_t>(n));  // when a place has the first segment
  for (int place = 1; place < n; ++place)
    first[static_cast<std::size_t>(place)] =
        first[static_cast<std::size_t>((place - 1) / k)] + t.message(s) + (place - 1) % k * t.between_sends(s);
  return *std::max_element(first.begin(), first.end()) +
         (q - 1) * (t.between_receives(s) + std::min(k, n - 1) * t.between_sends(s));
}
double bcast_scatter_ring(Model t, int n, double m, Chosen) {
  return halved(ceil_log(n, 2), m, t.message) + (n - 1) * t.message(m / n);
}
double bcast_scatter_recursive_doubling(Model t, int n, double m, Chosen) {
  return 2 * halved(ceil_log(n, 2), m, t.message);
}

double gather_linear(Model t, int n, double m, Chosen) { return t.message(m) + (n - 2) * t.between_receives(m); }
double gather_knomial(Model t, int n, double m, Chosen chosen) {
  return by_levels(t, n, m, chosen.radix, t.between_receives);
}
double scatter_linear(Model t, int n, double m, Chosen) {
  return t.message(m) + (n - 2) * t.between_sends(m) + own_block(t, m);
}
double scatter_knomial(Model t, int n, double m, Chosen chosen) {
  return by_levels(t, n, m, chosen.radix, t.between_sends) + own_block(t, m);
}

double allgather_ring(Model t, int n, double m, Chosen) { return (n - 1) * t.message(m) + t.copy(m); }
double allgather_recursive_doubling(Model t, int n, double m, Chosen) {
  return halved(ceil_log(n, 2), n * m, t.message) + t.copy(m);
}
double allgather_bruck(Model t, int n, double m, Chosen chosen) {
  return by_levels(t, n, m, chosen.radix,
                   [&](double bytes) { return t.between_sends(bytes) + t.between_receives(bytes); }) +
         (n + 1) * t.copy(m);
}
double allgather_neighbor_exchange(Model t, int n, double m, Chosen) {
  return t.message(m) + (n / 2 - 1) * t.message(2 * m) + t.copy(m);
}
double allgather_linear(Model t, int n, double m, Chosen) {
  return t.message(m) + (n - 2) * (t.between_sends(m) + t.between_receives(m)) + t.copy(m);
}
double allgather_gather_bcast(Model t, int n, double m, Chosen chosen) {
  return gather_linear(t, n, m, chosen) + bcast_binomial(t, n, n * m, chosen);
}

double alltoall_in_rounds(Model t, int n, double m, Chosen) { return (n - 1) * t.message(m) + t.copy(m); }
double alltoall_linear(Model t, int n, double m, Chosen chosen) { return allgather_linear(t, n, m, chosen); }
double alltoall_bruck(Model t, int n, double m, Chosen chosen) {
  double sum = 2 * n * t.copy(m);
  for (long place = 1; place < n; place *= chosen.radix) {
    double messages = 0, blocks = 0;
    for (long digit = 1; digit < chosen.radix && digit * place < n; ++digit) {
      long of_digit = 0;
      for (long distance = digit * place; distance < n; ++distance)
        of_digit += distance / place % chosen.radix == digit;
      messages += 1;
      blocks += static_cast<double>(of_digit);
    }
    const double bytes = blocks / messages * m;
    sum += t.message(bytes) + (messages - 1) * (t.between_sends(bytes) + t.between_receives(bytes)) +
           2 * blocks * t.copy(m);
  }
  return sum;
}

double reduce_linear(Model t, int n, double m, Chosen) {
  return t.message(m) + (n - 2) * (t.between_receives(m) + t.waiting_message(m)) + (n - 1) * t.combine(m) + t.copy(m);
}
double reduce_knomial(Model t, int n, double m, Chosen chosen) {
  double sum = 0;
  for (long stride = 1; stride < n; stride *= chosen.radix) {
    const int children = children_at(n, stride, chosen.radix);
    sum += t.message(m) + (children - 1) * t.between_receives(m) + children * t.combine(m);
  }
  return sum;
}
double reduce_pipeline(Model t, int n, double m, Chosen chosen) {
  const double q = segments_of(m, chosen), s = std::min(m, static_cast<double>(chosen.segment));
  const double gap = n > 2 ? scan_gap(t, n, s, t.combine(s), 0) : scan_gap(t, n, s, 0, t.combine(s));
  return (n - 1) * (t.message(s) + t.combine(s)) + (q - 1) * gap;
}
double reduce_rabenseifner(Model t, int n, double m, Chosen) {
  const auto round = [&](double bytes) { return 2 * t.message(bytes) + t.combine(bytes); };
  const double folded =
      is_power_of_two(n) ? 0 : 2 * t.message(m) + t.combine(m) + halved(floor_log2(n), m, t.waiting_message);
  return halved(floor_log2(n), m, round) + folded;
}

double allreduce_recursive_doubling(Model t, int n, double m, Chosen) {
  const double folded = is_power_of_two(n) ? 0 : 2 * t.message(m) + t.combine(m) + floor_log2(n) * t.waiting_message(m);
  return floor_log2(n) * (t.message(m) + t.combine(m)) + folded;
}
double allreduce_ring(Model t, int n, double m, Chosen) { return (n - 1) * (2 * t.message(m / n) + t.combine(m / n)); }
double allreduce_ring_segmented(Model t, int n, double m, Chosen chosen) {
  const double q = std::max(1.0, segments_of(m / n, chosen)), s = m / n / q;
  return (n - 1) *
         (t.message(s) + (q - 1) * (t.between_sends(s) + t.between_receives(s)) + q * t.combine(s) + t.message(m / n));
}
double allreduce_rabenseifner(Model t, int n, double m, Chosen) {
  const auto round = [&](double bytes) { return 2 * t.message(bytes) + t.combine(bytes); };
  const double folded =
      is_power_of_two(n) ? 0 : 2 * t.message(m) + t.combine(m) + halved(floor_log2(n), m, t.waiting_message);
  return halved(floor_log2(n), m, round) + folded;
}
double allreduce_reduce_bcast(Model t, int n, double m, Chosen) {
  return ceil_log(n, 2) * (2 * t.message(m) + t.combine(m));
}

double reduce_scatter_recursive_halving(Model t, int n, double m, Chosen) {
  const auto round = [&](double bytes) { return t.message(bytes) + t.combine(bytes); };
  const double folded =
      is_power_of_two(n) ? 0 : round(n * m) + t.message(m) + halved(floor_log2(n), n * m, t.waiting_message);
  return halved(floor_log2(n), n * m, round) + folded + t.copy(m);
}
double reduce_scatter_in_rounds(Model t, int n, double m, Chosen) { return (n - 1) * (t.message(m) + t.combine(m)); }
double reduce_scatter_reduce_scatter(Model t, int n, double m, Chosen) {
  return ceil_log(n, 2) * (t.message(n * m) + t.combine(n * m)) + t.message(m) + (n - 2) * t.between_sends(m) +
         own_block(t, m);
}

double scan_linear(Model t, int n, double m, Chosen) {
  return std::max((n - 1) * (t.message(m) + t.combine(m)), t.between_sends(m) + t.copy(m));
}
double scan_recursive_doubling(Model t, int n, double m, Chosen) {
  return std::max(ceil_log(n, 2) * (t.message(m) + t.combine(m)), ceil_log(n, 2) * t.between_sends(m) + t.copy(m));
}
double exscan_linear(Model t, int n, double m, Chosen) { return (n - 1) * t.message(m) + (n - 2) * t.combine(m); }
double exscan_recursive_doubling(Model t, int n, double m, Chosen) {
  return ceil_log(n, 2) * (t.message(m) + 2 * t.combine(m)) - t.combine(m);
}

double barrier_nway_dissemination(Model t, int n, double, Chosen chosen) {
  return by_levels(t, n, 0, chosen.radix,
                   [&](double bytes) { return t.between_sends(bytes) + t.between_receives(bytes); });
}
double gatherv_binomial(Model t, int n, double m, Chosen) {
  const int levels = ceil_log(n, 2);
  double lengths = n > 2 ? t.between_sends(8) : 0;
  for (int level = 0; level + 1 < levels; ++level) lengths += t.message(8 << level);
  return lengths + by_levels(t, n, m, 2, t.between_receives) + (levels - 1) * (levels - 2) / 2 * t.between_receives(0) +
         t.copy((n - 1) * m);
}
double scatterv_binomial(Model t, int n, double m, Chosen) {
  double lengths = 0;
  for (int ranks = 2; ranks < n; ranks *= 2) lengths += t.between_sends(8 * std::min(ranks, n - ranks));
  return t.copy((n - 1) * m) + lengths + by_levels(t, n, m, 2, t.between_sends) + own_block(t, m);
}
double alltoall_batches(Model t, int n, double m, Chosen chosen) {
  double sum = t.copy(m);
  for (int left = n - 1; left > 0; left -= chosen.radix)
    sum += t.message(m) + (std::min(left, chosen.radix) - 1) * (t.between_sends(m) + t.between_receives(m));
  return sum;
}
double reduce_scatter_circulant(Model t, int n, double m, Chosen) {
  double sum = t.copy((n + 1) * m);
  for (int left = n; left > 1; left -= left / 2) sum += t.message(left / 2 * m) + t.combine(left / 2 * m);
  return sum;
}
double allreduce_circulant(Model t, int n, double m, Chosen) {
  double sum = 2 * t.copy(m);
  for (int left = n; left > 1; left -= left / 2) sum += 2 * t.message(left / 2 * m / n) + t.combine(left / 2 * m / n);
  return sum;
}
double scan_pipeline(Model t, int n, double m, Chosen chosen) {
  const double q = segments_of(m, chosen), s = std::min(m, static_cast<double>(chosen.segment));
  const double gap = n > 2 ? scan_gap(t, n, s, t.combine(s), 0) : scan_gap(t, n, s, 0, t.combine(s));
  return std::max((n - 1) * (t.message(s) + t.combine(s)) + (q - 1) * gap, q * t.between_sends(s) + t.copy(m));
}
double exscan_pipeline(Model t, int n, double m, Chosen chosen) {
  const double q = segments_of(m, chosen), s = std::min(m, static_cast<double>(chosen.segment));
  return (n - 1) * t.message(s) + (n - 2) * t.combine(s) + (q - 1) * scan_gap(t, n, s, t.combine(s), 0);
}

double neighbor_linear(Model t, int, double m, Chosen) {
  return t.message(m) + (neighbours - 1) * (t.between_sends(m) + t.between_receives(m));
}
double neighbor_dimensions(Model t, int, double m, Chosen) { return neighbours * t.message(m); }
double bcast_native(Model t, int, double m, Chosen) { return t.broadcast(m, m); }
double scatter_broadcast(Model t, int n, double m, Chosen) { return t.broadcast(n * m, m); }
double scatterv_broadcast(Model t, int n, double m, Chosen) {
  return t.broadcast(n * place_bytes, place_bytes) + t.between_broadcasts(n * m, m);
}
double scatter_host(Model t, int n, double m, Chosen) { return t.host_scatter((n - 1) * m) + t.copy(m); }
double gather_host(Model t, int n, double m, Chosen) { return t.host_gather((n - 1) * m) + t.copy(m); }
double allgather_host(Model t, int n, double m, Chosen chosen) {
  return gather_host(t, n, m, chosen) + t.broadcast(n * m, n * m);
}
double alltoall_host(Model t, int n, double m, Chosen) {
  return t.host_gather((n - 1) * n * m) + t.copy(n * (n + 2) * m) + t.host_scatter((n - 1) * n * m);
}
double allgather_gather_broadcast(Model t, int n, double m, Chosen) {
  return t.message(m) + (n - 2) * t.between_receives(m) + t.broadcast(n * m, n * m);
}
double allgather_broadcasts(Model t, int n, double m, Chosen) {
  return t.broadcast(m, m) + t.waiting_broadcast(m) + (n - 2) * t.between_broadcasts(m, m) + t.copy(m);
}
double alltoall_broadcasts(Model t, int n, double m, Chosen) {
  return t.broadcast(n * m, m) + t.waiting_broadcast(n * m) + (n - 2) * t.between_broadcasts(n * m, m) + t.copy(m);
}
double alltoallv_broadcasts(Model t, int n, double m, Chosen chosen) {
  const double places = n * place_bytes;
  return t.broadcast(places, place_bytes) + t.waiting_broadcast(places) +
         (n - 2) * t.between_broadcasts(places, place_bytes) + alltoall_broadcasts(t, n, m, chosen);
}
double reduce_tree(Model t, int n, double m, Chosen chosen) {
  return longest_way_up(t, n, m, chosen.radix, t.combine(m));
}
double allreduce_tree_broadcast(Model t, int n, double m, Chosen chosen) {
  return longest_way_up(t, n, m, chosen.radix, t.combine(m)) + t.broadcast(m, m);
}
// Of elements of 8 bytes.
double allreduce_native(Model t, int, double m, Chosen) { return m / 8 * t.element_reduction; }

}  // namespace hindcast::mpi::cost
