// MPI's puts, gets and operations on single words are SHMEM's: a put is over when its data has left the program's
// memory, a get when it is there.
#include "mpi_impl/libraries/cray/mpi/endpoint.hpp"

namespace hindcast::mpi {

namespace {

constexpr const char* putting_to_window = "MPI_Put";
constexpr const char* getting_from_window = "MPI_Get";

}  // namespace

void T3eEndpoint::put(int to, void* there, const void* here, Bytes bytes, Completion& over) {
  pe_.put(putting_to_window, to, there, here, bytes);
  over.complete(thread().clock());
}

void T3eEndpoint::get(int from, void* here, const void* there, Bytes bytes, Completion& over) {
  pe_.get(getting_from_window, from, here, there, bytes);
  over.complete(thread().clock());
}

std::uint64_t T3eEndpoint::atomic(int at, void* word, int bytes, const AtomicRequest& request) {
  return pe_.atomic("MPI_Fetch_and_op", at, word, bytes, request);
}

void T3eEndpoint::finish_puts() { pe_.quiet(putting_to_window); }

}  // namespace hindcast::mpi
