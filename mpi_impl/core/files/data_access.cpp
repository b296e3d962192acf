#include "mpi_impl/core/files/data_access.hpp"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

#include "mpi_impl/core/checked.hpp"
#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

struct Accessed {
  std::size_t in_memory;
  std::size_t in_file;
};

std::size_t bytes_in_file(const File& file, const AccessArguments& what) {
  const Representation& representation = file.view.representation();
  const std::size_t bytes_of_one =
      representation.is_as_in_memory() ? what.type.size : representation.in_file(map_of(what.type))->size;
  return size_product(bytes_of_one, static_cast<std::size_t>(what.count));
}

// Of an access that all ranks of the file make by themselves, without waiting for each other. So nobody would notice
// that one of them makes another call, but for a run that compares their calls.
void compare_with_others(Process& process, const File& file) {
  if (process.world().collective_order() == nullptr) [[likely]]
    return;
  if (std::string_view(process.call()->name).find("_all") != std::string_view::npos)
    begin_collective(process, *file.comm);
}

void require_whole_etypes(const File& file, std::size_t bytes) {
  if (bytes % file.view.etype_bytes() != 0)
    throw Error{MPI_ERR_ARG, fmt::format("{} bytes are no whole number of elementary types, of {} bytes each", bytes,
                                         file.view.etype_bytes())};
}

// Gives how many bytes were accessed: a read ends where the file does.
std::size_t access_bytes(const File& file, AccessWay way, MPI_Offset offset, std::byte* bytes, std::size_t count) {
  NearRuns runs(file.shared->stored, way, bytes, file.may_be_read() && !file.is_sequential());
  file.view.visit(offset, count, [&](MPI_Offset at, std::size_t run) { return runs.add(at, run); });
  runs.finish();
  return runs.bytes_accessed();
}

std::size_t read_bytes(const File& file, MPI_Offset offset, void* bytes, std::size_t count) {
  return access_bytes(file, AccessWay::read, offset, static_cast<std::byte*>(bytes), count);
}

void write_bytes(const File& file, MPI_Offset offset, const void* bytes, std::size_t count) {
  auto* only_read = static_cast<std::byte*>(const_cast<void*>(bytes));
  if (access_bytes(file, AccessWay::write, offset, only_read, count) < count)
    throw Error{MPI_ERR_IO, "the rank's view of the file has no place for data"};
}

Accessed read(const File& file, MPI_Offset offset, const AccessArguments& what, std::size_t bytes) {
  const Representation& representation = file.view.representation();
  if (!representation.is_as_in_memory()) {
    std::vector<std::byte> in_file(bytes);
    in_file.resize(read_bytes(file, offset, in_file.data(), bytes));
    const std::size_t there_were = in_file.size();
    return {representation.from_file(what.type, what.count, std::move(in_file), what.elements), there_were};
  }
  std::size_t there_were = 0;
  if (what.type.lies_together(what.count)) {
    there_were = read_bytes(file, offset, what.type.data_at(what.elements), bytes);
  } else {
    const auto packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
    there_were = read_bytes(file, offset, packed.get(), bytes);
    unpack(what.type, packed.get(), there_were, what.elements);
  }
  return {there_were, there_were};
}

Accessed write(const File& file, MPI_Offset offset, const AccessArguments& what, std::size_t bytes) {
  const Representation& representation = file.view.representation();
  if (!representation.is_as_in_memory()) {
    write_bytes(file, offset, representation.to_file(what.type, what.count, what.elements).data(), bytes);
  } else if (what.type.lies_together(what.count)) {
    write_bytes(file, offset, what.type.data_at(what.elements), bytes);
  } else {
    const auto packed = std::make_unique_for_overwrite<std::byte[]>(bytes);
    pack(what.type, what.elements, what.count, packed.get());
    write_bytes(file, offset, packed.get(), bytes);
  }
  return {what.type.bytes_of(what.count), bytes};
}

// Every access is done at now = L, so that what the file has does not depend on how far ranks run ahead.
Accessed access(Process& process, const File& file, AccessWay way, MPI_Offset offset, const AccessArguments& what) {
  const std::size_t bytes = bytes_in_file(file, what);
  Thread::current()->settle();
  const Accessed accessed = way == AccessWay::read ? read(file, offset, what, bytes) : write(file, offset, what, bytes);
  if (accessed.in_memory > 0) process.endpoint().local().spend_copy(Bytes(accessed.in_memory), 0);
  return accessed;
}

// An access asks for so many elementary types; a read may find fewer.
MPI_Offset etypes_of(const File& file, const AccessArguments& what) {
  const std::size_t bytes = bytes_in_file(file, what);
  require_whole_etypes(file, bytes);
  return file.view.etypes_in(bytes);
}

}  // namespace

void require_places(const File& file) {
  if (file.is_sequential())
    throw Error{MPI_ERR_UNSUPPORTED_OPERATION,
                fmt::format("{} was opened with MPI_MODE_SEQUENTIAL; it is read or written at the shared pointer only",
                            file.shared->stored.name())};
}

void require_right(const File& file, AccessWay way) {
  if (way == AccessWay::read && !file.may_be_read())
    throw Error{MPI_ERR_ACCESS,
                fmt::format("{} was opened for writing only (MPI_MODE_WRONLY)", file.shared->stored.name())};
  if (way == AccessWay::write && !file.may_be_written())
    throw Error{MPI_ERR_READ_ONLY,
                fmt::format("{} was opened for reading only (MPI_MODE_RDONLY)", file.shared->stored.name())};
}

std::size_t access_at(Process& process, File& file, AccessWay way, MPI_Offset offset, const AccessArguments& what) {
  compare_with_others(process, file);
  require_places(file);
  require_right(file, way);
  require_whole_etypes(file, bytes_in_file(file, what));
  return access(process, file, way, offset, what).in_memory;
}

std::size_t access_at_own_pointer(Process& process, File& file, AccessWay way, const AccessArguments& what) {
  compare_with_others(process, file);
  require_places(file);
  require_right(file, way);
  require_whole_etypes(file, bytes_in_file(file, what));
  const Accessed accessed = access(process, file, way, file.pointer, what);
  file.pointer += file.view.etypes_in(accessed.in_file);
  return accessed.in_memory;
}

// The pointer moves before the access, by as much as is asked for.
std::size_t access_at_shared_pointer(Process& process, File& file, AccessWay way, const AccessArguments& what) {
  require_right(file, way);
  const MPI_Offset etypes = etypes_of(file, what);
  Thread::current()->settle();
  const MPI_Offset offset = file.shared->pointer;
  file.shared->pointer += etypes;
  return access(process, file, way, offset, what).in_memory;
}

// The first rank deals out places.
std::size_t access_in_order(Process& process, File& file, AccessWay way, const AccessArguments& what) {
  require_right(file, way);
  const MPI_Offset mine = etypes_of(file, what);
  auto offsets = records_in<MPI_Offset>(gather_at_first(process, *file.comm, bytes_of(mine)));
  Thread::current()->settle();
  for (MPI_Offset& offset : offsets) offset = std::exchange(file.shared->pointer, file.shared->pointer + offset);
  MPI_Offset offset = 0;
  scatter_from_first(process, *file.comm, std::as_bytes(std::span(offsets)), writable_bytes_of(offset));
  return access(process, file, way, offset, what).in_memory;
}

}  // namespace hindcast::mpi
