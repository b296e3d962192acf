// Probes, and receives of messages that a matched probe has taken.
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/request.hpp"

namespace hindcast::mpi::body {

namespace {

void set_status(MPI_Status* status, const Envelope& envelope, Bytes bytes) {
  mpi::set_status(status, envelope.source, envelope.tag, bytes.count());
}

// Until there is a message that the pattern takes.
void wait_for_message(Process& process, const Pattern& pattern, const hindcast::Wait& why, Envelope& envelope,
                      Bytes& bytes) {
  Thread& thread = *Thread::current();
  for (;;) {
    thread.settle(&why);
    Completion arrival;
    if (process.endpoint().probe(pattern, envelope, bytes, &arrival)) return;
    wait_for(process, arrival, why);
  }
}

void poll_and_settle(Process& process, const hindcast::Wait& why) {
  poll(process, why);
  Thread::current()->settle(&why);
}

PeerWait waiting(Process& process, Comm& comm, int source, int tag) {
  return PeerWait(process.call(), comm, PeerWait::What::probe, comm.context, source, tag);
}

MPI_Message keep(Process& process, Comm& comm, const TakenMessage& taken) {
  MessageObject& message = process.messages.create();
  message.taken = taken;
  message.comm = &comm;
  ++comm.uses;
  return message.handle;
}

// Ends the message's use of its communicator, however the call ends.
struct UseUntilEnd {
  Process& process;
  Comm& comm;
  ~UseUntilEnd() { stop_using(process, comm); }
};

// The message's object goes; the receive goes on with what it was.
TakenMessage release(Process& process, MPI_Message& handle, MessageObject& message) {
  process.messages.destroy(message);
  handle = MPI_MESSAGE_NULL;
  return message.taken;
}

}  // namespace

void Probe(Process& process, int source, int tag, Comm& comm, MPI_Status* status) {
  if (source == MPI_PROC_NULL) return set_null_peer_status(status);
  Envelope envelope;
  Bytes bytes;
  wait_for_message(process, {comm.context, source, tag}, waiting(process, comm, source, tag), envelope, bytes);
  set_status(status, envelope, bytes);
}

void Iprobe(Process& process, int source, int tag, Comm& comm, int& flag, MPI_Status* status) {
  flag = 1;
  if (source == MPI_PROC_NULL) return set_null_peer_status(status);
  poll_and_settle(process, waiting(process, comm, source, tag));
  Envelope envelope;
  Bytes bytes;
  flag = process.endpoint().probe({comm.context, source, tag}, envelope, bytes, nullptr);
  if (flag) set_status(status, envelope, bytes);
}

void Mprobe(Process& process, int source, int tag, Comm& comm, MPI_Message& handle, MPI_Status* status) {
  if (source == MPI_PROC_NULL) {
    handle = MPI_MESSAGE_NO_PROC;
    return set_null_peer_status(status);
  }
  const Pattern pattern{comm.context, source, tag};
  TakenMessage taken;
  Envelope envelope;
  Bytes bytes;
  do {
    wait_for_message(process, pattern, waiting(process, comm, source, tag), envelope, bytes);
  } while (!process.endpoint().take(pattern, taken));
  handle = keep(process, comm, taken);
  set_status(status, taken.envelope, taken.bytes);
}

void Improbe(Process& process, int source, int tag, Comm& comm, int& flag, MPI_Message& handle, MPI_Status* status) {
  flag = 1;
  if (source == MPI_PROC_NULL) {
    handle = MPI_MESSAGE_NO_PROC;
    return set_null_peer_status(status);
  }
  poll_and_settle(process, waiting(process, comm, source, tag));
  const Pattern pattern{comm.context, source, tag};
  TakenMessage taken;
  Envelope envelope;
  Bytes bytes;
  flag = process.endpoint().probe(pattern, envelope, bytes, nullptr) && process.endpoint().take(pattern, taken);
  if (!flag) return;
  handle = keep(process, comm, taken);
  set_status(status, taken.envelope, taken.bytes);
}

void Imrecv(Process& process, void* data, int count, const Datatype& type, MPI_Message& message_handle,
            MPI_Request& handle) {
  MessageObject* message = process.messages.find(message_handle);
  Comm& comm = message != nullptr ? *message->comm : process.comm_world();
  const int source = message != nullptr ? message->taken.envelope.source : MPI_PROC_NULL;
  const int tag = message != nullptr ? message->taken.envelope.tag : MPI_ANY_TAG;
  const RequestArguments arguments{data, count, source, tag};
  Request& request = make_request(process, comm, Request::Kind::receive, type, arguments);
  if (message != nullptr) {
    stop_using(process, comm);
    begin(process, request, arguments, release(process, message_handle, *message));
  } else {
    message_handle = MPI_MESSAGE_NULL;
    begin(process, request, arguments);
  }
  handle = request.handle;
}

void Mrecv(Process& process, void* data, int count, const Datatype& type, MPI_Message& message_handle,
           MPI_Status* status) {
  MessageObject* message = process.messages.find(message_handle);
  if (message == nullptr) {
    message_handle = MPI_MESSAGE_NULL;
    return set_null_peer_status(status);
  }
  const UseUntilEnd use{process, *message->comm};
  const Envelope envelope = message->taken.envelope;
  const TakenMessage taken = release(process, message_handle, *message);
  try {
    receive_taken(process, use.comm, {data, count, type, envelope.source, envelope.tag}, taken, status);
  } catch (Error& error) {
    error.held = hold(process, use.comm);
    throw;
  }
}

}  // namespace hindcast::mpi::body
