#include "mpi_impl/core/files/representation.hpp"

#include <fmt/format.h>

#include <span>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/error.hpp"

namespace hindcast::mpi {

namespace {

// A predefined datatype that has another length in the file.
TypeMapPointer of_length(std::size_t bytes) {
  TypeMap map;
  map.size = bytes;
  map.upper_bound = map.true_upper_bound = static_cast<std::ptrdiff_t>(bytes);
  map.set_data(one_run(0, bytes), repeated(bytes, basic_signature({.bytes = 1, .external_bytes = 1})));
  return std::make_shared<const TypeMap>(std::move(map));
}

// What MPI_Type_get_contents tells, to make the like of it from other datatypes.
class Remaking {
 public:
  Remaking(const Contents& contents, Contents::Types types)
      : contents_(contents), types_(std::move(types)), integers_(contents.integers), addresses_(contents.addresses) {}

  TypeMapPointer make() const {
    const TypeMapPointer& old = types_.front();
    switch (contents_.combiner) {
      case MPI_COMBINER_CONTIGUOUS:
        return contiguous_type(integers_[0], old);
      case MPI_COMBINER_VECTOR:
        return vector_type(integers_[0], integers_[1], integers_[2], old);
      case MPI_COMBINER_HVECTOR:
        return hvector_type(integers_[0], integers_[1], addresses_[0], old);
      case MPI_COMBINER_INDEXED:
        return indexed_type(list(0), list(1), old);
      case MPI_COMBINER_HINDEXED:
        return hindexed_type(list(0), addresses_, old);
      case MPI_COMBINER_INDEXED_BLOCK:
        return indexed_block_type(integers_[1], integers_.subspan(2), old);
      case MPI_COMBINER_HINDEXED_BLOCK:
        return hindexed_block_type(integers_[1], addresses_, old);
      case MPI_COMBINER_STRUCT:
        return struct_type(list(0), addresses_, types_);
      case MPI_COMBINER_SUBARRAY:
        return subarray_type(list(0), list(1), list(2), integers_.back(), old);
      case MPI_COMBINER_DARRAY:
        return darray();
      case MPI_COMBINER_RESIZED:
        return resized_type(addresses_[0], addresses_[1], old);
      default:
        return duplicate_type(old);
    }
  }

 private:
  // The first integer says how long the lists that follow are.
  std::span<const int> list(std::size_t which) const {
    const auto length = static_cast<std::size_t>(integers_[0]);
    return integers_.subspan(1 + which * length, length);
  }
  TypeMapPointer darray() const {
    const auto dimensions = static_cast<std::size_t>(integers_[2]);
    const auto of = [&](std::size_t list, std::size_t d) { return integers_[3 + list * dimensions + d]; };
    std::vector<Distribution> all;
    for (std::size_t d = 0; d < dimensions; ++d) all.push_back({of(0, d), of(1, d), of(2, d), of(3, d)});
    return darray_type(integers_[0], integers_[1], all, integers_.back(), types_.front());
  }

