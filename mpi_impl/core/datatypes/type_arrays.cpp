// Parts of arrays as datatypes: subarrays, and what a process has of an array that is dealt out (MPI-3.1, 4.1.3 and
// 4.1.4). Dimensions are nested from the one whose elements lie next to each other outward.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/datatypes/type_map.hpp"

namespace hindcast::mpi {

namespace {

// The dimensions from the fastest one on.
std::vector<std::size_t> from_fastest(std::size_t dimensions, int order) {
  std::vector<std::size_t> all(dimensions);
  std::iota(all.begin(), all.end(), 0);
  if (order == MPI_ORDER_C) std::reverse(all.begin(), all.end());
  return all;
}

// A slice of so many of the nested elements.
struct Slice {
  int first;
  int count;
};

// Evenly spaced slices; the last may be shorter. Bounds are those of the whole dimension.
struct Dealt {
  int full_slices;
  int length;
  std::ptrdiff_t stride;  // in elements
  Slice last;             // none if its count is 0
};

struct Nested {
  LayoutPointer layout;
  std::size_t elements = 1;  // of `old`
  std::ptrdiff_t extent;     // of one nested element
};

void nest_slice(Nested& nested, const Slice& slice, int size) {
  const auto count = static_cast<std::size_t>(slice.count);
  nested.layout = shifted(loop(count, nested.extent, nested.layout), product(slice.first, nested.extent));
  nested.elements = size_product(nested.elements, count);
  nested.extent = product(size, nested.extent);
}

void nest_dealt(Nested& nested, const Dealt& dealt, std::ptrdiff_t first, int size) {
  const std::ptrdiff_t extent = nested.extent;
  const auto slices = static_cast<std::size_t>(dealt.full_slices), length = static_cast<std::size_t>(dealt.length);
  const auto rest = static_cast<std::size_t>(dealt.last.count);
  const LayoutPointer full =
      shifted(loop(slices, product(dealt.stride, extent), loop(length, extent, nested.layout)), product(first, extent));
  const LayoutPointer last = shifted(loop(rest, extent, nested.layout), product(dealt.last.first, extent));
  nested.layout = parts(std::array{full, last});
  nested.elements = size_product(nested.elements, size_sum(size_product(slices, length), rest));
  nested.extent = product(size, extent);
}

TypeMapPointer finish(const Nested& nested, const TypeMapPointer& old, Contents contents, std::ptrdiff_t data_begin,
                      std::ptrdiff_t data_end) {
  TypeMap map;
  map.layout = nested.layout;
  map.signature = repeated(nested.elements, old->signature);
  map.size = nested.layout->size;
  map.alignment = old->alignment;
  map.upper_bound = nested.extent;
  map.has_lower_marker = map.has_upper_marker = true;
  if (map.size > 0) {
    map.true_lower_bound = sum(data_begin, old->true_lower_bound);
    map.true_upper_bound = sum(data_end, old->true_upper_bound);
  }
  map.contents = std::move(contents);
  return std::make_shared<const TypeMap>(std::move(map));
}

Error wrong(const std::string& text) { return {MPI_ERR_ARG, text}; }

void check_subarray(std::span<const int> sizes, std::span<const int> subsizes, std::span<const int> starts) {
  if (sizes.empty()) throw wrong("argument 1 (ndims) is 0; an array has at least one dimension");
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] < 1)
      throw wrong(fmt::format("argument 2 (array_of_sizes): size {} is {}; give at least 1", d, sizes[d]));
    if (subsizes[d] < 1 || subsizes[d] > sizes[d])
      throw wrong(fmt::format("argument 3 (array_of_subsizes): size {} is {}; give 1 to {}", d, subsizes[d], sizes[d]));
    if (starts[d] < 0 || starts[d] > sizes[d] - subsizes[d])
      throw wrong(fmt::format("argument 4 (array_of_starts): start {} is {}; give 0 to {}", d, starts[d],
                              sizes[d] - subsizes[d]));
  }
}

// How many elements are dealt to a process at a time.
int slice_length(const Distribution& dimension, std::size_t d) {
  const auto [size, kind, argument, processes] = dimension;
  const bool is_default = argument == MPI_DISTRIBUTE_DFLT_DARG;
  const int share = size / processes + (size % processes != 0 ? 1 : 0);
  switch (kind) {
    case MPI_DISTRIBUTE_NONE:
      if (processes != 1)
        throw wrong(fmt::format(
            "argument 7 (array_of_psizes): size {} is {}; a dimension that is not distributed has 1", d, processes));
      return size;
    case MPI_DISTRIBUTE_BLOCK:
      if (!is_default && argument < share)
        throw wrong(
            fmt::format("argument 6 (array_of_dargs): argument {} is {}, but {} elements on {} processes need "
                        "blocks of at least {}",
                        d, argument, size, processes, share));
      return is_default ? share : argument;
    case MPI_DISTRIBUTE_CYCLIC:
      if (!is_default && argument < 1)
        throw wrong(fmt::format("argument 6 (array_of_dargs): argument {} is {}; give at least 1", d, argument));
      return is_default ? 1 : argument;
    default:
      throw wrong(
          fmt::format("argument 5 (array_of_distribs): number {} is {}; give MPI_DISTRIBUTE_BLOCK, "
                      "MPI_DISTRIBUTE_CYCLIC or MPI_DISTRIBUTE_NONE",
                      d, kind));
  }
}

