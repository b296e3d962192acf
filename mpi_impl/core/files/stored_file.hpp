// A file of the computer that the simulation runs on, open as long as this object lives. What goes wrong with it is
// thrown with MPI's class of error.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

namespace hindcast::mpi {

class StoredFile {
 public:
  // As the bits of MPI_MODE_... say; a new file has these permissions, less the process's mask.
  StoredFile(std::string name, int amode, unsigned permissions);
  ~StoredFile();
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  const std::string& name() const { return name_; }
  MPI_Offset size() const;
  void resize(MPI_Offset size);
  // Has at least so many bytes from now on, with room for them in the file system.
  void reserve(MPI_Offset size);
  // Gives how many bytes there were, up to the end of the file. Of what has no places, such as a pipe, the next ones.
  std::size_t read(MPI_Offset at, std::byte* bytes, std::size_t count) const;
  void write(MPI_Offset at, const std::byte* bytes, std::size_t count);

  static void remove(const std::string& name);

 private:
  const std::string name_;
  int descriptor_;
  bool has_places_;
};

}  // namespace hindcast::mpi