  const Contents& contents_;
  const Contents::Types types_;
  const std::span<const int> integers_;
  const std::span<const MPI_Aint> addresses_;
};

}  // namespace

std::size_t Representation::bytes_in_file(const Datatype& named) const {
  if (kind_ == Kind::external32) return map_of(named)->signature()->external_bytes;
  MPI_Aint extent = 0;
  const int code = conversions_.extent(named.handle, &extent, conversions_.extra_state);
  Thread::current()->work_off_backlog();
  if (code != MPI_SUCCESS || extent < 0)
    throw Error{MPI_ERR_CONVERSION, fmt::format("the extent function of the representation {} has failed", name_)};
  return static_cast<std::size_t>(extent);
}

TypeMapPointer Representation::in_file(const TypeMapPointer& map) const {
  if (is_as_in_memory() || map->size == 0) return map;
  if (map->contents.types.empty()) {  // predefined, be it without a name
    const std::size_t bytes = map->named != nullptr       ? bytes_in_file(*map->named)
                              : kind_ == Kind::external32 ? map->signature()->external_bytes
                                                          : map->size;
    return bytes == map->size && static_cast<std::ptrdiff_t>(bytes) == map->extent() ? map : of_length(bytes);
  }
  Contents::Types types;
  types.reserve(map->contents.types.size());
  for (const TypeMapPointer& type : map->contents.types) types.push_back(in_file(type));
  return types == map->contents.types ? map : Remaking(map->contents, std::move(types)).make();
}

std::size_t Representation::bytes_in_file(const Datatype& type, int count) const {
  return size_product(in_file(map_of(type))->size, static_cast<std::size_t>(count));
}

std::vector<std::byte> Representation::to_file(const Datatype& type, int count, const void* elements) const {
  const Signature& signature = *map_of(type)->signature();
  std::vector<std::byte> bytes(bytes_in_file(type, count));
  if (kind_ == Kind::external32) {
    std::vector<std::byte> data(type.bytes_of(count));
    pack(type, elements, count, data.data());
    to_external(signature, static_cast<std::size_t>(count), data.data(), bytes.data());
  } else if (conversions_.write != nullptr) {
    convert(conversions_.write, type, signature.elements * static_cast<std::size_t>(count), const_cast<void*>(elements),
            bytes.data());  // only read
  } else {
    require_same_length(type.bytes_of(count), bytes.size());
    pack(type, elements, count, bytes.data());
  }
  return bytes;
}

std::size_t Representation::from_file(const Datatype& type, int count, std::vector<std::byte> bytes,
                                      void* elements) const {
  const Signature& signature = *map_of(type)->signature();
  const std::size_t bytes_of_one = bytes_in_file(type, 1);
  if (kind_ == Kind::external32) {
    const std::size_t whole = bytes_in(signature, elements_in_external(signature, bytes.size()));
    bytes.resize(bytes_of_one * static_cast<std::size_t>(count));
    std::vector<std::byte> data(type.bytes_of(count));
    from_external(signature, static_cast<std::size_t>(count), bytes.data(), data.data());
    unpack(type, data.data(), whole, elements);
    return whole;
  }
  const std::size_t whole = bytes_of_one > 0 ? bytes.size() / bytes_of_one : 0;
  if (conversions_.read != nullptr) {
    convert(conversions_.read, type, signature.elements * whole, elements, bytes.data());
  } else {
    require_same_length(type.size, bytes_of_one);
    unpack(type, bytes.data(), type.size * whole, elements);
  }
  return type.size * whole;
}

void Representation::require_same_length(std::size_t in_memory, std::size_t in_file) const {
  if (in_memory != in_file)
    throw Error{
        MPI_ERR_CONVERSION,
        fmt::format("the representation {} has no function for this conversion (MPI_CONVERSION_FN_NULL), but data "
                    "in the file are of another length than in memory",
                    name_)};
}

void Representation::convert(MPI_Datarep_conversion_function* function, const Datatype& type, std::size_t elements,
                             void* in_memory, std::byte* in_file) const {
  if (elements == 0) return;
  const int code = function(in_memory, type.handle, static_cast<int>(elements), in_file, 0, conversions_.extra_state);
  Thread::current()->work_off_backlog();
  if (code != MPI_SUCCESS)
    throw Error{MPI_ERR_CONVERSION,
                fmt::format("a conversion function of the representation {} has failed: it returned {}", name_, code)};
}

constexpr Representation native_representation("native", Representation::Kind::as_in_memory);

const Representation* standard_representation(std::string_view name) {
  static constexpr Representation internal("internal", Representation::Kind::as_in_memory);
  static constexpr Representation external("external32", Representation::Kind::external32);
  for (const Representation* representation : {&native_representation, &internal, &external})
    if (representation->name() == name) return representation;
  return nullptr;
}

}  // namespace hindcast::mpi
