#include "mpi_impl/core/datatypes/type_map.hpp"

#include <algorithm>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/datatypes/type_bounds.hpp"

namespace hindcast::mpi {

namespace {

using NewMap = std::shared_ptr<TypeMap>;

// Made by a call with these arguments; its bounds are to follow.
NewMap new_map(int combiner, std::vector<int> integers, std::span<const MPI_Aint> addresses) {
  auto map = std::make_shared<TypeMap>();
  map->contents.combiner = combiner;
  map->contents.integers = std::move(integers);
  map->contents.addresses.assign(addresses.begin(), addresses.end());
  return map;
}

NewMap new_map(int combiner, std::vector<int> integers, std::span<const MPI_Aint> addresses,
               const TypeMapPointer& old) {
  NewMap map = new_map(combiner, std::move(integers), addresses);
  map->contents.types.push_back(old);
  return map;
}

TypeMapPointer with_blocks(NewMap map, int count, int length, std::ptrdiff_t stride) {
  TypeBounds bounds;
  bounds.add_vector(*map->contents.types[0], count, length, stride);
  bounds.set(*map);
  map->limit_chain();
  return map;
}

// Block i has length_of(i) elements, displacement_of(i) bytes from the beginning.
template <typename LengthOf, typename DisplacementOf>
TypeMapPointer with_scattered_blocks(NewMap map, std::size_t blocks, LengthOf length_of,
                                     DisplacementOf displacement_of) {
  TypeBounds bounds;
  bounds.add_blocks(*map->contents.types[0], blocks, length_of, displacement_of);
  bounds.set(*map);
  map->limit_chain();
  return map;
}

std::vector<int> integers_of(std::size_t count, std::span<const int> a, std::span<const int> b = {}) {
  std::vector<int> all;
  all.reserve(1 + a.size() + b.size());
  all.push_back(static_cast<int>(count));
  all.insert(all.end(), a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// The same data by another call.
std::shared_ptr<TypeMap> of_the_same_data(const TypeMap& old, Contents contents) {
  auto map = std::make_shared<TypeMap>(old);
  map->named = nullptr;
  map->contents = std::move(contents);
  map->limit_chain();
  return map;
}

}  // namespace

TypeMapPointer contiguous_type(int count, const TypeMapPointer& old) {
  return with_blocks(new_map(MPI_COMBINER_CONTIGUOUS, {count}, {}, old), 1, count, 0);
}

TypeMapPointer vector_type(int count, int length, int stride, const TypeMapPointer& old) {
  return with_blocks(new_map(MPI_COMBINER_VECTOR, {count, length, stride}, {}, old), count, length,
                     product(stride, old->extent()));
}

TypeMapPointer hvector_type(int count, int length, MPI_Aint stride, const TypeMapPointer& old) {
  return with_blocks(new_map(MPI_COMBINER_HVECTOR, {count, length}, std::span(&stride, 1), old), count, length, stride);
}

TypeMapPointer indexed_type(std::span<const int> lengths, std::span<const int> displacements,
                            const TypeMapPointer& old) {
  return with_scattered_blocks(
      new_map(MPI_COMBINER_INDEXED, integers_of(lengths.size(), lengths, displacements), {}, old), lengths.size(),
      [&](std::size_t i) { return lengths[i]; },
      [&](std::size_t i) { return product(displacements[i], old->extent()); });
}

TypeMapPointer hindexed_type(std::span<const int> lengths, std::span<const MPI_Aint> displacements,
                             const TypeMapPointer& old) {
  return with_scattered_blocks(
      new_map(MPI_COMBINER_HINDEXED, integers_of(lengths.size(), lengths), displacements, old), lengths.size(),
      [&](std::size_t i) { return lengths[i]; }, [&](std::size_t i) { return displacements[i]; });
}

TypeMapPointer indexed_block_type(int length, std::span<const int> displacements, const TypeMapPointer& old) {
  return with_scattered_blocks(
      new_map(MPI_COMBINER_INDEXED_BLOCK, integers_of(displacements.size(), std::span(&length, 1), displacements), {},
              old),
      displacements.size(), [&](std::size_t) { return length; },
      [&](std::size_t i) { return product(displacements[i], old->extent()); });
}

TypeMapPointer hindexed_block_type(int length, std::span<const MPI_Aint> displacements, const TypeMapPointer& old) {
  return with_scattered_blocks(
      new_map(MPI_COMBINER_HINDEXED_BLOCK, integers_of(displacements.size(), std::span(&length, 1)), displacements,
              old),
      displacements.size(), [&](std::size_t) { return length; }, [&](std::size_t i) { return displacements[i]; });
}

TypeMapPointer struct_type(std::span<const int> lengths, std::span<const MPI_Aint> displacements,
                           Contents::Types types) {
  NewMap map = new_map(MPI_COMBINER_STRUCT, integers_of(lengths.size(), lengths), displacements);
  TypeBounds bounds;
  for (std::size_t i = 0; i < types.size(); ++i) bounds.add_block(*types[i], displacements[i], lengths[i]);
  bounds.set(*map);
  map->contents.types = std::move(types);
  map->limit_chain();
  return map;
}

TypeMapPointer resized_type(MPI_Aint lower_bound, MPI_Aint extent, const TypeMapPointer& old) {
  const auto map = of_the_same_data(*old, {MPI_COMBINER_RESIZED, {}, {lower_bound, extent}, {old}});
  map->reductions = nullptr;
  map->lower_bound = lower_bound;
  map->upper_bound = sum(lower_bound, extent);
  map->has_lower_marker = map->has_upper_marker = true;
  return map;
}

TypeMapPointer duplicate_type(const TypeMapPointer& old) {
  const auto map = of_the_same_data(*old, {MPI_COMBINER_DUP, {}, {}, {old}});
  map->reductions = nullptr;
  return map;
}

TypeMapPointer unnamed_type(const TypeMapPointer& base, int combiner, std::vector<int> integers) {
  return of_the_same_data(*base, {combiner, std::move(integers), {}, {}});
}

}  // namespace hindcast::mpi
