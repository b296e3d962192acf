// Requests made, begun, freed and cancelled.
#include <fmt/format.h>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/request.hpp"

namespace hindcast::mpi::body {

namespace {

// What is sent is not changed.
RequestArguments sent(const void* data, int count, int destination, int tag) {
  return {const_cast<void*>(data), count, destination, tag};
}

Request& make_send(Process& process, const RequestArguments& arguments, const Datatype& type, Comm& comm,
                   SendMode mode) {
  Request& request = make_request(process, comm, Request::Kind::send, type, arguments);
  request.mode = mode;
  return request;
}

Request& make_buffered_send(Process& process, const RequestArguments& arguments, const Datatype& type, Comm& comm) {
  Request& request = make_request(process, comm, Request::Kind::send, type, arguments);
  request.buffered = true;
  return request;
}

Request& make_receive(Process& process, const RequestArguments& arguments, const Datatype& type, Comm& comm) {
  return make_request(process, comm, Request::Kind::receive, type, arguments);
}

void begin_now(Process& process, Request& request, const RequestArguments& arguments, MPI_Request& handle) {
  begin(process, request, arguments);
  handle = request.handle;
}

// MPI-4.0, 6.12, 6.13 and 12.3.5
void refuse_activity(const Request& request, const char* what) {
  const Activity& activity = *request.activity;
  throw Error{MPI_ERR_REQUEST, fmt::format("argument 1 (request): {} cannot be {}; complete it", activity.name(), what),
              activity.has_hidden_communicator() ? nullptr : request.comm};
}

// True if it goes on without its request.
bool free_activity(Process& process, Request& request) {
  if (!request.active) return false;
  if (!request.activity->may_be_freed()) refuse_activity(request, "freed");
  if (request.finished) return false;
  process.freed_receives.add(process, request);
  return true;
}

void keep(Request& request, const RequestArguments& arguments, MPI_Request& handle) {
  request.persistent = true;
  request.arguments = arguments;
  handle = request.handle;
}

}  // namespace

void Isend(Process& process, const void* data, int count, const Datatype& type, int destination, int tag, Comm& comm,
           MPI_Request& handle) {
  const RequestArguments arguments = sent(data, count, destination, tag);
  begin_now(process, make_send(process, arguments, type, comm, SendMode::standard), arguments, handle);
}

void Issend(Process& process, const void* data, int count, const Datatype& type, int destination, int tag, Comm& comm,
            MPI_Request& handle) {
  const RequestArguments arguments = sent(data, count, destination, tag);
  begin_now(process, make_send(process, arguments, type, comm, SendMode::synchronous), arguments, handle);
}

void Irsend(Process& process, const void* data, int count, const Datatype& type, int destination, int tag, Comm& comm,
            MPI_Request& handle) {
  const RequestArguments arguments = sent(data, count, destination, tag);
  begin_now(process, make_send(process, arguments, type, comm, SendMode::ready), arguments, handle);
}

void Ibsend(Process& process, const void* data, int count, const Datatype& type, int destination, int tag, Comm& comm,
            MPI_Request& handle) {
  const RequestArguments arguments = sent(data, count, destination, tag);
  Request& request = make_buffered_send(process, arguments, type, comm);
  try {
    begin_now(process, request, arguments, handle);
  } catch (const Error&) {
    destroy(process, request);
    throw;
  }
}

void Irecv(Process& process, void* data, int count, const Datatype& type, int source, int tag, Comm& comm,
           MPI_Request& handle) {
  const RequestArguments arguments{data, count, source, tag};
  begin_now(process, make_receive(process, arguments, type, comm), arguments, handle);
}

void Send_init(Process& process, const void* data, int count, const Datatype& type, int destination, int tag,
               Comm& comm, MPI_Request& handle) {
  const RequestArguments arguments = sent(data, count, destination, tag);
  keep(make_send(process, arguments, type, comm, SendMode::standard), arguments, handle);
}

void Ssend_init(Process& process, const void* data, int count, const Datatype& type, int destination, int tag,
                Comm& comm, MPI_Request& handle) {
  const RequestArguments arguments = sent(data, count, destination, tag);
  keep(make_send(process, arguments, type, comm, SendMode::synchronous), arguments, handle);
}

void Rsend_init(Process& process, const void* data, int count, const Datatype& type, int destination, int tag,
                Comm& comm, MPI_Request& handle) {
  const RequestArguments arguments = sent(data, count, destination, tag);
  keep(make_send(process, arguments, type, comm, SendMode::ready), arguments, handle);
}

void Bsend_init(Process& process, const void* data, int count, const Datatype& type, int destination, int tag,
                Comm& comm, MPI_Request& handle) {
  const RequestArguments arguments = sent(data, count, destination, tag);
  keep(make_buffered_send(process, arguments, type, comm), arguments, handle);
}

void Recv_init(Process& process, void* data, int count, const Datatype& type, int source, int tag, Comm& comm,
               MPI_Request& handle) {
  const RequestArguments arguments{data, count, source, tag};
  keep(make_receive(process, arguments, type, comm), arguments, handle);
}

void Start(Process& process, MPI_Request& handle) {
  Request& request = *process.requests.find(handle);
  if (request.kind == Request::Kind::activity) [[unlikely]]
    return begin_activity(process, request);
  try {
    begin(process, request, request.arguments);
  } catch (const Error&) {
    request.active = false;  // there is nothing to wait for, and it can be started again
    throw;
  }
}

void Startall(Process& process, int count, MPI_Request* handles) {
  for (int i = 0; i < count; ++i) {
    if (process.requests.find(handles[i])->active) [[unlikely]]
      throw Error{MPI_ERR_REQUEST,
                  fmt::format("argument 2 (array_of_requests): request {} is listed before; list each once", i)};
    Start(process, handles[i]);
  }
}

void Request_free(Process& process, MPI_Request& handle, Request& request) {
  if (request.kind == Request::Kind::activity) {
    const bool goes_on = free_activity(process, request);
    handle = MPI_REQUEST_NULL;
    if (!goes_on) destroy(process, request);
    return;
  }
  handle = MPI_REQUEST_NULL;
  if (request.kind == Request::Kind::generalized) return free_generalized(process, request);
  const bool in_progress = request.active && !request.finished;
  if (in_progress && request.kind == Request::Kind::receive) return process.freed_receives.add(process, request);
  if (in_progress) process.endpoint().release_buffer(request.operations.send);
  destroy(process, request);
}

void Cancel(Process& process, MPI_Request&, Request& request) {
  if (!request.active)
    throw Error{MPI_ERR_REQUEST, "argument 1 (request): the persistent request is not active; start it first",
                request.comm};
  if (request.kind == Request::Kind::activity) refuse_activity(request, "cancelled");
  if (request.finished) return;
  if (request.kind == Request::Kind::generalized) return cancel_generalized(process, request);
  Thread::current()->settle();
  if (request.kind == Request::Kind::send)
    process.endpoint().cancel(request.operations.send);
  else
    process.endpoint().cancel(request.operations.receive);
}

void Test_cancelled(Process&, const MPI_Status& status, int& flag) { flag = status.hindcast_cancelled != 0; }

}  // namespace hindcast::mpi::body
