#include "mpi_impl/core/agreement.hpp"

#include <cstring>

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

}  // namespace

void broadcast_from_first(Process& process, Comm& comm, std::span<std::byte> data) {
  const int tag = comm.next_collective_tag();
  int distance = 1;
  while (distance < comm.size && (comm.rank & distance) == 0) distance *= 2;
  if (comm.rank != 0) receive_bytes(process, comm, data, comm.rank - distance, tag);
  for (distance /= 2; distance > 0; distance /= 2)
    if (comm.rank + distance < comm.size) send_bytes(process, comm, data, comm.rank + distance, tag);
}

std::vector<std::byte> gather_at_first(Process& process, Comm& comm, std::span<const std::byte> mine) {
  const int tag = comm.next_collective_tag();
  if (comm.rank != 0) {
    send_bytes(process, comm, mine, 0, tag);
    return {};
  }
  std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(comm.size));
  std::memcpy(all.data(), mine.data(), mine.size());
  for (int rank = 1; rank < comm.size; ++rank)
    receive_bytes(process, comm, std::span(all).subspan(mine.size() * static_cast<std::size_t>(rank), mine.size()),
                  rank, tag);
  return all;
}

void scatter_from_first(Process& process, Comm& comm, std::span<const std::byte> all, std::span<std::byte> mine) {
  const int tag = comm.next_collective_tag();
  if (comm.rank != 0) return receive_bytes(process, comm, mine, 0, tag);
  std::memcpy(mine.data(), all.data(), mine.size());
  for (int rank = 1; rank < comm.size; ++rank)
    send_bytes(process, comm, all.subspan(mine.size() * static_cast<std::size_t>(rank), mine.size()), rank, tag);
}

}  // namespace hindcast::mpi
