// Waiting for requests, and testing them.
//
// Null handles and inactive persistent requests count as nothing to wait for. To say no, or to choose among several,
// the thread settles first.
#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/request.hpp"

namespace hindcast::mpi::body {

namespace {

// The request if there is something to wait for, else null.
Request* active_one(Process& process, MPI_Request handle) {
  Request* request = process.requests.find(handle);
  return request != nullptr && request->active ? request : nullptr;
}

// A completion wakes one thread. All are looked at before the thread begins to wait for any.
void require_no_other_waits(Process& process, int count, const MPI_Request* handles) {
  if (!process.has_threads()) return;
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request != nullptr && !request->finished && request->operation().gate() != nullptr)
      throw Error{MPI_ERR_REQUEST, "another thread waits for this request already; only one may"};
  }
}

// A request that is listed twice ends once, and is gone then or inactive. Whether the call could go on as if it stood
// there once hangs on when it ends, so that it is refused whenever it is found.
[[noreturn]] void refuse_repeated(int index) {
  throw Error{MPI_ERR_REQUEST,
              fmt::format("argument 2 (array_of_requests): request {} is listed before; list each once", index)};
}

void forget_all(Process& process, int count, const MPI_Request* handles) {
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request != nullptr && !request->finished) Gate::forget(request->operation());
  }
}

// Waits until all of the requests have ended, by a gate that opens then.
void wait_at(Process& process, Gate& gate, int count, const MPI_Request* handles, const Wait& why) {
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request == nullptr || request->finished) continue;
    if (request->kind == Request::Kind::activity) [[unlikely]]
      process.background.run_to_end_if_alone(*request->activity, why);
    if (!gate.add(request->operation())) [[unlikely]] {
      forget_all(process, i, handles);
      refuse_repeated(i);
    }
  }
  mpi::wait(process, gate, why);
}

// Whether the call has completed the handle's request already, as it stood in the array before: all handles were good
// when the call began.
bool is_gone(Process& process, MPI_Request handle) {
  return handle != MPI_REQUEST_NULL && process.requests.find(handle) == nullptr;
}

// All but the error, which is told otherwise, or by a call that tells of several.
void tell(MPI_Status* status, const Request& request) {
  if (status == MPI_STATUS_IGNORE) return;
  const int error_before = status->MPI_ERROR;
  *status = status_of(request);
  status->MPI_ERROR = error_before;
}

// The end of a call that tells of one request.
void finish_one(Process& process, MPI_Request& handle, Request& request, MPI_Status* status) {
  if (finish_for_good(process, request) != MPI_SUCCESS) [[unlikely]] {
    tell(status, request);
    Error error = error_of(process, request);
    error.held = hold(process, *request.comm);
    retire(process, handle, request);
    throw error;
  }
  tell(status, request);
  retire(process, handle, request);
}

// The end of a call that tells of several requests: MPI_ERR_IN_STATUS if one has failed, with an error code in each
// status.
class Finished {
 public:
  Finished(Process& process, MPI_Status* statuses) : process_(process), statuses_(statuses) {}

  void add(MPI_Request& handle, Request& request) {
    const int code = finish_for_good(process_, request);
    MPI_Status* status = next();
    tell(status, request);
    if (code != MPI_SUCCESS && !has_failed_) [[unlikely]]
      note_first_failure(request);
    if (has_failed_ && status != MPI_STATUS_IGNORE) status->MPI_ERROR = code;
    ++told_;
    retire(process_, handle, request);
  }
  void add_nothing(MPI_Request handle) {
    if (is_gone(process_, handle)) [[unlikely]]
      refuse_repeated(told_);
    set_empty_status(next());
    ++told_;
  }
  int count() const { return told_; }
  void throw_if_failed() const {
    if (has_failed_) throw first_failure_;
  }

