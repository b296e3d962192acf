#include "mpi_impl/core/request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

void begin_send(Process& process, Request& request) {
  const SendArguments arguments{request.data, request.count, *request.type, request.peer, request.tag};
  if (request.buffered) {
    process.buffered_sends().send(process, *request.comm, arguments);
    request.finished = true;
    return;
  }
  new (&request.operations.send) SendOperation();
  request.operations.send.is_nonblocking = true;
  begin_send(process, request.operations.send, request.staged, *request.comm, request.context, arguments, request.mode);
}

void prepare_receive(Request& request) {
  new (&request.operations.receive) ReceiveOperation();
  request.operations.receive.is_nonblocking = true;
  const ReceiveArguments arguments{request.data, request.count, *request.type, request.peer, request.tag};
  prepare_receive(request.operations.receive, request.staged, request.context, arguments);
}

}  // namespace

Request& make_request(Process& process, Comm& comm, Request::Kind kind, const void* data, int count,
                      const Datatype& type, int peer, int tag) {
  if (kind == Request::Kind::send && peer != MPI_PROC_NULL) refuse_what_is_too_long(process, comm, count, type);
  Request& request = process.requests.create();
  request.kind = kind;
  request.mode = SendMode::standard;
  request.buffered = false;
  request.persistent = false;
  request.active = false;
  request.finished = false;
  request.count = count;
  request.peer = peer;
  request.tag = tag;
  request.comm = &comm;
  request.context = comm.context;
  request.type = &type;
  request.data = const_cast<void*>(data);
  ++comm.uses;
  use(type);
  return request;
}

Request& make_request(Process& process, Comm& comm, std::unique_ptr<Activity> activity) {
  Request& request = make_request(process, comm, Request::Kind::activity, nullptr, 0, *predefined_datatype(MPI_BYTE),
                                  MPI_PROC_NULL, MPI_ANY_TAG);
  request.active = true;
  set_empty_status(&request.status);
  request.activity = std::move(activity);
  if (!request.activity->has_ended()) process.background.add(*request.activity);
  return request;
}

void begin(Process& process, Request& request) {
  if (!process.background.is_empty()) [[unlikely]]
    process.background.make_progress();
  request.active = true;
  request.finished = false;
  set_empty_status(&request.status);
  if (request.peer == MPI_PROC_NULL) {
    if (request.kind == Request::Kind::receive) set_null_peer_status(&request.status);
    request.finished = true;
  } else if (request.kind == Request::Kind::send) {
    begin_send(process, request);
  } else {
    prepare_receive(request);
    process.device().receive(request.operations.receive);
  }
}

void begin(Process& process, Request& request, const TakenMessage& taken) {
  request.active = true;
  request.status.MPI_ERROR = MPI_SUCCESS;
  prepare_receive(request);
  process.device().receive(request.operations.receive, taken);
}

int finish(Process& process, Request& request) {
  if (request.finished) return request.status.MPI_ERROR;
  if (request.kind == Request::Kind::generalized) return request.status.MPI_ERROR = query(process, request);
  request.finished = true;
  if (request.kind == Request::Kind::activity) {
    if (request.activity->error()) request.status.MPI_ERROR = request.activity->error()->code;
  } else if (request.kind == Request::Kind::send) {
    SendOperation& send = request.operations.send;
    end_send(process, send);
    request.status.hindcast_cancelled = send.cancelled ? 1 : 0;
  } else {
    ReceiveOperation& receive = request.operations.receive;
    end_receive(process, receive, request.staged, request.data, *request.type);
    if (receive.cancelled) {
      set_status(&request.status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, true);
    } else {
      set_status(&request.status, receive.envelope.source, receive.envelope.tag,
                 std::min(receive.bytes, receive.capacity).count());
      request.status.MPI_ERROR = error_of(receive);
    }
  }
  request.staged.packed.reset();
  return request.status.MPI_ERROR;
}

int finish_for_good(Process& process, Request& request) {
  finish(process, request);
  if (request.kind == Request::Kind::generalized)
    if (const int code = free_state(process, request); code != MPI_SUCCESS) request.status.MPI_ERROR = code;
  return request.status.MPI_ERROR;
}

void destroy(Process& process, Request& request) {
  request.activity.reset();
  request.generalized.reset();
  stop_using(process, *request.comm);
  process.datatypes.stop_using(*request.type);
  process.requests.destroy(request);
}

void retire(Process& process, MPI_Request& handle, Request& request) {
  request.active = false;
  if (request.persistent) return;
  destroy(process, request);
  handle = MPI_REQUEST_NULL;
}

Error error_of(const Request& request) {
  if (request.kind == Request::Kind::activity) return *request.activity->error();
  if (request.kind == Request::Kind::generalized)
    return {request.status.MPI_ERROR,
            fmt::format("a callback of the generalized request has failed: it returned {}", request.status.MPI_ERROR),
            request.comm};
  return truncation(request.operations.receive, *request.comm);
}

void FreedReceives::add(Process& process, Request& receive) {
  process.requests.hide(receive);
  receives_.push_back(&receive);
  if (receives_.size() >= limit_) tidy_up(process);
}

void FreedReceives::tidy_up(Process& process) {
  Thread& thread = *Thread::current();
  thread.settle();
  std::erase_if(receives_, [&](Request* request) {
    if (!request->has_ended_at(thread.clock())) return false;
    finish(process, *request);
    destroy(process, *request);
    return true;
  });
  limit_ = std::max(first_limit, 2 * receives_.size());
}

void FreedReceives::wait_for_all(Process& process) {
  for (Request* request : receives_) {
    wait_for(process, request->operation(), FreedWait(process, *request));
    finish(process, *request);
    destroy(process, *request);
  }
  receives_.clear();
}

}  // namespace hindcast::mpi
