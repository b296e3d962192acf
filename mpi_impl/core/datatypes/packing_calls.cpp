// Packing and unpacking by the program: as messages carry it, and as external32.
#include <fmt/format.h>

#include <climits>
#include <vector>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

// Where the next `bytes` go to or come from in a buffer.
std::size_t place(std::ptrdiff_t position, std::ptrdiff_t size, std::size_t bytes, int argument, const char* what) {
  if (position < 0) throw Error{MPI_ERR_ARG, fmt::format("the position is {}; it must not be negative", position)};
  if (position > size || bytes > static_cast<std::size_t>(size - position))
    throw Error{MPI_ERR_ARG, fmt::format("argument {} ({}) is {}, but {} bytes from position {} on are needed",
                                         argument, what, size, bytes, position)};
  return static_cast<std::size_t>(position);
}

void charge_copy(Process& process, std::size_t bytes) { process.endpoint().local().spend_copy(Bytes(bytes), 0); }

std::size_t external_bytes(const Datatype& type, int count) {
  return size_product(map_of(type)->signature()->external_bytes, static_cast<std::size_t>(count));
}

}  // namespace

void Pack(Process& process, const void* elements, int count, const Datatype& type, void* packed, int size,
          int& position, Comm&) {
  const std::size_t bytes = type.bytes_of(count);
  const std::size_t at = place(position, size, bytes, 5, "outsize");
  pack(type, elements, count, static_cast<std::byte*>(packed) + at);
  position += static_cast<int>(bytes);
  charge_copy(process, bytes);
}

void Unpack(Process& process, const void* packed, int size, int& position, void* elements, int count,
            const Datatype& type, Comm&) {
  const std::size_t bytes = type.bytes_of(count);
  const std::size_t at = place(position, size, bytes, 2, "insize");
  unpack(type, static_cast<const std::byte*>(packed) + at, bytes, elements);
  position += static_cast<int>(bytes);
  charge_copy(process, bytes);
}

void Pack_size(Process&, int count, const Datatype& type, Comm&, int& size) {
  const std::size_t bytes = size_product(type.size, static_cast<std::size_t>(count));
  size = bytes > INT_MAX ? MPI_UNDEFINED : static_cast<int>(bytes);
}

// Both ways by the data in order, in memory of their own.
void Pack_external(Process& process, const void* elements, int count, const Datatype& type, void* external,
                   MPI_Aint size, MPI_Aint& position) {
  const std::size_t bytes = external_bytes(type, count);
  const std::size_t at = place(position, size, bytes, 6, "outsize");
  std::vector<std::byte> data(type.bytes_of(count));
  pack(type, elements, count, data.data());
  to_external(*map_of(type)->signature(), static_cast<std::size_t>(count), data.data(),
              static_cast<std::byte*>(external) + at);
  position += static_cast<MPI_Aint>(bytes);
  charge_copy(process, bytes);
}

void Unpack_external(Process& process, const void* external, MPI_Aint size, MPI_Aint& position, void* elements,
                     int count, const Datatype& type) {
  const std::size_t bytes = external_bytes(type, count);
  const std::size_t at = place(position, size, bytes, 3, "insize");
  std::vector<std::byte> data(type.bytes_of(count));
  from_external(*map_of(type)->signature(), static_cast<std::size_t>(count),
                static_cast<const std::byte*>(external) + at, data.data());
  unpack(type, data.data(), data.size(), elements);
  position += static_cast<MPI_Aint>(bytes);
  charge_copy(process, bytes);
}

void Pack_external_size(Process&, int count, const Datatype& type, MPI_Aint& size) {
  size = static_cast<MPI_Aint>(external_bytes(type, count));
}

}  // namespace hindcast::mpi::body
