// What the entry points are made of: the way in, the checks of arguments, the way to the error handler. All that runs
// when nothing is wrong is inline.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <functional>

#include "mpi_impl/api/watched_calls.hpp"
#include "mpi_impl/core/files/file.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/topologies/neighbours.hpp"
#include "mpi_impl/core/windows/window.hpp"

#define MPI_ENTRY extern "C" __attribute__((visibility("default")))
#define MPI_ALIAS(of) extern "C" __attribute__((weak, alias(of), visibility("default")))

namespace hindcast::mpi {

// --- the way in ---

[[noreturn]] void refuse_caller(const Call& call);  // not on a rank's thread
// Before MPI_Init and after MPI_Finalize the call is refused; it may be where not all threads may call.
void enter_by_phase(Process& process, const Call& call);

inline Process& enter_at_any_time(const Call& call) {
  Process* process = calling_process();
  if (process == nullptr) [[unlikely]]
    refuse_caller(call);
  if (!call.bears_backlog) Thread::current()->work_off_backlog();
  if (are_calls_watched) [[unlikely]]
    watch_call(call);
  process->begin_call(&call);
  return *process;
}

inline Process& enter(const Call& call) {
  Process& process = enter_at_any_time(call);
  if (process.phase != Process::Phase::initialized) [[unlikely]]
    enter_by_phase(process, call);
  return process;
}

// For calls about files that name none.
struct NoFile {};
constexpr NoFile no_file;

// Whose error handler a call's errors go to: MPI_COMM_WORLD's if nobody's, and MPI_FILE_NULL's of such a call.
struct Handling {
  Handling(std::nullptr_t) {}                                // NOLINT: who calls names the object
  Handling(const Comm* of) : comm(of) {}                     // NOLINT
  Handling(const Window* of) : window(of) {}                 // NOLINT
  Handling(const File* of) : file(of), is_of_files(true) {}  // NOLINT
  Handling(NoFile) : is_of_files(true) {}                    // NOLINT
  const Comm* comm = nullptr;
  const Window* window = nullptr;
  const File* file = nullptr;
  bool is_of_files = false;
};

// Moves an error out of the exception that is being handled. Error handlers may leave the stack in their own way, so
// they are called when that exception is over.
Error* keep(Error& thrown);
// Calls the error handler, the object's unless the error names another, and gives the code that the call returns. Frees
// the error.
int raise_kept(Process& process, const Handling& handling, const Call& call, Error* error);
// Stands out of line, once for each type of object, as hundreds of entry points call it.
template <typename Object>
[[gnu::cold, gnu::noinline]] int raise_kept_of(Process& process, Object object, const Call& call, Error* error) {
  return raise_kept(process, Handling(object), call, error);
}

// Runs the body; what it throws goes to the error handler.
template <typename Object, typename Body>
inline int perform(Process& process, Object object, const Call& call, Body body) {
  Error* error;
  try {
    body();
    if (are_calls_watched) [[unlikely]]
      watch_return(call);
    return MPI_SUCCESS;
  } catch (Error& thrown) {
    error = keep(thrown);
  }
  return raise_kept_of(process, object, call, error);
}

// Runs the body of a call that returns no error code.
template <typename Body>
inline auto answer(const Call& call, Body body) {
  const auto result = body();
  if (are_calls_watched) [[unlikely]]
    watch_return(call);
  return result;
}

// The same for calls of tools, which are given errors back.
inline Process& enter_for_tool(const Call& call) {
  Process* process = calling_process();
  if (process == nullptr) refuse_caller(call);
  return *process;
}
int perform_for_tool(Process& process, const Call& call, const std::function<void()>& body);

// --- wrong arguments ---

enum class Problem : std::uint8_t {
  null_pointer,
  buffer,
  count,
  counts,
  lengths,
  datatype,
  any_datatype,
  freeable_datatype,
  datatypes,
  order,
  datarep,
  same_buffer,
  destination,
  source,
  root,
  tag,
  any_tag,
  communicator,
  freeable_communicator,
  intracommunicator,
  intercommunicator,
  member,
  grid,
  graph,
  distributed_graph,
  topology,
  ndims,
  group,
  color,
  keyval,
  own_keyval,
  request,
  requests,
  live_request,
  generalized_request,
  startable,
  message,
  status,
  op,
  op_for_type,
  freeable_op,
  errhandler,
  file,
  offset,
  view_displacement,
  whence,
  error_code,
  info,
  info_or_null,
  infos,
  text_missing,
  info_key,
  info_value,
  size,
  window,
  window_memory,
  window_size,
  displacement_unit,
  displacement,
  assertion,
  lock_type,
};

// Tells the error handler that argument number `argument` is wrong; gives the code that the call returns.
int refuse_for(Process& process, const Handling& handling, const Call& call, int argument, Problem problem, long value);
template <typename Object>
[[gnu::cold, gnu::noinline]] int refuse(Process& process, Object object, const Call& call, int argument,
                                        Problem problem, long value) {
  return refuse_for(process, Handling(object), call, argument, problem, value);
}

// --- checks ---

inline Comm* find_comm(Process& process, MPI_Comm handle) { return process.comms.find(handle); }
inline Comm* find_freeable_comm(Process& process, MPI_Comm handle) {
  return is_predefined(HandleKind::comm, handle) ? nullptr : process.comms.find(handle);
}
// One to communicate with.
inline const Datatype* find_datatype(Process& process, MPI_Datatype handle) {
  if (const Datatype* type = predefined_datatype(handle)) [[likely]]
    return type;
  const DerivedType* type = process.datatypes.find_derived(handle);
  return type != nullptr && type->is_committed ? type : nullptr;
}
inline const Datatype* find_any_datatype(Process& process, MPI_Datatype handle) {
  return process.datatypes.find(handle);
}
inline DerivedType* find_freeable_datatype(Process& process, MPI_Datatype handle) {
  DerivedType* type = process.datatypes.find_derived(handle);
  return type != nullptr && !type->is_permanent ? type : nullptr;
}
inline bool are_datatypes(Process& process, const MPI_Datatype* handles, int count) {
  for (int i = 0; i < count; ++i)
    if (find_any_datatype(process, handles[i]) == nullptr) return false;
  return true;
}
inline bool is_external32(const char* name) { return std::strcmp(name, "external32") == 0; }
GroupObject* find_group(Process& process, MPI_Group handle);
inline Request* find_request(Process& process, MPI_Request handle) { return process.requests.find(handle); }
// One that is not complete yet.
inline Request* find_generalized_request(Process& process, MPI_Request handle) {
  Request* request = process.requests.find(handle);
  if (request == nullptr || request->kind != Request::Kind::generalized) return nullptr;
  return request->generalized->end.is_known() ? nullptr : request;
}
inline const Op* find_op(Process& process, MPI_Op handle) {
  return is_predefined(HandleKind::op, handle) ? predefined_op(handle) : process.ops.find(handle);
}
inline Op* find_freeable_op(Process& process, MPI_Op handle) { return process.ops.find(handle); }
// Any, or one that is good for such objects.
Errhandler* find_errhandler(Process& process, MPI_Errhandler handle);
Errhandler* find_errhandler(Process& process, MPI_Errhandler handle, Errhandler::Of of);
inline Errhandler* find_comm_errhandler(Process& process, MPI_Errhandler handle) {
  return find_errhandler(process, handle, Errhandler::Of::comm);
}
inline Errhandler* find_file_errhandler(Process& process, MPI_Errhandler handle) {
  return find_errhandler(process, handle, Errhandler::Of::file);
}

inline bool is_tag(const Process& process, int tag) {
  return static_cast<unsigned>(tag) <= static_cast<unsigned>(process.tag_upper_bound);
}
inline bool is_any_tag(const Process& process, int tag) { return is_tag(process, tag) || tag == MPI_ANY_TAG; }
inline bool is_destination(int rank, const Comm& comm) {
  return static_cast<unsigned>(rank) < static_cast<unsigned>(comm.peer_count) || rank == MPI_PROC_NULL;
}
inline bool is_destination(int rank, const Window& window) { return is_destination(rank, *window.comm); }
inline bool is_source(int rank, const Comm& comm) { return is_destination(rank, comm) || rank == MPI_ANY_SOURCE; }
inline bool is_member(int rank, const Comm& comm) {
  return static_cast<unsigned>(rank) < static_cast<unsigned>(comm.size);
}
inline bool is_root(int rank, const Comm& comm) {
  if (comm.is_inter() && (rank == MPI_ROOT || rank == MPI_PROC_NULL)) return true;
  return static_cast<unsigned>(rank) < static_cast<unsigned>(comm.peer_count);
}

// Where a rank stands in a collective with a root. Of an intercommunicator's two groups one has the root, which says
// MPI_ROOT while those beside it say MPI_PROC_NULL, and the other has the leaves.
inline bool is_at_root(const Comm& comm, int root) { return comm.is_inter() ? root == MPI_ROOT : root == comm.rank; }
inline bool is_at_leaf(const Comm& comm, int root) { return !comm.is_inter() || root >= 0; }
inline bool takes_part(const Comm& comm, int root) { return root != MPI_PROC_NULL || !comm.is_inter(); }

inline bool takes(Process& process, const Call& call, const Op& op, const Datatype& type) {
  if (Leniency* leniency = process.world().leniency()) [[unlikely]]
    leniency->look_at(call.name, process.rank().id, op, type);
  return op.takes(type);
}

template <typename Kind>
bool has_topology(const Comm& comm) {
  return comm.topology != nullptr && std::holds_alternative<Kind>(*comm.topology);
}

// A null pointer where there are elements, or MPI_IN_PLACE where it has no meaning. MPI_BOTTOM is a null pointer too:
// it is right with datatypes whose displacements are addresses.
inline bool is_null_or_in_place(const void* buffer) {
  const auto above_in_place = static_cast<std::uintptr_t>(-reinterpret_cast<std::intptr_t>(MPI_IN_PLACE));
  return reinterpret_cast<std::uintptr_t>(buffer) + above_in_place <= above_in_place;
}
inline bool is_missing(const void* buffer, int count, const Datatype& type) {
  return is_null_or_in_place(buffer) && type.size > 0 &&
         (buffer == MPI_IN_PLACE || (count > 0 && type.true_lower_bound == 0));
}
inline bool are_missing(const void* buffer, const int* counts, int blocks, const Datatype& type) {
  if (!is_null_or_in_place(buffer)) return false;
  for (int block = 0; block < blocks; ++block)
    if (is_missing(buffer, counts[block], type)) return true;
  return false;
}
inline bool are_missing(const void* buffer, const int* counts, const Comm& comm, const Datatype& type) {
  return are_missing(buffer, counts, comm.peer_count, type);
}
// Committed ones. Programs give none where there are no elements.
inline bool are_datatypes_of_blocks(Process& process, const MPI_Datatype* handles, const int* counts, int blocks) {
  for (int block = 0; block < blocks; ++block) {
    const bool is_left_out = handles[block] == MPI_DATATYPE_NULL && counts[block] == 0;
    if (!is_left_out && find_datatype(process, handles[block]) == nullptr) return false;
  }
  return true;
}
inline bool are_datatypes_of_ranks(Process& process, const MPI_Datatype* handles, const int* counts, const Comm& comm) {
  return are_datatypes_of_blocks(process, handles, counts, comm.peer_count);
}
inline bool has_negative(const int* counts, const Comm& comm) {
  for (int rank = 0; rank < comm.peer_count; ++rank)
    if (counts[rank] < 0) return true;
  return false;
}

inline bool has_negative(const int* lengths, int count) {
  for (int i = 0; i < count; ++i)
    if (lengths[i] < 0) return true;
  return false;
}

inline bool is_request(Process& process, MPI_Request handle) {
  return handle == MPI_REQUEST_NULL || process.requests.find(handle) != nullptr;
}
inline bool are_requests(Process& process, const MPI_Request* handles, int count) {
  for (int i = 0; i < count; ++i)
    if (!is_request(process, handles[i])) return false;
  return true;
}
inline bool is_startable(Process& process, MPI_Request handle) {
  const Request* request = process.requests.find(handle);
  return request != nullptr && request->persistent && !request->active;
}
inline bool are_startable(Process& process, const MPI_Request* handles, int count) {
  for (int i = 0; i < count; ++i)
    if (!is_startable(process, handles[i])) return false;
  return true;
}
inline bool is_message(Process& process, MPI_Message handle) {
  return handle == MPI_MESSAGE_NO_PROC || process.messages.find(handle) != nullptr;
}
inline bool is_no_status(const void* status) { return status == nullptr || status == MPI_STATUS_IGNORE; }
inline bool is_error_code(Process& process, int code) { return process.added_errors().is_known(code); }
Info* find_info(Process& process, MPI_Info handle);
inline bool is_info_or_null(Process& process, MPI_Info handle) {
  return handle == MPI_INFO_NULL || find_info(process, handle) != nullptr;
}
inline bool are_infos_or_null(Process& process, const MPI_Info* handles, int count) {
  for (int i = 0; i < count; ++i)
    if (!is_info_or_null(process, handles[i])) return false;
  return true;
}
inline bool has_null(char* const* texts, int count) {
  for (int i = 0; i < count; ++i)
    if (texts[i] == nullptr) return true;
  return false;
}
inline bool is_info_key(const char* key) {
  const std::size_t length = strnlen(key, MPI_MAX_INFO_KEY);
  return length > 0 && length < MPI_MAX_INFO_KEY;
}
inline bool is_info_value(const char* value) { return strnlen(value, MPI_MAX_INFO_VAL) < MPI_MAX_INFO_VAL; }
bool is_comm_keyval(Process& process, int keyval);

// --- of windows ---

Window* find_window(Process& process, MPI_Win handle);
inline Errhandler* find_win_errhandler(Process& process, MPI_Errhandler handle) {
  return find_errhandler(process, handle, Errhandler::Of::win);
}
bool is_win_keyval(Process& process, int keyval);
// Those of dynamic windows are addresses.
inline bool is_displacement_wrong(MPI_Aint displacement, const Window& window) {
  return displacement < 0 && !window.is_dynamic();
}
inline bool is_assertion(int assertion) {
  constexpr int all = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
  return (assertion & ~all) == 0;
}

// --- of files ---

File* find_file(Process& process, MPI_File handle);

}  // namespace hindcast::mpi
