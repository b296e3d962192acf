#include "mpi_impl/core/requests/generalized_request.hpp"

#include <fmt/format.h>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/request.hpp"

namespace hindcast::mpi {

namespace {

// Callbacks make calls of their own.
template <typename Callback>
int call_back(Process& process, Callback callback) {
  const Call* call = process.call();
  const int code = callback();
  Thread::current()->work_off_backlog();
  process.begin_call(call);
  return code;
}

void throw_if_failed(Process& process, const char* which, int code) {
  if (code == MPI_SUCCESS) return;
  throw Error{code, fmt::format("the generalized request's {} callback has failed: it returned {}", which, code),
              &process.comm_world()};
}

}  // namespace

int query(Process& process, Request& request) {
  GeneralizedOperation& operation = *request.generalized;
  return call_back(process, [&] { return operation.query(operation.extra_state, &operation.status); });
}

int free_state(Process& process, Request& request) {
  const GeneralizedOperation& operation = *request.generalized;
  return call_back(process, [&] { return operation.free(operation.extra_state); });
}

void cancel_generalized(Process& process, Request& request) {
  const GeneralizedOperation& operation = *request.generalized;
  throw_if_failed(process, "cancel", call_back(process, [&] {
                    return operation.cancel(operation.extra_state, operation.end.is_known());
                  }));
}

// The program still has a handle to complete it by.
void free_generalized(Process& process, Request& request) {
  if (!request.generalized->end.is_known()) {
    request.generalized->is_freed = true;
    return;
  }
  const int code = free_state(process, request);
  destroy(process, request);
  throw_if_failed(process, "free", code);
}

namespace body {

void Grequest_start(Process& process, MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                    MPI_Grequest_cancel_function* cancel, void* extra_state, MPI_Request& handle) {
  Request& request =
      make_request(process, process.comm_world(), Request::Kind::generalized, *predefined_datatype(MPI_BYTE), {});
  request.active = true;
  request.generalized = std::make_unique<GeneralizedOperation>();
  set_empty_status(&request.generalized->status);
  request.generalized->query = query;
  request.generalized->free = free;
  request.generalized->cancel = cancel;
  request.generalized->extra_state = extra_state;
  handle = request.handle;
  keep_place(process, request);
}

void Grequest_complete(Process& process, Request& request) {
  request.generalized->end.complete(Thread::current()->clock());
  if (request.generalized->is_freed) free_generalized(process, request);
}

}  // namespace body

}  // namespace hindcast::mpi
