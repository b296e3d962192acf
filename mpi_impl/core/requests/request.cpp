#include "mpi_impl/core/requests/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

// What the end of a send looks at is in one line, and in a second one what the end of a receive does beside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
constexpr std::size_t line = 64;
static_assert(offsetof(Request, operations) == 32);
static_assert(offsetof(SendOperation, data) == line - 32);
static_assert(offsetof(ReceiveOperation, data) == line - 32);
static_assert(offsetof(ReceiveOperation, endpoint_room) + sizeof(void*) == 2 * line - 32);
#pragma GCC diagnostic pop

// A function of its own, so that begin_send stays short enough to be part of its callers.
[[gnu::cold, gnu::noinline]] void watch(Process& process, Request& request, const RequestArguments& to,
                                        const SendArguments& arguments) {
  const programs::ProgramPlace place = process.world().leftovers()->place_of(request);
  process.world().sent_buffers()->keep(request, to, place);
  request.buffer = Request::Buffer::watched;
  process.world().sent_elements()->keep(process, *request.comm, arguments, place);
}

void begin_send(Process& process, Request& request, const RequestArguments& to) {
  SendOperation& send = *new (&request.operations.send) SendOperation;
  const SendArguments arguments{to.data, to.count, *request.type, to.peer, to.tag};
  if (request.buffered) {
    process.buffered_sends().send(process, *request.comm, arguments);
    request.finished = true;
    return;
  }
  if (process.world().sent_buffers() != nullptr) [[unlikely]]
    watch(process, request, to, arguments);
  send.is_nonblocking = true;
  send.may_be_in_backlog = process.background.is_empty() && request.buffer == Request::Buffer::trusted;
  begin_send(process, send, request.staged, *request.comm, request.comm->context, arguments, request.mode);
}

ReceiveOperation& prepare_receive(Request& request, const RequestArguments& from) {
  ReceiveOperation& receive = *new (&request.operations.receive) ReceiveOperation;
  receive.is_nonblocking = true;
  prepare_receive(receive, request.staged, request.comm->context,
                  {from.data, from.count, *request.type, from.peer, from.tag});
  return receive;
}

void begin_with_nobody(Request& request) {
  if (request.kind == Request::Kind::send)
    new (&request.operations.send) SendOperation;
  else
    (new (&request.operations.receive) ReceiveOperation)->envelope = {0, MPI_PROC_NULL, MPI_ANY_TAG};
  request.finished = true;
}

// A function of its own, so that finish_send stays short enough to be part of its callers.
[[gnu::noinline]] void look_for_change(Process& process, Request& request) {
  const SendOperation& send = request.operations.send;
  if (send.cancelled) process.world().sent_elements()->forget(send.message);
  if (process.world().sent_buffers()->of(request).has_changed()) request.buffer = Request::Buffer::wrong;
}

[[gnu::noinline]] void look_for_other_elements(Process& process, Request& receive) {
  const bool differ = process.world().sent_elements()->differ(process, receive);
  receive.buffer = differ ? Request::Buffer::wrong : Request::Buffer::watched;
}

void finish_send(Process& process, Request& request) {
  request.finished = true;
  SendOperation& send = request.operations.send;
  end_send(process, send);
  if (send.is_staged) [[unlikely]]
    request.staged.reset();
  if (request.buffer == Request::Buffer::trusted) [[likely]]
    return;
  look_for_change(process, request);
}

void finish_receive(Process& process, Request& request) {
  request.finished = true;
  ReceiveOperation& receive = request.operations.receive;
  end_receive(process, receive, request.staged);
  if (receive.is_staged) [[unlikely]]
    request.staged.reset();
  if (process.world().sent_elements() != nullptr) [[unlikely]]
    look_for_other_elements(process, request);
}

void go_on_with(Process& process, Request& request, std::unique_ptr<Activity> activity) {
  keep_place(process, request);
  request.active = true;
  request.finished = false;
  request.activity = std::move(activity);
  if (!request.activity->has_ended()) process.background.add(*request.activity);
}

// Of one that has finished.
int code_of_send(const Request& request) {
  return request.buffer == Request::Buffer::wrong ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

int code_of_receive(const Request& request) {
  if (request.operations.receive.cancelled) return MPI_SUCCESS;
  const int code = error_of(request.operations.receive);
  return code == MPI_SUCCESS && request.buffer == Request::Buffer::wrong ? MPI_ERR_TYPE : code;
}

int code_of(const Request& request) {
  switch (request.kind) {
    case Request::Kind::send:
      return code_of_send(request);
    case Request::Kind::receive:
      return code_of_receive(request);
    case Request::Kind::activity:
      return request.activity->error() ? request.activity->error()->code : MPI_SUCCESS;
    case Request::Kind::generalized:
      break;
  }
  return request.generalized->status.MPI_ERROR;
}

// What is neither a send nor a receive.
[[gnu::noinline]] int finish_other(Process& process, Request& request) {
  if (request.kind == Request::Kind::generalized)
    return request.generalized->status.MPI_ERROR = query(process, request);
  request.finished = true;
  request.activity->look_at_what_was_sent(*request.comm);
  if (request.activity->when_finished) request.activity->when_finished();
  return code_of(request);
}

}  // namespace