void check_processes(int size, int rank, std::span<const Distribution> dimensions) {
  if (size < 1) throw wrong(fmt::format("argument 1 (size) is {}; give at least 1", size));
  if (rank < 0 || rank >= size) throw wrong(fmt::format("argument 2 (rank) is {}; give 0 to {}", rank, size - 1));
  if (dimensions.empty()) throw wrong("argument 3 (ndims) is 0; an array has at least one dimension");
  long processes = 1;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const Distribution& dimension = dimensions[d];
    if (dimension.size < 1)
      throw wrong(fmt::format("argument 4 (array_of_gsizes): size {} is {}; give at least 1", d, dimension.size));
    if (dimension.processes < 1)
      throw wrong(fmt::format("argument 7 (array_of_psizes): size {} is {}; give at least 1", d, dimension.processes));
    processes = std::min<long>(processes * dimension.processes, 1L << 32);
  }
  if (processes != size)
    throw wrong(
        fmt::format("argument 7 (array_of_psizes): the grid has {} processes, but the group {}", processes, size));
}

// The process's place in the grid, whose last dimension varies fastest whatever the array's order.
std::vector<int> places_in_grid(int rank, std::span<const Distribution> dimensions) {
  std::vector<int> places(dimensions.size());
  for (std::size_t d = dimensions.size(); d-- > 0; rank /= dimensions[d].processes)
    places[d] = rank % dimensions[d].processes;
  return places;
}

// What place number `place` of a dimension gets, when slices are dealt in turn.
Dealt deal(const Distribution& dimension, int length, int place) {
  const long size = dimension.size, turn = static_cast<long>(length) * dimension.processes;
  const long mine = static_cast<long>(place) * length;  // where the first slice begins
  if (mine >= size) return {0, length, turn, {0, 0}};
  const long full = size - mine < length ? 0 : (size - mine - length) / turn + 1;
  const long next = mine + full * turn;
  const long rest = std::max(0L, std::min<long>(size - next, length));
  return {static_cast<int>(full), length, turn, {rest > 0 ? static_cast<int>(next) : 0, static_cast<int>(rest)}};
}

}  // namespace

TypeMapPointer subarray_type(std::span<const int> sizes, std::span<const int> subsizes, std::span<const int> starts,
                             int order, const TypeMapPointer& old) {
  check_subarray(sizes, subsizes, starts);
  Nested nested{old->layout, 1, old->extent()};
  std::ptrdiff_t begin = 0, end = 0;
  for (const std::size_t d : from_fastest(sizes.size(), order)) {
    const std::ptrdiff_t first = product(starts[d], nested.extent);
    const std::ptrdiff_t last = sum(first, product(subsizes[d] - 1, nested.extent));
    begin = sum(begin, std::min(first, last));
    end = sum(end, std::max(first, last));
    nest_slice(nested, {starts[d], subsizes[d]}, sizes[d]);
  }
  Contents made{MPI_COMBINER_SUBARRAY, {static_cast<int>(sizes.size())}, {}, {old}};
  for (const auto& list : {sizes, subsizes, starts})
    made.integers.insert(made.integers.end(), list.begin(), list.end());
  made.integers.push_back(order);
  return finish(nested, old, std::move(made), begin, end);
}

TypeMapPointer darray_type(int size, int rank, std::span<const Distribution> dimensions, int order,
                           const TypeMapPointer& old) {
  check_processes(size, rank, dimensions);
  const std::vector<int> places = places_in_grid(rank, dimensions);
  Nested nested{old->layout, 1, old->extent()};
  std::ptrdiff_t begin = 0, end = 0;
  for (const std::size_t d : from_fastest(dimensions.size(), order)) {
    const int length = slice_length(dimensions[d], d);
    const Dealt dealt = deal(dimensions[d], length, places[d]);
    const std::ptrdiff_t mine = static_cast<std::ptrdiff_t>(places[d]) * length;
    const std::ptrdiff_t past = dealt.last.count > 0 ? dealt.last.first + dealt.last.count
                                                     : mine + (dealt.full_slices - 1) * dealt.stride + length;
    const std::ptrdiff_t first = product(mine, nested.extent), last = product(past - 1, nested.extent);
    begin = sum(begin, std::min(first, last));
    end = sum(end, std::max(first, last));
    nest_dealt(nested, dealt, mine, dimensions[d].size);
  }
  Contents made{MPI_COMBINER_DARRAY, {size, rank, static_cast<int>(dimensions.size())}, {}, {old}};
  for (const auto member :
       {&Distribution::size, &Distribution::kind, &Distribution::argument, &Distribution::processes})
    for (const Distribution& dimension : dimensions) made.integers.push_back(dimension.*member);
  made.integers.push_back(order);
  return finish(nested, old, std::move(made), begin, end);
}

}  // namespace hindcast::mpi
