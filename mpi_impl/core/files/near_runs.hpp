// Runs of bytes in a file, in order, to or from memory in which they follow one another. Short ones that lie near each
// other take one access together, with what lies between them: the system takes far longer to be asked than to copy.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi_impl/core/files/stored_file.hpp"

namespace hindcast::mpi {

enum class AccessWay : std::uint8_t { read, write };

class NearRuns {
 public:
  // Several at once if `can_be_joined`, which is right of a file that can be read.
  NearRuns(StoredFile& file, AccessWay way, std::byte* memory, bool can_be_joined)
      : file_(file), way_(way), memory_(memory), can_be_joined_(can_be_joined) {}

  // False once the file has ended before what is to be read.
  bool add(MPI_Offset at, std::size_t bytes);
  void finish() { access(); }
  std::size_t bytes_accessed() const { return bytes_accessed_; }

 private:
  struct Run {
    MPI_Offset at;
    std::size_t bytes;
  };

  bool is_near(MPI_Offset at, std::size_t bytes) const;
  void access();
  void access_one(const Run& run);
  void access_joined();

  StoredFile& file_;
  const AccessWay way_;
  std::byte* const memory_;  // of all runs
  const bool can_be_joined_;
  std::vector<Run> runs_;  // not accessed yet
  MPI_Offset end_ = 0;     // of these
  std::vector<std::byte> between_;
  std::size_t bytes_accessed_ = 0;
  bool has_ended_ = false;
};

}  // namespace hindcast::mpi
