#include "mpi_impl/core/datatype.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace hindcast::mpi {

namespace {

template <typename T>
struct Layout {
  static constexpr Run runs[] = {{0, sizeof(T), 1}};
};
template <typename Value, typename Index>
struct Layout<Pair<Value, Index>> {
  static constexpr Run runs[] = {{0, sizeof(Value), 1}, {offsetof_index<Value, Index>(), sizeof(Index), 1}};
};

template <typename T, TypeClass of_class>
constexpr Datatype basic(const char* name, int handle) {
  Datatype type;
  type.handle = handle;
  type.name = name;
  type.runs = Layout<T>::runs;
  for (const Run& run : type.runs) type.size += run.bytes;
  type.extent = sizeof(T);
  type.is_contiguous = type.size == sizeof(T);
  type.reductions = &reductions_of<T, of_class>;
  return type;
}

}  // namespace

constexpr Datatype predefined_datatypes[] = {
#include "mpi_impl/core/datatypes.inc"
};
constexpr std::size_t predefined_datatype_count = std::size(predefined_datatypes);

void pack(const Datatype& type, const void* elements, int count, void* packed) {
  const auto* from = static_cast<const std::byte*>(elements);
  auto* to = static_cast<std::byte*>(packed);
  for (int i = 0; i < count; ++i, from += type.extent) {
    for (const Run& run : type.runs) {
      std::memcpy(to, from + run.offset, run.bytes);
      to += run.bytes;
    }
  }
}

void unpack(const Datatype& type, const void* packed, std::size_t bytes, void* elements) {
  const auto* from = static_cast<const std::byte*>(packed);
  auto* to = static_cast<std::byte*>(elements);
  for (; bytes > 0; to += type.extent) {
    for (const Run& run : type.runs) {
      const std::size_t part = std::min(bytes, run.bytes);
      std::memcpy(to + run.offset, from, part);
      from += part;
      bytes -= part;
      if (bytes == 0) return;
    }
  }
}

MPI_Count count_of(const Datatype& type, std::size_t bytes) {
  if (type.size == 0) return bytes == 0 ? 0 : MPI_UNDEFINED;
  return bytes % type.size == 0 ? static_cast<MPI_Count>(bytes / type.size) : MPI_UNDEFINED;
}

MPI_Count basic_elements_of(const Datatype& type, std::size_t bytes) {
  if (type.size == 0) return bytes == 0 ? 0 : MPI_UNDEFINED;
  std::size_t in_one = 0;
  for (const Run& run : type.runs) in_one += run.elements;
  std::size_t elements = bytes / type.size * in_one;
  bytes %= type.size;
  for (const Run& run : type.runs) {
    if (bytes == 0) break;
    const std::size_t element_bytes = run.bytes / run.elements;
    const std::size_t part = std::min(bytes, run.bytes);
    if (part % element_bytes != 0) return MPI_UNDEFINED;
    elements += part / element_bytes;
    bytes -= part;
  }
  return static_cast<MPI_Count>(elements);
}

std::size_t bytes_of_basic_elements(const Datatype& type, std::size_t elements) {
  std::size_t in_one = 0;
  for (const Run& run : type.runs) in_one += run.elements;
  if (in_one == 0) return 0;
  std::size_t bytes = elements / in_one * type.size;
  elements %= in_one;
  for (const Run& run : type.runs) {
    const std::size_t part = std::min(elements, run.elements);
    bytes += part * (run.bytes / run.elements);
    elements -= part;
  }
  return bytes;
}

}  // namespace hindcast::mpi
