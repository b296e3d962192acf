#include "mpi_impl/core/agreement.hpp"

#include <algorithm>

#include "mpi_impl/core/point_to_point.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

void send_bytes(Process& process, Comm& comm, std::span<const std::byte> bytes, int to, int tag) {
  send(process, comm, comm.collective_context(),
       {bytes.data(), static_cast<int>(bytes.size()), *predefined_datatype(MPI_BYTE), to, tag}, SendMode::standard);
}

void receive_bytes(Process& process, Comm& comm, std::span<std::byte> bytes, int from, int tag) {
  receive(process, comm, comm.collective_context(),
          {bytes.data(), static_cast<int>(bytes.size()), *predefined_datatype(MPI_BYTE), from, tag}, MPI_STATUS_IGNORE);
}

// A rank's part of the tree is the ranks from it on, so many: as its lowest set bit says, or all of them for rank 0.
int reach(const Comm& comm) {
  int distance = 1;
  while (distance < comm.size && (comm.rank & distance) == 0) distance *= 2;
  return distance;
}

// There may not be as many as a part would have.
std::size_t ranks_in_part(const Comm& comm, int rank, int most) {
  return static_cast<std::size_t>(std::min(most, comm.size - rank));
}

}  // namespace

void broadcast_from_first(Process& process, Comm& comm, std::span<std::byte> data) {
  const int tag = comm.next_collective_tag();
  int distance = reach(comm);
  if (comm.rank != 0) receive_bytes(process, comm, data, comm.rank - distance, tag);
  for (distance /= 2; distance > 0; distance /= 2)
    if (comm.rank + distance < comm.size) send_bytes(process, comm, data, comm.rank + distance, tag);
}

std::vector<std::byte> gather_at_first(Process& process, Comm& comm, std::span<const std::byte> mine) {
  const int tag = comm.next_collective_tag();
  const int whole = reach(comm);
  std::vector<std::byte> part(mine.size() * ranks_in_part(comm, comm.rank, whole));
  std::copy(mine.begin(), mine.end(), part.begin());
  for (int distance = 1; distance < whole && comm.rank + distance < comm.size; distance *= 2) {
    const std::size_t bytes = mine.size() * ranks_in_part(comm, comm.rank + distance, distance);
    receive_bytes(process, comm, std::span(part).subspan(mine.size() * static_cast<std::size_t>(distance), bytes),
                  comm.rank + distance, tag);
  }
  if (comm.rank == 0) return part;
  send_bytes(process, comm, part, comm.rank - whole, tag);
  return {};
}

void scatter_from_first(Process& process, Comm& comm, std::span<const std::byte> all, std::span<std::byte> mine) {
  const int tag = comm.next_collective_tag();
  const int whole = reach(comm);
  std::vector<std::byte> received;
  if (comm.rank != 0) {
    received.resize(mine.size() * ranks_in_part(comm, comm.rank, whole));
    receive_bytes(process, comm, received, comm.rank - whole, tag);
    all = received;
  }
  for (int distance = whole / 2; distance > 0; distance /= 2) {
    if (comm.rank + distance >= comm.size) continue;
    const std::size_t bytes = mine.size() * ranks_in_part(comm, comm.rank + distance, distance);
    send_bytes(process, comm, all.subspan(mine.size() * static_cast<std::size_t>(distance), bytes),
               comm.rank + distance, tag);
  }
  std::copy_n(all.begin(), mine.size(), mine.begin());
}

}  // namespace hindcast::mpi
