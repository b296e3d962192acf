// Datatypes made, freed and asked.
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <span>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

template <typename T>
std::span<const T> list(const T* values, int count) {
  return {values, static_cast<std::size_t>(count)};
}

void make(Process& process, TypeMapPointer map, MPI_Datatype& handle) {
  handle = process.datatypes.create(std::move(map)).handle;
}

Contents::Types maps_of(Process& process, std::span<const MPI_Datatype> handles) {
  Contents::Types maps;
  maps.reserve(handles.size());
  for (const MPI_Datatype handle : handles) maps.push_back(map_of(*process.datatypes.find(handle)));
  return maps;
}

void check_room(int argument, const char* name, int there_is, std::size_t wanted) {
  if (static_cast<std::size_t>(there_is) < wanted)
    throw Error{MPI_ERR_ARG, fmt::format("argument {} ({}) is {}, but MPI_Type_get_envelope says {}", argument, name,
                                         there_is, wanted)};
}

void put(const auto& values, auto* place) { std::copy(values.begin(), values.end(), place); }

}  // namespace

void Type_contiguous(Process& process, int count, const Datatype& old, MPI_Datatype& handle) {
  make(process, contiguous_type(count, map_of(old)), handle);
}

void Type_vector(Process& process, int count, int length, int stride, const Datatype& old, MPI_Datatype& handle) {
  make(process, vector_type(count, length, stride, map_of(old)), handle);
}

void Type_create_hvector(Process& process, int count, int length, MPI_Aint stride, const Datatype& old,
                         MPI_Datatype& handle) {
  make(process, hvector_type(count, length, stride, map_of(old)), handle);
}

void Type_indexed(Process& process, int count, const int* lengths, const int* displacements, const Datatype& old,
                  MPI_Datatype& handle) {
  make(process, indexed_type(list(lengths, count), list(displacements, count), map_of(old)), handle);
}

void Type_create_hindexed(Process& process, int count, const int* lengths, const MPI_Aint* displacements,
                          const Datatype& old, MPI_Datatype& handle) {
  make(process, hindexed_type(list(lengths, count), list(displacements, count), map_of(old)), handle);
}

void Type_create_indexed_block(Process& process, int count, int length, const int* displacements, const Datatype& old,
                               MPI_Datatype& handle) {
  make(process, indexed_block_type(length, list(displacements, count), map_of(old)), handle);
}

void Type_create_hindexed_block(Process& process, int count, int length, const MPI_Aint* displacements,
                                const Datatype& old, MPI_Datatype& handle) {
  make(process, hindexed_block_type(length, list(displacements, count), map_of(old)), handle);
}

void Type_create_struct(Process& process, int count, const int* lengths, const MPI_Aint* displacements,
                        const MPI_Datatype* types, MPI_Datatype& handle) {
  make(process, struct_type(list(lengths, count), list(displacements, count), maps_of(process, list(types, count))),
       handle);
}

void Type_create_subarray(Process& process, int dimensions, const int* sizes, const int* subsizes, const int* starts,
                          int order, const Datatype& old, MPI_Datatype& handle) {
  make(process,
       subarray_type(list(sizes, dimensions), list(subsizes, dimensions), list(starts, dimensions), order, map_of(old)),
       handle);
}

void Type_create_darray(Process& process, int size, int rank, int count, const int* sizes, const int* kinds,
                        const int* arguments, const int* processes, int order, const Datatype& old,
                        MPI_Datatype& handle) {
  std::vector<Distribution> dimensions;
  for (int d = 0; d < count; ++d) dimensions.push_back({sizes[d], kinds[d], arguments[d], processes[d]});
  make(process, darray_type(size, rank, dimensions, order, map_of(old)), handle);
}

void Type_create_resized(Process& process, const Datatype& old, MPI_Aint lower_bound, MPI_Aint extent,
                         MPI_Datatype& handle) {
  make(process, resized_type(lower_bound, extent, map_of(old)), handle);
}

