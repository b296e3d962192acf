// Views of a file, pointers into it, and representations of data.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/files/data_access.hpp"
#include "mpi_impl/core/files/decision.hpp"
#include "mpi_impl/core/files/files.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

void check_displacement(const File& file, MPI_Offset displacement) {
  if (displacement == MPI_DISPLACEMENT_CURRENT && !file.is_sequential())
    throw Error{MPI_ERR_ARG,
                "argument 2 (disp) is MPI_DISPLACEMENT_CURRENT, which only files opened with MPI_MODE_SEQUENTIAL take"};
  if (displacement != MPI_DISPLACEMENT_CURRENT && displacement != 0 && file.is_sequential())
    throw Error{MPI_ERR_UNSUPPORTED_OPERATION,
                "argument 2 (disp) is not MPI_DISPLACEMENT_CURRENT, though the file was opened with "
                "MPI_MODE_SEQUENTIAL"};
}

View make_view(Process& process, const File& file, MPI_Offset displacement, const Datatype& etype,
               const Datatype& filetype, const std::string& name) {
  const Representation* representation = process.files().find_representation(name);
  if (representation == nullptr)
    throw Error{MPI_ERR_UNSUPPORTED_DATAREP,
                fmt::format("argument 5 (datarep) is \"{}\"; give \"native\", \"internal\", \"external32\" or one that "
                            "MPI_Register_datarep has made",
                            name)};
  check_displacement(file, displacement);
  return {displacement, map_of(etype), map_of(filetype), *representation, file.may_be_written()};
}

// What has to be the same everywhere.
struct ViewRecord {
  std::size_t etype_bytes = 0;
  char representation[MPI_MAX_DATAREP_STRING] = {};
};

MPI_Offset sought(MPI_Offset offset, int whence, MPI_Offset pointer, const File& file) {
  MPI_Offset from = 0;
  if (whence == MPI_SEEK_CUR) from = pointer;
  if (whence == MPI_SEEK_END) from = file.view.offset_behind(file.shared->stored.size());
  MPI_Offset to = 0;
  if (__builtin_add_overflow(from, offset, &to) || to < 0)
    throw Error{MPI_ERR_ARG, fmt::format("argument 2 (offset) is {}, from {} on: there is nothing before the view's "
                                         "beginning",
                                         offset, from)};
  return to;
}

}  // namespace

void File_set_view(Process& process, File& file, MPI_Offset displacement, const Datatype& etype,
                   const Datatype& filetype, const char* name, const Info* info) {
  std::optional<Error> obstacle;
  View view;
  ViewRecord record;
  std::strncpy(record.representation, name, sizeof record.representation - 1);
  try {
    view = make_view(process, file, displacement, etype, filetype, name);
    record.etype_bytes = view.etype_bytes();
  } catch (const Error& error) {
    obstacle = error;
  }
  decide(process, *file.comm, bytes_of(record), obstacle, [&]() -> void* {
    Thread::current()->settle();
    file.shared->place_of_pointer = file.view.place_of(std::exchange(file.shared->pointer, 0));
    return nullptr;
  });
  if (displacement == MPI_DISPLACEMENT_CURRENT) view.set_displacement(file.shared->place_of_pointer);
  file.view = std::move(view);
  file.pointer = 0;
  if (info != nullptr) file.hints.set_all(info->hints);
}

void File_get_view(Process& process, File& file, MPI_Offset& displacement, MPI_Datatype& etype, MPI_Datatype& filetype,
                   char* name) {
  displacement = file.view.displacement();
  etype = process.datatypes.handle_of(file.view.etype(), true);
  filetype = process.datatypes.handle_of(file.view.filetype(), true);
  const std::string_view representation = file.view.representation().name();
  representation.copy(name, representation.size());
  name[representation.size()] = '\0';
}

void File_seek(Process&, File& file, MPI_Offset offset, int whence) {
  require_places(file);
  if (whence == MPI_SEEK_END) Thread::current()->settle();
  file.pointer = sought(offset, whence, file.pointer, file);
}

void File_get_position(Process&, File& file, MPI_Offset& offset) {
  require_places(file);
  offset = file.pointer;
}

void File_get_byte_offset(Process&, File& file, MPI_Offset offset, MPI_Offset& place) {
  place = file.view.place_of(offset);
}

void File_seek_shared(Process& process, File& file, MPI_Offset offset, int whence) {
  require_places(file);
  const MPI_Offset same[] = {offset, whence};
  decide(process, *file.comm, std::as_bytes(std::span(same)), std::nullopt, [&]() -> void* {
    Thread::current()->settle();
    file.shared->pointer = sought(offset, whence, file.shared->pointer, file);
    return nullptr;
  });
}

void File_get_position_shared(Process&, File& file, MPI_Offset& offset) {
  require_places(file);
  Thread::current()->settle();
  offset = file.shared->pointer;
}

void File_get_type_extent(Process&, File& file, const Datatype& type, MPI_Aint& extent) {
  extent = file.view.representation().in_file(map_of(type))->extent();
}

void Register_datarep(Process& process, const char* name, MPI_Datarep_conversion_function* read,
                      MPI_Datarep_conversion_function* write, MPI_Datarep_extent_function* extent, void* extra_state) {
  const std::size_t length = strnlen(name, MPI_MAX_DATAREP_STRING);
  if (length == MPI_MAX_DATAREP_STRING)
    throw Error{MPI_ERR_ARG, fmt::format("argument 1 (datarep) has {} characters or more", MPI_MAX_DATAREP_STRING)};
  if (process.files().find_representation(name) != nullptr)
    throw Error{MPI_ERR_DUP_DATAREP,
                fmt::format("argument 1 (datarep): there is a representation \"{}\" already", name)};
  process.files().add_representation(name, {read, write, extent, extra_state});
}

}  // namespace hindcast::mpi::body
