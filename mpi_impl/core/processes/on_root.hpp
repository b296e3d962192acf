// What one rank of a communicator does for all, who wait for it: if it fails there, it fails everywhere.
#pragma once

#include <span>
#include <string>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

struct FailureOnRoot {
  int code = MPI_SUCCESS;
  std::uint64_t length = 0;  // of the text that follows
};

template <typename OnRoot>
void on_root_for_all(Process& process, Comm& comm, int root, const OnRoot& on_root) {
  FailureOnRoot failure;
  std::string text;
  if (comm.rank == root) {
    try {
      on_root();
    } catch (const Error& error) {
      text = error.text;
      failure = {error.code, text.size()};
    }
  }
  broadcast_from(process, comm, root, writable_bytes_of(failure));
  if (failure.code == MPI_SUCCESS) return;
  text.resize(failure.length);
  broadcast_from(process, comm, root, std::as_writable_bytes(std::span(text)));
  throw Error{failure.code, text};
}

}  // namespace hindcast::mpi