 private:
  MPI_Status* next() { return statuses_ == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses_ + told_; }
  void note_first_failure(const Request& request) {
    has_failed_ = true;
    first_failure_ = error_of(process_, request);
    first_failure_.code = MPI_ERR_IN_STATUS;
    first_failure_.held = hold(process_, *request.comm);
    if (statuses_ == MPI_STATUSES_IGNORE) return;
    for (int i = 0; i < told_; ++i) statuses_[i].MPI_ERROR = MPI_SUCCESS;
  }

  Process& process_;
  MPI_Status* statuses_;
  int told_ = 0;
  bool has_failed_ = false;
  Error first_failure_;
};

// The active request that ended first, by the lowest index if several did at once; -1 if none has by now.
int first_ended(Process& process, int count, const MPI_Request* handles, Time now) {
  int first = -1;
  Time first_at;
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request == nullptr || !request->has_ended_at(now)) continue;
    const Time at = request->finished ? Time() : request->operation().at();
    if (first >= 0 && at >= first_at) continue;
    first = i;
    first_at = at;
  }
  return first;
}

bool is_any_active(Process& process, int count, const MPI_Request* handles) {
  for (int i = 0; i < count; ++i)
    if (active_one(process, handles[i]) != nullptr) return true;
  return false;
}

// Waits until one of the active requests has ended, without waiting longer for one of which the end is known.
void wait_for_any(Process& process, int count, const MPI_Request* handles, const Wait& why) {
  Thread& thread = *Thread::current();
  Gate gate(thread);
  gate.open_at_first();
  Time earliest = Time::never();
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request == nullptr || request->finished) continue;
    if (request->operation().is_known())
      earliest = std::min(earliest, request->operation().at());
    else
      gate.add(request->operation());
  }
  Alarm* alarm = earliest == Time::never() ? nullptr : &process.alarms.set(earliest);
  if (alarm != nullptr) gate.add(alarm->completion());
  mpi::wait(process, gate, why);
  if (alarm != nullptr) alarm->forget();
  forget_all(process, count, handles);
}

// The index of the first one to end, or MPI_UNDEFINED if none is active.
int wait_for_first(Process& process, int count, const MPI_Request* handles) {
  if (!is_any_active(process, count, handles)) return MPI_UNDEFINED;
  require_no_other_waits(process, count, handles);
  const RequestsWait why(process, RequestsWait::What::any, count, handles);
  Thread& thread = *Thread::current();
  for (;;) {
    thread.settle(&why);
    const int index = first_ended(process, count, handles, thread.clock());
    if (index >= 0) return index;
    wait_for_any(process, count, handles, why);
  }
}

// Where one thread has found what it looked for, all may go on.
void have_not_looked_in_vain(Thread& thread) { thread.engine().idle_looks().begin_again(); }

// Whether the request has ended; the thread settles before it says no.
bool has_ended(Request& request, const Wait& why) {
  Thread& thread = *Thread::current();
  if (!request.has_ended_at(thread.clock())) thread.settle(&why);
  const bool has_ended = request.has_ended_at(thread.clock());
  if (has_ended) have_not_looked_in_vain(thread);
  return has_ended;
}

// How many are told of is said before an error is.
void finish_ended(Process& process, int count, MPI_Request* handles, int& done, int* indices, MPI_Status* statuses) {
  const Time now = Thread::current()->clock();
  Finished finished(process, statuses);
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request == nullptr || !request->has_ended_at(now)) continue;
    indices[finished.count()] = i;
    finished.add(handles[i], *request);
  }
  done = finished.count();
  if (done > 0) have_not_looked_in_vain(*Thread::current());
  finished.throw_if_failed();
}

}  // namespace

void Wait(Process& process, MPI_Request& handle, MPI_Status* status) {
  Request* request = active_one(process, handle);
  if (request == nullptr) return set_empty_status(status);
  require_no_other_waits(process, 1, &handle);
  if (!request->finished) {
    const RequestsWait why(process, RequestsWait::What::all, 1, &handle);
    if (request->kind == Request::Kind::activity) process.background.run_to_end_if_alone(*request->activity, why);
    wait_for(process, request->operation(), why);
  }
  finish_one(process, handle, *request, status);
}

