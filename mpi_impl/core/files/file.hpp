// Files that ranks have opened together (MPI-3.1, 13).
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/files/stored_file.hpp"
#include "mpi_impl/core/files/view.hpp"
#include "mpi_impl/core/handle.hpp"
#include "mpi_impl/core/info.hpp"

namespace hindcast::mpi {

// What is one for all who have opened it.
struct SharedFile : std::enable_shared_from_this<SharedFile> {
  SharedFile(const std::string& name, int amode, unsigned permissions) : stored(name, amode, permissions) {}

  StoredFile stored;
  MPI_Offset pointer = 0;           // the shared one, in elementary types
  MPI_Offset place_of_pointer = 0;  // where it was in the file when that was opened, or a view was last set
};

// A collective access of two calls, of which the second has not come.
struct SplitAccess {
  std::string ends_with;  // the call
  std::size_t bytes;      // of data in memory
};

struct FileParts {
  Comm* comm = nullptr;  // of its own, which the program does not see
  int amode = 0;
  std::shared_ptr<SharedFile> shared;
  View view;
  MPI_Offset pointer = 0;  // the rank's own, in elementary types
  bool is_atomic = false;
  std::optional<SplitAccess> split;
  Hints hints;
  Errhandler* errhandler = nullptr;
};

struct File : Handled, FileParts {
  bool may_be_read() const { return (amode & MPI_MODE_WRONLY) == 0; }
  bool may_be_written() const { return (amode & MPI_MODE_RDONLY) == 0; }
  bool is_sequential() const { return (amode & MPI_MODE_SEQUENTIAL) != 0; }
};

}  // namespace hindcast::mpi
