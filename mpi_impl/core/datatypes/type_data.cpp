// What data a datatype has, found from its contents: where they lie, and of which basic elements they are.
#include <algorithm>

#include "mpi_impl/core/datatypes/type_map.hpp"

namespace hindcast::mpi {

namespace {

bool is_of_one_type(const Contents& contents) {
  const Contents::Types& types = contents.types;
  return std::all_of(types.begin(), types.end(), [&](const auto& type) { return type == types[0]; });
}

// Block i of a list: so many elements so many units of `unit` bytes from the beginning.
template <typename Length, typename Displacement>
LayoutPointer layout_of_blocks(std::size_t blocks, Length length_of, const Displacement* displacements,
                               std::ptrdiff_t unit, const TypeMap& old) {
  std::vector<ScatteredLoops::Block> list;
  list.reserve(blocks);
  for (std::size_t i = 0; i < blocks; ++i)
    list.push_back({displacements[i] * unit, static_cast<std::size_t>(length_of(i))});
  return scattered(std::move(list), old.extent(), old.layout());
}

LayoutPointer layout_of_vector(int count, int length, std::ptrdiff_t stride, const TypeMap& old) {
  return loop(static_cast<std::size_t>(count), stride,
              loop(static_cast<std::size_t>(length), old.extent(), old.layout()));
}

// Whether each block of a struct is a run of bytes, and which.
bool are_runs(const Contents& contents, std::vector<Run>& list) {
  list.reserve(contents.types.size());
  for (std::size_t i = 0; i < contents.types.size(); ++i) {
    const TypeMap& old = *contents.types[i];
    const int length = contents.integers[1 + i];
    if (length == 0 || old.size == 0) continue;
    if (!old.lies_together(length)) return false;
    list.push_back({contents.addresses[i] + old.true_lower_bound, static_cast<std::size_t>(length) * old.size});
  }
  return true;
}

LayoutPointer layout_of_struct(const Contents& contents) {
  const auto& [combiner, integers, displacements, types] = contents;
  const int* lengths = integers.data() + 1;
  if (is_of_one_type(contents))
    return layout_of_blocks(
        types.size(), [&](std::size_t i) { return lengths[i]; }, displacements.data(), 1, *types[0]);
  if (std::vector<Run> list; are_runs(contents, list)) return runs(list);
  std::vector<LayoutPointer> layouts;
  layouts.reserve(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (lengths[i] == 0) continue;
    const TypeMap& old = *types[i];
    const auto length = static_cast<std::size_t>(lengths[i]);
    layouts.push_back(shifted(loop(length, old.extent(), old.layout()), displacements[i]));
  }
  return parts(layouts);
}

SignaturePointer signature_of_struct(const Contents& contents) {
  std::vector<SignaturePointer> signatures;
  signatures.reserve(contents.types.size());
  for (std::size_t i = 0; i < contents.types.size(); ++i)
    signatures.push_back(repeated(static_cast<std::size_t>(contents.integers[1 + i]), contents.types[i]->signature()));
  return in_order(signatures);
}

}  // namespace

void TypeMap::limit_chain() {
  constexpr int longest = 100;
  for (const TypeMapPointer& type : contents.types) chain_ = std::max(chain_, type->chain_ + 1);
  if (chain_ < longest) return;
  layout();
  signature();
  chain_ = 0;
}

LayoutPointer TypeMap::make_layout() const {
  if (is_one_run) return one_run(true_lower_bound, size);
  const auto& [combiner, integers, addresses, types] = contents;
  const TypeMap& old = *types[0];
  switch (combiner) {
    case MPI_COMBINER_CONTIGUOUS:
      return layout_of_vector(1, integers[0], 0, old);
    case MPI_COMBINER_VECTOR:
      return layout_of_vector(integers[0], integers[1], integers[2] * old.extent(), old);
    case MPI_COMBINER_HVECTOR:
      return layout_of_vector(integers[0], integers[1], addresses[0], old);
    case MPI_COMBINER_INDEXED: {
      const auto blocks = static_cast<std::size_t>(integers[0]);
      const int* lengths = integers.data() + 1;
      return layout_of_blocks(
          blocks, [&](std::size_t i) { return lengths[i]; }, lengths + blocks, old.extent(), old);
    }
    case MPI_COMBINER_HINDEXED:
      return layout_of_blocks(
          addresses.size(), [&](std::size_t i) { return integers[1 + i]; }, addresses.data(), 1, old);
    case MPI_COMBINER_INDEXED_BLOCK:
      return layout_of_blocks(
          static_cast<std::size_t>(integers[0]), [&](std::size_t) { return integers[1]; }, integers.data() + 2,
          old.extent(), old);
    case MPI_COMBINER_HINDEXED_BLOCK:
      return layout_of_blocks(
          addresses.size(), [&](std::size_t) { return integers[1]; }, addresses.data(), 1, old);
    case MPI_COMBINER_STRUCT:
      return layout_of_struct(contents);
    case MPI_COMBINER_SUBARRAY:
    case MPI_COMBINER_DARRAY:
      return layout_of_array(contents);
    default:  // the same data by another call
      return old.layout();
  }
}

SignaturePointer TypeMap::make_signature() const {
  if (size == 0) return in_order({});
  if (!is_of_one_type(contents)) return signature_of_struct(contents);
  const TypeMap& old = *contents.types[0];
  return repeated(size / old.size, old.signature());
}

}  // namespace hindcast::mpi