void Waitall(Process& process, int count, MPI_Request* handles, MPI_Status* statuses) {
  require_no_other_waits(process, count, handles);
  const RequestsWait why(process, RequestsWait::What::all, count, handles);
  Gate gate(*Thread::current());
  wait_at(process, gate, count, handles, why);
  why.fetch(0);
  Finished finished(process, statuses);
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request == nullptr) {
      finished.add_nothing(handles[i]);
    } else {
      if (!request->finished) wait_until_holds(process, request->operation(), why);
      finished.add(handles[i], *request);
    }
  }
  finished.throw_if_failed();
}

void Waitany(Process& process, int count, MPI_Request* handles, int& index, MPI_Status* status) {
  index = wait_for_first(process, count, handles);
  if (index == MPI_UNDEFINED) return set_empty_status(status);
  finish_one(process, handles[index], *process.requests.find(handles[index]), status);
}

void Waitsome(Process& process, int count, MPI_Request* handles, int& done, int* indices, MPI_Status* statuses) {
  done = MPI_UNDEFINED;
  if (wait_for_first(process, count, handles) == MPI_UNDEFINED) return;
  finish_ended(process, count, handles, done, indices, statuses);
}

void Test(Process& process, MPI_Request& handle, int& flag, MPI_Status* status) {
  flag = 1;
  Request* request = active_one(process, handle);
  if (request == nullptr) return set_empty_status(status);
  const RequestsWait why(process, RequestsWait::What::all, 1, &handle);
  poll(process, why);
  flag = has_ended(*request, why);
  if (flag) finish_one(process, handle, *request, status);
}

void Testall(Process& process, int count, MPI_Request* handles, int& flag, MPI_Status* statuses) {
  const RequestsWait why(process, RequestsWait::What::all, count, handles);
  poll(process, why);
  flag = 0;
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request != nullptr && !has_ended(*request, why)) return;
  }
  flag = 1;
  Finished finished(process, statuses);
  for (int i = 0; i < count; ++i) {
    Request* request = active_one(process, handles[i]);
    if (request == nullptr)
      finished.add_nothing(handles[i]);
    else
      finished.add(handles[i], *request);
  }
  finished.throw_if_failed();
}

void Testany(Process& process, int count, MPI_Request* handles, int& index, int& flag, MPI_Status* status) {
  index = MPI_UNDEFINED;
  flag = 1;
  if (!is_any_active(process, count, handles)) return set_empty_status(status);
  const RequestsWait why(process, RequestsWait::What::any, count, handles);
  poll(process, why);
  Thread& thread = *Thread::current();
  thread.settle(&why);
  const int first = first_ended(process, count, handles, thread.clock());
  flag = first >= 0;
  if (!flag) return;
  have_not_looked_in_vain(thread);
  index = first;
  finish_one(process, handles[index], *process.requests.find(handles[index]), status);
}

void Testsome(Process& process, int count, MPI_Request* handles, int& done, int* indices, MPI_Status* statuses) {
  done = MPI_UNDEFINED;
  if (!is_any_active(process, count, handles)) return;
  const RequestsWait why(process, RequestsWait::What::any, count, handles);
  poll(process, why);
  Thread::current()->settle(&why);
  finish_ended(process, count, handles, done, indices, statuses);
}

void Request_get_status(Process& process, MPI_Request handle, int& flag, MPI_Status* status) {
  flag = 1;
  Request* request = active_one(process, handle);
  if (request == nullptr) return set_empty_status(status);
  const RequestsWait why(process, RequestsWait::What::all, 1, &handle);
  poll(process, why);
  flag = has_ended(*request, why);
  if (!flag) return;
  const int code = finish(process, *request);
  tell(status, *request);
  if (code != MPI_SUCCESS && request->kind == Request::Kind::generalized) throw error_of(process, *request);
}

}  // namespace hindcast::mpi::body