void Type_dup(Process& process, const Datatype& old, MPI_Datatype& handle) {
  DerivedType& type = process.datatypes.create(duplicate_type(map_of(old)));
  type.is_committed = is_committed(old);
  try {
    if (const Attributes* attributes = process.datatypes.find_attributes(old))
      attributes->copy_to(process, old.handle, process.datatypes.attributes_of(type), type.handle);
  } catch (const Error&) {
    process.datatypes.free(type);
    throw;
  }
  handle = type.handle;
}

void Type_commit(Process& process, const Datatype& type) {
  if (!type.is_predefined()) process.datatypes.find_derived(type.handle)->is_committed = true;
}

void Type_free(Process& process, MPI_Datatype& handle, DerivedType& type) {
  if (Attributes* attributes = process.datatypes.find_attributes(type)) attributes->remove_all(process, type.handle);
  handle = MPI_DATATYPE_NULL;
  process.datatypes.free(type);
}

void Type_size(Process&, const Datatype& type, int& size) {
  size = type.size > INT_MAX ? MPI_UNDEFINED : static_cast<int>(type.size);
}
void Type_size_x(Process&, const Datatype& type, MPI_Count& size) { size = static_cast<MPI_Count>(type.size); }

void Type_get_extent(Process&, const Datatype& type, MPI_Aint& lower_bound, MPI_Aint& extent) {
  lower_bound = type.lower_bound;
  extent = type.extent;
}
void Type_get_extent_x(Process& process, const Datatype& type, MPI_Count& lower_bound, MPI_Count& extent) {
  Type_get_extent(process, type, lower_bound, extent);
}
void Type_get_true_extent(Process&, const Datatype& type, MPI_Aint& lower_bound, MPI_Aint& extent) {
  lower_bound = type.true_lower_bound;
  extent = type.true_extent;
}
void Type_get_true_extent_x(Process& process, const Datatype& type, MPI_Count& lower_bound, MPI_Count& extent) {
  Type_get_true_extent(process, type, lower_bound, extent);
}
void Type_extent(Process&, const Datatype& type, MPI_Aint& extent) { extent = type.extent; }
void Type_lb(Process&, const Datatype& type, MPI_Aint& bound) { bound = type.lower_bound; }
void Type_ub(Process&, const Datatype& type, MPI_Aint& bound) { bound = type.lower_bound + type.extent; }

void Type_get_envelope(Process&, const Datatype& type, int& integers, int& addresses, int& types, int& combiner) {
  const Contents& contents = map_of(type)->contents;
  integers = static_cast<int>(contents.integers.size());
  addresses = static_cast<int>(contents.addresses.size());
  types = static_cast<int>(contents.types.size());
  combiner = contents.combiner;
}

void Type_get_contents(Process& process, const Datatype& type, int most_integers, int most_addresses, int most_types,
                       int* integers, MPI_Aint* addresses, MPI_Datatype* types) {
  const Contents& contents = map_of(type)->contents;
  if (contents.combiner == MPI_COMBINER_NAMED)
    throw Error{MPI_ERR_TYPE, fmt::format("argument 1 (datatype) is the predefined {}, which has no contents; ask "
                                          "MPI_Type_get_envelope first",
                                          type.name)};
  check_room(2, "max_integers", most_integers, contents.integers.size());
  check_room(3, "max_addresses", most_addresses, contents.addresses.size());
  check_room(4, "max_datatypes", most_types, contents.types.size());
  put(contents.integers, integers);
  put(contents.addresses, addresses);
  for (const TypeMapPointer& map : contents.types) *types++ = process.datatypes.handle_of(map, false);
}

void Type_set_name(Process& process, const Datatype& type, const char* name) {
  process.datatypes.set_name(type, std::string(name, strnlen(name, MPI_MAX_OBJECT_NAME - 1)));
}

void Type_get_name(Process& process, const Datatype& type, char* name, int& length) {
  const std::string text = process.datatypes.name_of(type);
  std::memcpy(name, text.c_str(), text.size() + 1);
  length = static_cast<int>(text.size());
}

}  // namespace hindcast::mpi::body
