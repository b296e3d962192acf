// What statuses say, the buffer for buffered sends, and addresses.
#include <climits>
#include <cstring>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

int as_int(MPI_Count count) { return count > INT_MAX ? MPI_UNDEFINED : static_cast<int>(count); }
std::size_t bytes_in(const MPI_Status& status) { return static_cast<std::size_t>(status.hindcast_bytes); }

}  // namespace

void Get_count(Process&, const MPI_Status& status, const Datatype& type, int& count) {
  count = as_int(count_of(type, bytes_in(status)));
}

void Get_elements(Process&, const MPI_Status& status, const Datatype& type, int& count) {
  count = as_int(basic_elements_of(type, bytes_in(status)));
}

void Get_elements_x(Process&, const MPI_Status& status, const Datatype& type, MPI_Count& count) {
  count = basic_elements_of(type, bytes_in(status));
}

void Status_set_elements_x(Process&, MPI_Status& status, const Datatype& type, MPI_Count count) {
  status.hindcast_bytes = static_cast<MPI_Count>(bytes_of_basic_elements(type, static_cast<std::size_t>(count)));
}

void Status_set_elements(Process& process, MPI_Status& status, const Datatype& type, int count) {
  Status_set_elements_x(process, status, type, count);
}

void Status_set_cancelled(Process&, MPI_Status& status, int flag) { status.hindcast_cancelled = flag != 0; }

void Get_address(Process&, const void* location, MPI_Aint& address) { address = reinterpret_cast<MPI_Aint>(location); }

MPI_Aint Aint_add(Process&, MPI_Aint base, MPI_Aint displacement) {
  return static_cast<MPI_Aint>(static_cast<unsigned long>(base) + static_cast<unsigned long>(displacement));
}

MPI_Aint Aint_diff(Process&, MPI_Aint a, MPI_Aint b) {
  return static_cast<MPI_Aint>(static_cast<unsigned long>(a) - static_cast<unsigned long>(b));
}

void Buffer_attach(Process& process, void* buffer, int size) {
  process.buffered_sends().attach(buffer, static_cast<std::size_t>(size));
}

void Buffer_detach(Process& process, void* place, int& size) {
  void* buffer = nullptr;
  std::size_t bytes = 0;
  process.buffered_sends().detach(process, buffer, bytes);
  std::memcpy(place, &buffer, sizeof buffer);
  size = static_cast<int>(bytes);
}

}  // namespace hindcast::mpi::body
