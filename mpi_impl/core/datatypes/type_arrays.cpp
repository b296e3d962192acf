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

// What a part of an array has of one dimension: slices at equal distances, and one at the end that may be shorter.
struct Dimension {
  int size;              // of the whole array
  std::ptrdiff_t first;  // element
  int full_slices;       // of `length` elements each
  int length;
  std::ptrdiff_t stride;  // in elements
  int rest_first, rest;   // the last slice; none if it has 0 elements

  std::ptrdiff_t end() const { return rest > 0 ? rest_first + rest : first + (full_slices - 1) * stride + length; }
  std::ptrdiff_t elements() const { return static_cast<std::ptrdiff_t>(full_slices) * length + rest; }
  // Whether elements of so many bytes of data, which lie together, do so with those that follow them.
  bool joins(std::size_t bytes, std::ptrdiff_t extent) const {
    const auto run = static_cast<std::ptrdiff_t>(bytes);
    const int slices = full_slices + (rest > 0 ? 1 : 0);
    return elements() == 1 ||
           ((length == 1 || run == extent) && (slices == 1 || run == (stride - length + 1) * extent));
  }
};

// From the one whose elements lie next to each other outward.
using Dimensions = boost::container::small_vector<Dimension, 4>;

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
Dimension deal(const Distribution& dimension, int length, int place) {
  const long size = dimension.size, turn = static_cast<long>(length) * dimension.processes;
  const long mine = static_cast<long>(place) * length;  // where the first slice begins
  if (mine >= size) return {dimension.size, mine, 0, length, turn, 0, 0};
  const long full = size - mine < length ? 0 : (size - mine - length) / turn + 1;
  const long next = mine + full * turn;
  const long rest = std::max(0L, std::min<long>(size - next, length));
  return {dimension.size,        mine, static_cast<int>(full), length, turn, rest > 0 ? static_cast<int>(next) : 0,
          static_cast<int>(rest)};
}

// Of what MPI_Type_get_contents tells of a subarray: the number of dimensions, sizes, subsizes, starts, the order.
Dimensions dimensions_of_subarray(const std::vector<int>& integers) {
  const auto count = static_cast<std::size_t>(integers[0]);
  const int *sizes = integers.data() + 1, *subsizes = sizes + count, *starts = subsizes + count;
  Dimensions all;
  for (const std::size_t d : from_fastest(count, integers.back()))
    all.push_back({sizes[d], starts[d], 1, subsizes[d], 0, 0, 0});
  return all;
}

// The same of a distributed array: the group's size, the rank, the number of dimensions, and four lists.
Dimensions dimensions_of_darray(const std::vector<int>& integers) {
  const auto count = static_cast<std::size_t>(integers[2]);
  const int* sizes = integers.data() + 3;
  std::vector<Distribution> distributions;
  distributions.reserve(count);
  for (std::size_t d = 0; d < count; ++d)
    distributions.push_back({sizes[d], sizes[count + d], sizes[2 * count + d], sizes[3 * count + d]});
  const std::vector<int> places = places_in_grid(integers[1], distributions);
  Dimensions all;
  for (const std::size_t d : from_fastest(count, integers.back()))
    all.push_back(deal(distributions[d], slice_length(distributions[d], d), places[d]));
  return all;
}

LayoutPointer nested_layout(const Dimension& dimension, std::ptrdiff_t extent, const LayoutPointer& inner) {
  const auto slices = static_cast<std::size_t>(dimension.full_slices);
  const auto length = static_cast<std::size_t>(dimension.length), rest = static_cast<std::size_t>(dimension.rest);
  const LayoutPointer full =
      shifted(loop(slices, dimension.stride * extent, loop(length, extent, inner)), dimension.first * extent);
  if (rest == 0) return full;
  const LayoutPointer last = shifted(loop(rest, extent, inner), dimension.rest_first * extent);
  return slices == 0 ? last : parts(std::array{full, last});
}

TypeMapPointer with_dimensions(Contents contents, const Dimensions& dimensions) {
  const TypeMap& old = *contents.types[0];
  auto map = std::make_shared<TypeMap>();
  std::ptrdiff_t extent = old.extent(), begin = 0, end = 0;
  map->size = old.size;
  map->is_one_run = old.is_one_run;
  for (const Dimension& dimension : dimensions) {
    const std::ptrdiff_t first = product(dimension.first, extent), last = product(dimension.end() - 1, extent);
    begin = sum(begin, std::min(first, last));
    end = sum(end, std::max(first, last));
    product(dimension.stride, extent);  // is refused here if it is too large
    map->is_one_run = map->is_one_run && dimension.joins(map->size, extent);
    map->size = size_product(map->size, static_cast<std::size_t>(dimension.elements()));
    extent = product(dimension.size, extent);
  }
  map->alignment = old.alignment;
  map->upper_bound = extent;
  map->has_lower_marker = map->has_upper_marker = true;
  if (map->size > 0) {
    map->true_lower_bound = sum(begin, old.true_lower_bound);
    map->true_upper_bound = sum(end, old.true_upper_bound);
  } else {
    map->is_one_run = true;
  }
  map->contents = std::move(contents);
  map->limit_chain();
  return map;
}

}  // namespace

TypeMapPointer subarray_type(std::span<const int> sizes, std::span<const int> subsizes, std::span<const int> starts,
                             int order, const TypeMapPointer& old) {
  check_subarray(sizes, subsizes, starts);
  Contents made{MPI_COMBINER_SUBARRAY, {}, {}, {old}};
  made.integers.reserve(2 + 3 * sizes.size());
  made.integers.push_back(static_cast<int>(sizes.size()));
  for (const auto& list : {sizes, subsizes, starts})
    made.integers.insert(made.integers.end(), list.begin(), list.end());
  made.integers.push_back(order);
  const Dimensions dimensions = dimensions_of_subarray(made.integers);
  return with_dimensions(std::move(made), dimensions);
}

TypeMapPointer darray_type(int size, int rank, std::span<const Distribution> dimensions, int order,
                           const TypeMapPointer& old) {
  check_processes(size, rank, dimensions);
  Contents made{MPI_COMBINER_DARRAY, {}, {}, {old}};
  made.integers.reserve(4 + 4 * dimensions.size());
  made.integers.insert(made.integers.end(), {size, rank, static_cast<int>(dimensions.size())});
  for (const auto member :
       {&Distribution::size, &Distribution::kind, &Distribution::argument, &Distribution::processes})
    for (const Distribution& dimension : dimensions) made.integers.push_back(dimension.*member);
  made.integers.push_back(order);
  const Dimensions dealt = dimensions_of_darray(made.integers);
  return with_dimensions(std::move(made), dealt);
}

LayoutPointer layout_of_array(const Contents& contents) {
  const bool is_subarray = contents.combiner == MPI_COMBINER_SUBARRAY;
  const TypeMap& old = *contents.types[0];
  LayoutPointer layout = old.layout();
  std::ptrdiff_t extent = old.extent();
  for (const Dimension& dimension :
       is_subarray ? dimensions_of_subarray(contents.integers) : dimensions_of_darray(contents.integers)) {
    layout = nested_layout(dimension, extent, layout);
    extent *= dimension.size;
  }
  return layout;
}

}  // namespace hindcast::mpi
