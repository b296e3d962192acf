// Sends and receives as core and the collectives make them: arguments are right by now.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/requests/waiting.hpp"
#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

class Process;

// Elements that do not lie together, on their way: in a piece of memory that they are packed to or unpacked from, or as
// items that the endpoint moves.
struct StagedElements {
  void* elements;  // of a receive, where they go
  const Datatype& type;
  std::unique_ptr<std::byte[]> packed;
  Items items;  // if the operation refers to them
};
using Staged = std::unique_ptr<StagedElements>;  // null unless the operation is staged

// What a send or receive is about: elements in memory, and the other side in a communicator.
struct SendArguments {
  const void* data;
  MPI_Count count;
  const Datatype& type;
  int destination;
  int tag;
};
struct ReceiveArguments {
  void* data;
  MPI_Count count;
  const Datatype& type;
  int source;
  int tag;
  std::optional<std::size_t> skipped = std::nullopt;  // a part of a broadcast, after so many bytes
};
struct BroadcastArguments {
  const void* data;
  MPI_Count count;
  const Datatype& type;
  int tag;
};

// An error if the machine has no room for so long a message, and no other way to send it.
void refuse_what_is_too_long(Process& process, const Comm& comm, MPI_Count count, const Datatype& type);

// An error if data are received into memory that is sent (MPI-4.0, 3.10), as far as both lie together.
void refuse_one_buffer(const Comm& comm, const SendArguments& to, const ReceiveArguments& from);

// `peer` must not be MPI_PROC_NULL. Elements that do not lie together are packed into `staged`.
void begin_send(Process& process, SendOperation& send, Staged& staged, const Comm& comm, std::uint32_t context,
                const SendArguments& arguments, SendMode mode);
// By the machine, to all other members of a communicator for which it offers that.
void begin_broadcast(Process& process, SendOperation& send, Staged& staged, const Comm& comm,
                     const BroadcastArguments& arguments);
// The beginning of the next send, and the end of a receive, for the recorder that there is.
void mark_receive(Process& process, const ReceiveOperation& receive);
void mark_send(Process& process, const Envelope& envelope, int destination, Bytes bytes);
void prepare_receive(ReceiveOperation& receive, Staged& staged, std::uint32_t context,
                     const ReceiveArguments& arguments);
// Once they hold at the thread's clock.
void end_send(Process& process, SendOperation& send);
void end_receive(Process& process, ReceiveOperation& receive, const Staged& staged);

// Until the gate opens, or until a time; with progress of what is in the background.
void wait(Process& process, Gate& gate, const Wait& why);
void wait_until(Process& process, Time time, const Wait& why);
// A turn of the library's progress.
void poll(Process& process, const Wait& why);
// Until the completion is known, and holds at the thread's clock; or only the latter.
void wait_for(Process& process, Completion& completion, const Wait& why);
void wait_until_holds(Process& process, const Completion& completion, const Wait& why);

// Blocking forms; a peer may be MPI_PROC_NULL, a status MPI_STATUS_IGNORE.
void send(Process& process, Comm& comm, std::uint32_t context, const SendArguments& arguments, SendMode mode);
void receive(Process& process, Comm& comm, std::uint32_t context, const ReceiveArguments& arguments,
             MPI_Status* status);
void receive_taken(Process& process, Comm& comm, const ReceiveArguments& arguments, const TakenMessage& taken,
                   MPI_Status* status);
void exchange(Process& process, Comm& comm, std::uint32_t context, const SendArguments& to,
              const ReceiveArguments& from, MPI_Status* status);

// Statuses. Fields other than MPI_ERROR, which only calls for several requests set, and those that have nothing to
// tell.
inline void set_status(MPI_Status* status, int source, int tag, std::size_t bytes, bool cancelled = false) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = source;
  status->MPI_TAG = tag;
  status->hindcast_bytes = static_cast<MPI_Count>(bytes);
  status->hindcast_cancelled = cancelled ? 1 : 0;
}
inline void set_empty_status(MPI_Status* status) {
  set_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
}
inline void set_null_peer_status(MPI_Status* status) { set_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0); }

// What is wrong with a receive that has ended: MPI_SUCCESS if nothing.
inline int error_of(const ReceiveOperation& receive) {
  return receive.bytes > receive.capacity ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}
Error truncation(const ReceiveOperation& receive, const Comm& comm);

}  // namespace hindcast::mpi
