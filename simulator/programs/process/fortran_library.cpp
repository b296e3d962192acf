#include "simulator/programs/process/fortran_library.hpp"

#include <execinfo.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "simulator/programs/libc/own_calls.hpp"
#include "simulator/programs/places/program_place.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs {

namespace {

FortranLibraryState& state() {
  auto& state = RunningProgram::current()->fortran_library;
  if (state == nullptr) {
    state = std::make_unique<FortranLibraryState>();
    state->entropy = static_cast<std::uint64_t>(RunningProgram::current()->rank().id);
  }
  return *state;
}

// Nothing for one of the rank's own streams.
std::optional<int> file_of(int descriptor) {
  const StandardFiles::File file = RunningProgram::current()->files().of(descriptor);
  return file.stream < 0 ? std::optional(file.descriptor) : std::nullopt;
}

// Standard streams are pipes, whatever the launcher's are: a record is written at once, and nothing is cut off or
// sought.
int get_status(int descriptor, struct stat* status) {
  const std::optional<int> file = file_of(descriptor);
  if (file) return fstat(*file, status);
  std::memset(status, 0, sizeof *status);
  status->st_mode = S_IFIFO | S_IRUSR | S_IWUSR;
  status->st_ino = static_cast<ino_t>(descriptor) + 1;
  return 0;
}

off_t seek(int descriptor, off_t offset, int whence) {
  const std::optional<int> file = file_of(descriptor);
  if (file) return lseek(*file, offset, whence);
  errno = ESPIPE;
  return -1;
}

int truncate(int descriptor, off_t length) {
  const std::optional<int> file = file_of(descriptor);
  if (file) return ftruncate(*file, length);
  errno = EINVAL;
  return -1;
}

ssize_t write_to(int descriptor, std::string_view text) { return RunningProgram::current()->write(descriptor, text); }

// An error of a unit's begins with a line that says where it was.
ssize_t write_text(int descriptor, const char* data, std::size_t bytes) {
  const std::string_view text(data, bytes);
  if (descriptor == STDERR_FILENO) state().has_said_where = text.starts_with("At line ");
  return write_to(descriptor, text);
}

// Run-time errors and warnings, and nothing else, are written in parts. Those of what the compiler has not checked,
// such as the shapes that matmul is given, do not say where they were.
ssize_t write_error(int descriptor, const struct iovec* parts, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  const RunningProgram& program = *RunningProgram::current();
  const bool says_where = state().has_said_where || text.find("line ") != std::string::npos;
  const bool is_warning = text.find("Fortran runtime warning") != std::string::npos;
  if (!says_where && !is_warning)
    if (const std::string place = place_of_caller().text(); !place.empty()) text += fmt::format("  in {}\n", place);
  return write_to(descriptor, fmt::format("rank {}: {}", program.rank().id, text));
}

// What random_number begins with if the program does not say: another sequence on every rank, the same in every run.
int fill_with_entropy(void* place, std::size_t bytes) {
  auto* byte = static_cast<unsigned char*>(place);
  for (std::size_t i = 0; i < bytes; ++i) {  // SplitMix64
    std::uint64_t mixed = state().entropy += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    byte[i] = static_cast<unsigned char>(mixed >> 56);
  }
  return 0;
}

// libc has too few keys for thousands of ranks. A rank is one thread as far as Fortran goes.
int create_key(pthread_key_t* key, void (*)(void*)) {
  auto& values = state().values_of_keys;
  *key = static_cast<pthread_key_t>(values.size());
  values.push_back(nullptr);
  return 0;
}
int delete_key(pthread_key_t) { return 0; }
const void* value_of_key(pthread_key_t key) { return state().values_of_keys.at(key); }
int set_value_of_key(pthread_key_t key, const void* value) {
  state().values_of_keys.at(key) = value;
  return 0;
}

struct Replacement {
  std::string_view name;
  void* function;
};

template <typename Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

bool is_fortran_library(std::string_view name) { return name.starts_with("libgfortran.so"); }

void* replacement_for_fortran(std::string_view function) {
  const std::array replacements = {
      Replacement{"fstat", address(get_status)},
      Replacement{"lseek", address(seek)},
      Replacement{"ftruncate", address(truncate)},
      Replacement{"write", address(write_text)},
      Replacement{"writev", address(write_error)},
      Replacement{"open", address(hindcast_open)},
      Replacement{"getentropy", address(fill_with_entropy)},
      Replacement{"pthread_key_create", address(create_key)},
      Replacement{"pthread_key_delete", address(delete_key)},
      Replacement{"pthread_getspecific", address(value_of_key)},
      Replacement{"pthread_setspecific", address(set_value_of_key)},
  };
  const auto found = std::ranges::find(replacements, function, &Replacement::name);
  return found != replacements.end() ? found->function : nullptr;
}

}  // namespace hindcast::programs
