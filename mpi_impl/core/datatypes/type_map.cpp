#include "mpi_impl/core/datatypes/type_map.hpp"

#include <algorithm>
#include <limits>

#include "mpi_impl/core/datatypes/type_assembly.hpp"

namespace hindcast::mpi {

namespace {

using Displacements = std::vector<std::ptrdiff_t>;

std::ptrdiff_t scaled(std::ptrdiff_t units, const TypeMap& old) { return product(units, old.extent()); }

Displacements scaled(std::span<const int> units, const TypeMap& old) {
  Displacements bytes;
  bytes.reserve(units.size());
  for (const int unit : units) bytes.push_back(scaled(unit, old));
  return bytes;
}

Contents contents(int combiner, std::vector<int> integers, std::vector<MPI_Aint> addresses, const TypeMapPointer& old) {
  return {combiner, std::move(integers), std::move(addresses), {old}};
}

// Blocks of elements side by side; length_of(i) of them at displacement i.
template <typename LengthOf>
Assembly assemble_blocks(LengthOf length_of, std::span<const std::ptrdiff_t> displacements, const TypeMapPointer& old) {
  Assembly all;
  std::vector<ScatteredLoops::Block> list;
  list.reserve(displacements.size());
  std::size_t elements = 0;
  for (std::size_t i = 0; i < displacements.size(); ++i) {
    const int length = length_of(i);
    if (length == 0) continue;
    all.reach_over(*old, displacements[i], sum(displacements[i], scaled(length - 1, *old)));
    list.push_back({displacements[i], static_cast<std::size_t>(length)});
    elements = size_sum(elements, static_cast<std::size_t>(length));
  }
  all.add(scattered(std::move(list), old->extent(), old->layout), repeated(elements, old->signature));
  return all;
}

Assembly assemble_vector(int count, int length, std::ptrdiff_t stride, const TypeMapPointer& old) {
  Assembly all;
  if (count == 0 || length == 0) return all;
  const std::ptrdiff_t last_block = product(count - 1, stride);
  const std::ptrdiff_t last_element = scaled(length - 1, *old);
  all.reach_over(*old, 0, last_block);
  all.reach_over(*old, last_element, sum(last_block, last_element));
  const auto blocks = static_cast<std::size_t>(count), elements = static_cast<std::size_t>(length);
  all.add(loop(blocks, stride, loop(elements, old->extent(), old->layout)),
          repeated(size_product(blocks, elements), old->signature));
  return all;
}

std::vector<int> integers_of(int count, std::span<const int> a, std::span<const int> b = {}) {
  std::vector<int> all{count};
  all.insert(all.end(), a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

int count_of(const auto& list) { return static_cast<int>(list.size()); }

}  // namespace

void Assembly::reach_over(const TypeMap& old, std::ptrdiff_t first, std::ptrdiff_t last) {
  const std::ptrdiff_t least = std::min(first, last), most = std::max(first, last);
  if (old.has_lower_marker) lower_marker_.include(sum(old.lower_bound, least));
  if (old.has_upper_marker) upper_marker_.include(sum(old.upper_bound, most));
  alignment_ = std::max(alignment_, old.alignment);
  if (old.size == 0) return;
  data_begin_.include(sum(old.true_lower_bound, least));
  data_end_.include(sum(old.true_upper_bound, most));
}

void Assembly::add(LayoutPointer layout, SignaturePointer signature) {
  layouts_.push_back(std::move(layout));
  signatures_.push_back(std::move(signature));
}

TypeMapPointer Assembly::finish(Contents contents) const {
  TypeMap map;
  map.layout = layouts_.size() == 1 ? layouts_[0] : parts({layouts_.data(), layouts_.size()});
  map.signature = signatures_.size() == 1 ? signatures_[0] : in_order({signatures_.data(), signatures_.size()});
  map.size = map.layout->size;
  map.alignment = alignment_;
  map.true_lower_bound = data_begin_.least.value_or(0);
  map.true_upper_bound = data_end_.most.value_or(0);
  map.has_lower_marker = lower_marker_.least.has_value();
  map.has_upper_marker = upper_marker_.most.has_value();
  const std::ptrdiff_t without_data = upper_marker_.most.value_or(0);
  map.lower_bound = lower_marker_.least.value_or(map.size > 0 ? map.true_lower_bound : without_data);
  map.upper_bound = upper_marker_.most.value_or(map.size > 0 ? end_of_aligned(map) : map.lower_bound);
  map.contents = std::move(contents);
  return std::make_shared<const TypeMap>(std::move(map));
}

// As much further than the data as makes the extent a multiple of the strictest alignment.
std::ptrdiff_t Assembly::end_of_aligned(const TypeMap& map) const {
  const std::ptrdiff_t extent = map.true_upper_bound - map.lower_bound;
  const std::ptrdiff_t beyond = extent % alignment_;
  return beyond > 0 ? sum(map.true_upper_bound, alignment_ - beyond) : map.true_upper_bound;
}

TypeMapPointer contiguous_type(int count, const TypeMapPointer& old) {
  return assemble_vector(1, count, 0, old).finish(contents(MPI_COMBINER_CONTIGUOUS, {count}, {}, old));
}

TypeMapPointer vector_type(int count, int length, int stride, const TypeMapPointer& old) {
  return assemble_vector(count, length, scaled(stride, *old), old)
      .finish(contents(MPI_COMBINER_VECTOR, {count, length, stride}, {}, old));
}

TypeMapPointer hvector_type(int count, int length, MPI_Aint stride, const TypeMapPointer& old) {
  return assemble_vector(count, length, stride, old)
      .finish(contents(MPI_COMBINER_HVECTOR, {count, length}, {stride}, old));
}

TypeMapPointer indexed_type(std::span<const int> lengths, std::span<const int> displacements,
                            const TypeMapPointer& old) {
  return assemble_blocks([&](std::size_t i) { return lengths[i]; }, scaled(displacements, *old), old)
      .finish(contents(MPI_COMBINER_INDEXED, integers_of(count_of(lengths), lengths, displacements), {}, old));
}

TypeMapPointer hindexed_type(std::span<const int> lengths, std::span<const MPI_Aint> displacements,
                             const TypeMapPointer& old) {
  return assemble_blocks([&](std::size_t i) { return lengths[i]; }, displacements, old)
      .finish(contents(MPI_COMBINER_HINDEXED, integers_of(count_of(lengths), lengths),
                       {displacements.begin(), displacements.end()}, old));
}

TypeMapPointer indexed_block_type(int length, std::span<const int> displacements, const TypeMapPointer& old) {
  std::vector<int> integers = integers_of(count_of(displacements), std::span(&length, 1), displacements);
  return assemble_blocks([&](std::size_t) { return length; }, scaled(displacements, *old), old)
      .finish(contents(MPI_COMBINER_INDEXED_BLOCK, std::move(integers), {}, old));
}

TypeMapPointer hindexed_block_type(int length, std::span<const MPI_Aint> displacements, const TypeMapPointer& old) {
  return assemble_blocks([&](std::size_t) { return length; }, displacements, old)
      .finish(contents(MPI_COMBINER_HINDEXED_BLOCK, {count_of(displacements), length},
                       {displacements.begin(), displacements.end()}, old));
}

TypeMapPointer struct_type(std::span<const int> lengths, std::span<const MPI_Aint> displacements,
                           Contents::Types types) {
  Contents made{MPI_COMBINER_STRUCT,
                integers_of(count_of(lengths), lengths),
                {displacements.begin(), displacements.end()},
                types};
  const bool all_the_same =
      !types.empty() && std::all_of(types.begin(), types.end(), [&](const auto& type) { return type == types[0]; });
  if (all_the_same)  // keeps no copies of what they are made of
    return assemble_blocks([&](std::size_t i) { return lengths[i]; }, displacements, types[0]).finish(std::move(made));
  Assembly all;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (lengths[i] == 0) continue;
    const TypeMap& old = *types[i];
    const auto length = static_cast<std::size_t>(lengths[i]);
    all.reach_over(old, displacements[i], sum(displacements[i], scaled(lengths[i] - 1, old)));
    all.add(shifted(loop(length, old.extent(), old.layout), displacements[i]), repeated(length, old.signature));
  }
  return all.finish(std::move(made));
}

TypeMapPointer resized_type(MPI_Aint lower_bound, MPI_Aint extent, const TypeMapPointer& old) {
  TypeMap map = *old;
  map.named = nullptr;
  map.reductions = nullptr;
  map.lower_bound = lower_bound;
  map.upper_bound = sum(lower_bound, extent);
  map.has_lower_marker = map.has_upper_marker = true;
  map.contents = contents(MPI_COMBINER_RESIZED, {}, {lower_bound, extent}, old);
  return std::make_shared<const TypeMap>(std::move(map));
}

TypeMapPointer duplicate_type(const TypeMapPointer& old) {
  TypeMap map = *old;
  map.named = nullptr;
  map.reductions = nullptr;
  map.contents = contents(MPI_COMBINER_DUP, {}, {}, old);
  return std::make_shared<const TypeMap>(std::move(map));
}

TypeMapPointer unnamed_type(const TypeMapPointer& base, int combiner, std::vector<int> integers) {
  TypeMap map = *base;
  map.named = nullptr;
  map.contents = {combiner, std::move(integers), {}, {}};
  return std::make_shared<const TypeMap>(std::move(map));
}

}  // namespace hindcast::mpi
