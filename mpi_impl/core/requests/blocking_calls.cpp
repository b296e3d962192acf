// Blocking sends and receives.
#include <cstring>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/point_to_point.hpp"

namespace hindcast::mpi::body {

void Send(Process& process, const void* data, int count, const Datatype& type, int destination, int tag, Comm& comm) {
  send(process, comm, comm.context, {data, count, type, destination, tag}, SendMode::standard);
}

void Ssend(Process& process, const void* data, int count, const Datatype& type, int destination, int tag, Comm& comm) {
  send(process, comm, comm.context, {data, count, type, destination, tag}, SendMode::synchronous);
}

void Rsend(Process& process, const void* data, int count, const Datatype& type, int destination, int tag, Comm& comm) {
  send(process, comm, comm.context, {data, count, type, destination, tag}, SendMode::ready);
}

void Bsend(Process& process, const void* data, int count, const Datatype& type, int destination, int tag, Comm& comm) {
  process.buffered_sends().send(process, comm, {data, count, type, destination, tag});
}

void Recv(Process& process, void* data, int count, const Datatype& type, int source, int tag, Comm& comm,
          MPI_Status* status) {
  receive(process, comm, comm.context, {data, count, type, source, tag}, status);
}

void Sendrecv(Process& process, const void* sent, int send_count, const Datatype& send_type, int destination,
              int send_tag, void* received, int receive_count, const Datatype& receive_type, int source,
              int receive_tag, Comm& comm, MPI_Status* status) {
  const SendArguments to{sent, send_count, send_type, destination, send_tag};
  const ReceiveArguments from{received, receive_count, receive_type, source, receive_tag};
  if (process.world().sent_buffers() != nullptr) [[unlikely]]
    refuse_one_buffer(comm, to, from);
  exchange(process, comm, comm.context, to, from, status);
}

void Sendrecv_replace(Process& process, void* data, int count, const Datatype& type, int destination, int send_tag,
                      int source, int receive_tag, Comm& comm, MPI_Status* status) {
  if (count == 0 || destination == MPI_PROC_NULL) {
    exchange(process, comm, comm.context, {data, count, type, destination, send_tag},
             {data, count, type, source, receive_tag}, status);
    return;
  }
  const std::size_t bytes = type.bytes_of(count);
  const auto copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
  pack(type, data, count, copy.get());
  process.endpoint().local().spend_copy(Bytes(bytes), 0);
  if (SentElements* elements = process.world().sent_elements()) [[unlikely]]
    elements->know_packed(copy.get(), type);
  exchange(process, comm, comm.context,
           {copy.get(), static_cast<MPI_Count>(bytes), *predefined_datatype(MPI_PACKED), destination, send_tag},
           {data, count, type, source, receive_tag}, status);
}

}  // namespace hindcast::mpi::body
