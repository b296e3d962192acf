// Files opened, closed and deleted, and what belongs to a file as a whole.
#include <fmt/format.h>

#include <bit>
#include <cstdlib>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/files/data_access.hpp"
#include "mpi_impl/core/files/decision.hpp"
#include "mpi_impl/core/files/files.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

constexpr int access_rights = MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR;
constexpr int all_modes = access_rights | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN |
                          MPI_MODE_EXCL | MPI_MODE_APPEND | MPI_MODE_SEQUENTIAL;

const char* wrong_with_mode(int amode) {
  const auto has = [&](int mode) { return (amode & mode) != 0; };
  if (has(~all_modes)) return "has bits that are none of MPI_MODE_...'s";
  if (std::popcount(static_cast<unsigned>(amode & access_rights)) != 1)
    return "has not one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR";
  if (has(MPI_MODE_RDONLY) && (has(MPI_MODE_CREATE) || has(MPI_MODE_EXCL)))
    return "has MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY";
  if (has(MPI_MODE_RDWR) && has(MPI_MODE_SEQUENTIAL)) return "has MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR";
  return nullptr;
}

// The hint file_perm (MPI-3.1, 13.2.8): digits of octal numbers, as chmod has them.
unsigned permissions_of(const Info* info) {
  const std::string* given = info != nullptr ? info->hints.find("file_perm") : nullptr;
  if (given == nullptr) return 0666;
  char* end = nullptr;
  const unsigned long permissions = std::strtoul(given->c_str(), &end, 8);
  return *end == '\0' && end != given->c_str() && permissions <= 07777 ? static_cast<unsigned>(permissions) : 0666;
}

void free_parts(Process& process, File& file) {
  replace_errhandler(process, file.errhandler, *predefined_errhandler(MPI_ERRORS_RETURN));
  free_comm(process, *file.comm);
  process.files().destroy(file);
}

File& make_file(Process& process, Comm& comm, std::shared_ptr<SharedFile> shared, int amode) {
  const std::uint32_t context = agree_on_context(process, comm, groups_of(comm));
  File& file = process.files().create();
  file.comm = &make_comm(process, context, comm.group, *comm.errhandler);
  file.comm->given_name = std::make_unique<std::string>("the ranks of the file " + shared->stored.name());
  file.amode = amode;
  file.shared = std::move(shared);
  file.errhandler = process.file_errhandler;
  ++file.errhandler->uses;
  return file;
}

// Rank 0 acts for all ranks.
void for_all(Process& process, const File& file, std::span<const std::byte> same, const std::function<void()>& act) {
  decide(process, *file.comm, same, std::nullopt, [&]() -> void* {
    Thread::current()->settle();
    act();
    return nullptr;
  });
}

void require_size_to_set(const File& file) {
  require_right(file, AccessWay::write);
  require_places(file);
}

}  // namespace

// Rank 0 opens it, and all have that.
void File_open(Process& process, Comm& comm, const char* name, int amode, const Info* info, MPI_File& handle) {
  handle = MPI_FILE_NULL;
  std::optional<Error> obstacle;
  if (const char* wrong = wrong_with_mode(amode))
    obstacle = Error{MPI_ERR_AMODE, fmt::format("argument 3 (amode) {}", wrong)};
  std::shared_ptr<SharedFile> shared;  // until everybody has it
  void* const opened = decide(process, comm, bytes_of(amode), obstacle, [&]() -> void* {
    Thread::current()->settle();
    shared = std::make_shared<SharedFile>(name, amode, permissions_of(info));
    if ((amode & MPI_MODE_APPEND) != 0) shared->pointer = shared->place_of_pointer = shared->stored.size();
    return shared.get();
  });
  if (shared == nullptr) shared = static_cast<SharedFile*>(opened)->shared_from_this();
  File& file = make_file(process, comm, std::move(shared), amode);
  file.pointer = file.shared->place_of_pointer;  // the shared one may have moved by now
  if (info != nullptr) file.hints = info->hints;
  handle = file.handle;
}

void File_close(Process& process, MPI_File& handle, File& file) {
  if (file.split)
    throw Error{MPI_ERR_OTHER, "an access of two calls has not ended; end it first by " + file.split->ends_with};
  std::optional<Error> failure;
  try {
    for_all(process, file, {}, [&] {
      if ((file.amode & MPI_MODE_DELETE_ON_CLOSE) != 0) StoredFile::remove(file.shared->stored.name());
    });
  } catch (const Error& error) {
    if (error.comm != nullptr) throw;  // of what the ranks call, not of the file, which is still there
    failure = error;
    failure->is_of_files = true;  // of none that there still is
  }
  handle = MPI_FILE_NULL;
  free_parts(process, file);
  if (failure) throw *failure;
}

void File_delete(Process&, const char* name, const Info*) {
  Thread::current()->settle();
  StoredFile::remove(name);
}

void File_set_size(Process& process, File& file, MPI_Offset size) {
  require_size_to_set(file);
  for_all(process, file, bytes_of(size), [&] { file.shared->stored.resize(size); });
}

void File_preallocate(Process& process, File& file, MPI_Offset size) {
  require_size_to_set(file);
  for_all(process, file, bytes_of(size), [&] { file.shared->stored.reserve(size); });
}

void File_get_size(Process&, File& file, MPI_Offset& size) {
  Thread::current()->settle();
  size = file.shared->stored.size();
}

void File_get_group(Process& process, File& file, MPI_Group& handle) { handle = process.groups.give(file.comm->group); }

void File_get_amode(Process&, File& file, int& amode) { amode = file.amode; }

void File_set_info(Process&, File& file, Info& info) { file.hints.set_all(info.hints); }

void File_get_info(Process& process, File& file, MPI_Info& handle) {
  Info& info = process.infos.create();
  info.hints = file.hints;
  handle = info.handle;
}

// --- error handlers; MPI_FILE_NULL's is that of the files that will be opened ---

void File_set_errhandler(Process& process, File* file, Errhandler& errhandler) {
  replace_errhandler(process, file != nullptr ? file->errhandler : process.file_errhandler, errhandler);
}

void File_get_errhandler(Process& process, File* file, MPI_Errhandler& handle) {
  Errhandler& errhandler = file != nullptr ? *file->errhandler : *process.file_errhandler;
  ++errhandler.handles_given;
  handle = errhandler.handle;
}

void File_call_errhandler(Process& process, File* file, int code) {
  raise_and_go_on(process, *process.call(), {code, "", nullptr, nullptr, file, true});
}

// --- consistency: every access is done at its own time, and seen by all that come later ---

void File_set_atomicity(Process& process, File& file, int flag) {
  const bool is_atomic = flag != 0;
  for_all(process, file, bytes_of(is_atomic), [] {});
  file.is_atomic = is_atomic;
}

void File_get_atomicity(Process&, File& file, int& flag) { flag = file.is_atomic; }

void File_sync(Process& process, File& file) { meet(process, *file.comm); }

}  // namespace hindcast::mpi::body