Request& make_request(Process& process, Comm& comm, Request::Kind kind, const Datatype& type,
                      const RequestArguments& arguments) {
  if (kind == Request::Kind::send && arguments.peer != MPI_PROC_NULL)
    refuse_what_is_too_long(process, comm, arguments.count, type);
  Request& request = process.requests.create();
  request.kind = kind;
  request.mode = SendMode::standard;
  request.buffered = false;
  request.persistent = false;
  request.active = false;
  request.finished = false;
  request.buffer = Request::Buffer::trusted;
  request.comm = &comm;
  request.type = &type;
  ++comm.uses;
  use(type);
  return request;
}

Request& make_request(Process& process, Comm& comm, std::unique_ptr<Activity> activity) {
  Request& request = make_request(process, comm, Request::Kind::activity, *predefined_datatype(MPI_BYTE), {});
  go_on_with(process, request, std::move(activity));
  return request;
}

Request& make_request(Process& process, Comm& comm, std::unique_ptr<Restartable> restartable) {
  Request& request = make_request(process, comm, Request::Kind::activity, *predefined_datatype(MPI_BYTE), {});
  request.persistent = true;
  request.restartable = std::move(restartable);
  return request;
}

void begin_activity(Process& process, Request& request) {
  Restartable& restartable = *request.restartable;
  if (restartable.before) restartable.before();
  go_on_with(process, request, restartable.begin());
  request.activity->when_finished = restartable.after;
}

void keep_place(Process& process, const Request& request) {
  if (process.world().leftovers() != nullptr) [[unlikely]]
    process.world().leftovers()->keep_place(request);
}

void begin(Process& process, Request& request, const RequestArguments& arguments) {
  keep_place(process, request);
  if (!process.background.is_empty()) [[unlikely]]
    process.background.make_progress();
  request.active = true;
  request.finished = false;
  if (arguments.peer == MPI_PROC_NULL)
    begin_with_nobody(request);
  else if (request.kind == Request::Kind::send)
    begin_send(process, request, arguments);
  else
    process.endpoint().receive(prepare_receive(request, arguments));
}

void begin(Process& process, Request& request, const RequestArguments& arguments, const TakenMessage& taken) {
  request.active = true;
  keep_place(process, request);
  process.endpoint().receive(prepare_receive(request, arguments), taken);
}

// From the operation, so that the arguments are only kept of those requests that need them again.
int peer_of(const Request& request) {
  if (request.kind == Request::Kind::receive) return request.operations.receive.pattern.source;
  return request.comm->peers->rank_of(request.operations.send.destination);
}

int tag_of(const Request& request) {
  if (request.kind == Request::Kind::receive) return request.operations.receive.pattern.tag;
  return request.operations.send.envelope.tag;
}

int finish(Process& process, Request& request) {
  if (request.finished) return code_of(request);
  if (request.kind == Request::Kind::send) {
    finish_send(process, request);
    return code_of_send(request);
  }
  if (request.kind == Request::Kind::receive) {
    finish_receive(process, request);
    return code_of(request);
  }
  return finish_other(process, request);
}

int finish_for_good(Process& process, Request& request) {
  const int code = finish(process, request);
  if (request.kind != Request::Kind::generalized) [[likely]]
    return code;
  const int code_of_free = free_state(process, request);
  if (code_of_free != MPI_SUCCESS) request.generalized->status.MPI_ERROR = code_of_free;
  return request.generalized->status.MPI_ERROR;
}

void destroy(Process& process, Request& request) {
  if (request.kind == Request::Kind::activity) {
    request.activity.reset();
    request.restartable.reset();
  } else if (request.kind == Request::Kind::generalized) {
    request.generalized.reset();
  }
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

MPI_Status status_of(const Request& request) {
  MPI_Status status;
  set_empty_status(&status);
  if (request.kind == Request::Kind::generalized) {
    status = request.generalized->status;
  } else if (request.kind == Request::Kind::activity) {
    request.activity->tell(status);
  } else if (request.kind == Request::Kind::send) {
    status.hindcast_cancelled = request.operations.send.cancelled ? 1 : 0;
  } else if (request.kind == Request::Kind::receive) {
    const ReceiveOperation& receive = request.operations.receive;
    if (receive.cancelled)
      status.hindcast_cancelled = 1;
    else
      set_status(&status, receive.envelope.source, receive.envelope.tag, receive.received().count());
  }
  return status;
}

Error error_of(Process& process, const Request& request) {
  if (request.kind == Request::Kind::send) return process.world().sent_buffers()->of(request).error(*request.comm);
  if (request.kind == Request::Kind::activity) return *request.activity->error();
  if (request.kind == Request::Kind::generalized) {
    const int code = request.generalized->status.MPI_ERROR;
    return {code, fmt::format("a callback of the generalized request has failed: it returned {}", code), request.comm};
  }
  if (code_of_receive(request) == MPI_ERR_TYPE) return process.world().sent_elements()->error_of(request);
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
