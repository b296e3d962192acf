#include "mpi_impl/api/entry.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "mpi_impl/core/files/files.hpp"
#include "mpi_impl/core/tools/tools.hpp"
#include "mpi_impl/core/windows/windows.hpp"
#include "simulator/programs/load/program_check.hpp"
#include "simulator/programs/process/simulated_thread.hpp"

namespace hindcast::mpi {

namespace {

struct Wrong {
  int code;
  std::string text;
};

// A handle that is not good: what it is instead.
std::string handle_text(HandleKind kind, const char* what, const char* null_name, long value) {
  const int handle = static_cast<int>(value);
  if (handle == make_handle(kind, 0, 0)) return fmt::format("is {}; give {} that exists", null_name, what);
  if (kind_of(handle) == kind && generation_of(handle) != 0)
    return fmt::format("is {} that has been freed, or belongs to another rank", what);
  return fmt::format("is not {} (its value is {:#x})", what, static_cast<unsigned>(handle));
}

bool is_predefined_keyval(int keyval, int first, int last) {
  return is_predefined(HandleKind::keyval, keyval) && place_of(keyval) >= place_of(first) &&
         place_of(keyval) <= place_of(last);
}

Wrong wrong_rank(int code, const Comm& comm, long value, const char* also) {
  return {code, fmt::format("is {}, but {}{} has ranks 0 to {}; give one of them{}", value,
                            comm.is_inter() ? "the remote group of " : "", comm.name(), comm.peer_count - 1, also)};
}

Wrong wrong_communicator(Problem problem, long value) {
  if (problem == Problem::freeable_communicator && is_predefined(HandleKind::comm, static_cast<int>(value)) &&
      place_of(static_cast<int>(value)) != 0)
    return {MPI_ERR_COMM, "is a predefined communicator, which cannot be freed"};
  return {MPI_ERR_COMM, handle_text(HandleKind::comm, "a communicator", "MPI_COMM_NULL", value)};
}

Wrong wrong_op(Problem problem, long value) {
  const Op* predefined = predefined_op(static_cast<int>(value));
  if (problem == Problem::freeable_op && predefined != nullptr)
    return {MPI_ERR_OP, fmt::format("is the predefined {}, which cannot be freed", predefined->name)};
  if (problem == Problem::op_for_type && predefined != nullptr)
    return {MPI_ERR_OP, fmt::format("{} is not defined for this datatype (MPI-3.1, 5.9.2)", predefined->name)};
  return {MPI_ERR_OP, handle_text(HandleKind::op, "an operation", "MPI_OP_NULL", value)};
}

Wrong wrong_datatype(Process& process, Problem problem, long value) {
  const Datatype* type = process.datatypes.find(static_cast<int>(value));
  if (problem == Problem::datatype && type != nullptr)
    return {MPI_ERR_TYPE, "is a datatype that has not been committed; call MPI_Type_commit first"};
  if (problem == Problem::freeable_datatype && type != nullptr)
    return {MPI_ERR_TYPE, fmt::format("is predefined ({}), and cannot be freed",
                                      type->is_predefined() ? type->name : "made by MPI_Type_create_f90_...")};
  return {MPI_ERR_TYPE, handle_text(HandleKind::datatype, "a datatype", "MPI_DATATYPE_NULL", value)};
}

// One of an array of handles; the first that is not good.
Wrong wrong_request(long value) {
  return {MPI_ERR_REQUEST, handle_text(HandleKind::request, "a request", "MPI_REQUEST_NULL", value)};
}

Wrong wrong_errhandler(Process& process, long value) {
  if (find_errhandler(process, static_cast<int>(value)) != nullptr)
    return {MPI_ERR_ARG, "is an error handler for objects of another kind"};
  return {MPI_ERR_ARG, handle_text(HandleKind::errhandler, "an error handler", "MPI_ERRHANDLER_NULL", value)};
}

Wrong wrong_buffer(bool is_in_place) {
  if (is_in_place) return {MPI_ERR_BUFFER, "is MPI_IN_PLACE, which has no meaning here; give a buffer"};
  return {MPI_ERR_BUFFER, "is a null pointer, but the count is not 0; give the address of the data"};
}

Wrong wrong_keyval(Problem problem, long value) {
  if (value == MPI_KEYVAL_INVALID) return {MPI_ERR_KEYVAL, "is MPI_KEYVAL_INVALID; give the key of an attribute"};
  if (problem == Problem::own_keyval && is_predefined_keyval(static_cast<int>(value), MPI_TAG_UB, MPI_WIN_MODEL))
    return {MPI_ERR_KEYVAL, "is a predefined attribute's key; those can only be read"};
  return {MPI_ERR_KEYVAL,
          fmt::format("is not the key of an attribute of such objects, or has been freed (its value is {:#x})", value)};
}

Wrong describe(Process& process, const Comm* comm, Problem problem, long value) {
  const Comm& of_comm = comm != nullptr ? *comm : process.comm_world();
  switch (problem) {
    case Problem::null_pointer:
      return {MPI_ERR_ARG, "is a null pointer; give the address of a variable"};
    case Problem::buffer:
      return wrong_buffer(value != 0);
    case Problem::count:
      return {MPI_ERR_COUNT, fmt::format("is {}; it must not be negative", value)};
    case Problem::counts:
      return {MPI_ERR_COUNT, "has a negative count; none may be"};
    case Problem::lengths:
      return {MPI_ERR_ARG, "has a negative length; none may be"};
    case Problem::datatype:
    case Problem::any_datatype:
    case Problem::freeable_datatype:
      return wrong_datatype(process, problem, value);
    case Problem::datatypes:
      return {MPI_ERR_TYPE, "has a handle that is not a datatype: it is null, has been freed, or was never set"};
    case Problem::order:
      return {MPI_ERR_ARG, fmt::format("is {}; give MPI_ORDER_C or MPI_ORDER_FORTRAN", value)};
    case Problem::datarep:
      return {MPI_ERR_ARG, "is not \"external32\", the only data representation there is here"};
    case Problem::same_buffer:
      return {MPI_ERR_BUFFER,
              "is another buffer of this call too; give memory of its own, or MPI_IN_PLACE where that is allowed"};
    case Problem::destination:
      return wrong_rank(MPI_ERR_RANK, of_comm, value, ", or MPI_PROC_NULL");
    case Problem::source:
      return wrong_rank(MPI_ERR_RANK, of_comm, value, ", MPI_ANY_SOURCE or MPI_PROC_NULL");
    case Problem::root:
      return wrong_rank(MPI_ERR_ROOT, of_comm, value, of_comm.is_inter() ? ", MPI_ROOT or MPI_PROC_NULL" : "");
    case Problem::tag:
      return {MPI_ERR_TAG, fmt::format("is {}; a tag is 0 to {}", value, process.tag_upper_bound)};
    case Problem::any_tag:
      return {MPI_ERR_TAG, fmt::format("is {}; a tag is 0 to {}, or MPI_ANY_TAG", value, process.tag_upper_bound)};
    case Problem::communicator:
    case Problem::freeable_communicator:
      return wrong_communicator(problem, value);
    case Problem::intracommunicator:
      return {MPI_ERR_COMM, "is an intercommunicator; give a communicator of one group"};
    case Problem::intercommunicator:
      return {MPI_ERR_COMM, "is not an intercommunicator; there is no remote group"};
    case Problem::member:
      return {MPI_ERR_RANK, fmt::format("is {}, but {} has ranks 0 to {}; give one of them", value, of_comm.name(),
                                        of_comm.size - 1)};
    case Problem::grid:
      return {MPI_ERR_TOPOLOGY, "has no Cartesian topology; give a communicator that MPI_Cart_create made"};
    case Problem::graph:
      return {MPI_ERR_TOPOLOGY, "has no graph topology; give a communicator that MPI_Graph_create made"};
    case Problem::distributed_graph:
      return {MPI_ERR_TOPOLOGY,
              "has no distributed graph topology; give a communicator that MPI_Dist_graph_create made"};
    case Problem::topology:
      return {MPI_ERR_TOPOLOGY,
              "has no topology, so its ranks have no neighbours; give a communicator that "
              "MPI_Cart_create, MPI_Graph_create or MPI_Dist_graph_create made"};
    case Problem::ndims:
      return {MPI_ERR_DIMS, fmt::format("is {}; it must not be negative", value)};
    case Problem::group:
      return {MPI_ERR_GROUP, handle_text(HandleKind::group, "a group", "MPI_GROUP_NULL", value)};
    case Problem::color:
      return {MPI_ERR_ARG, fmt::format("is {}; a colour is not negative, or MPI_UNDEFINED", value)};
    case Problem::keyval:
    case Problem::own_keyval:
      return wrong_keyval(problem, value);
    case Problem::request:
    case Problem::live_request:
      return wrong_request(value);
    case Problem::generalized_request:
      return {MPI_ERR_REQUEST, "is not a request that MPI_Grequest_start made, or is complete already"};
    case Problem::requests:
      return {MPI_ERR_REQUEST, "has a handle that is not a request: it has been freed, or was never set"};
    case Problem::startable:
      return {MPI_ERR_REQUEST,
              "is not an inactive persistent request; only one made by MPI_Send_init and its kin, and "
              "completed since its last start, can be started"};
    case Problem::message:
      return {MPI_ERR_REQUEST, handle_text(HandleKind::message, "a message", "MPI_MESSAGE_NULL", value)};
    case Problem::status:
      return {MPI_ERR_ARG, "is no status; give the address of one that a call has set"};
    case Problem::op:
    case Problem::op_for_type:
    case Problem::freeable_op:
      return wrong_op(problem, value);
    case Problem::errhandler:
      return wrong_errhandler(process, value);
    case Problem::file:
      return {MPI_ERR_FILE, handle_text(HandleKind::file, "a file", "MPI_FILE_NULL", value)};
    case Problem::offset:
      return {MPI_ERR_ARG, fmt::format("is {}; a file begins at 0", value)};
    case Problem::view_displacement:
      return {MPI_ERR_ARG, fmt::format("is {}; give a number of bytes that is not negative", value)};
    case Problem::whence:
      return {MPI_ERR_ARG, fmt::format("is {}; give MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END", value)};
    case Problem::error_code:
      return {MPI_ERR_ARG, fmt::format("is {}, which is no error code; those go from 0 to {}", value,
                                       process.added_errors().last_used())};
    case Problem::info:
      return {MPI_ERR_INFO, handle_text(HandleKind::info, "an info object", "MPI_INFO_NULL", value)};
    case Problem::info_or_null:
      return {MPI_ERR_INFO, handle_text(HandleKind::info, "an info object", "", value) + "; or give MPI_INFO_NULL"};
    case Problem::infos:
      return {MPI_ERR_INFO, "has what is neither an info object nor MPI_INFO_NULL"};
    case Problem::text_missing:
      return {MPI_ERR_ARG, "has a null pointer where a text belongs"};
    case Problem::info_key:
      return {MPI_ERR_INFO_KEY, fmt::format("has not between 1 and {} characters", MPI_MAX_INFO_KEY - 1)};
    case Problem::info_value:
      return {MPI_ERR_INFO_VALUE, fmt::format("has more than {} characters", MPI_MAX_INFO_VAL - 1)};
    case Problem::size:
      return {MPI_ERR_ARG, fmt::format("is {}; it must not be negative", value)};
    case Problem::window:
      return {MPI_ERR_WIN, handle_text(HandleKind::win, "a window", "MPI_WIN_NULL", value)};
    case Problem::window_memory:
      return {MPI_ERR_BASE, "is a null pointer, but the size is not 0; give the address of the memory"};
    case Problem::window_size:
      return {MPI_ERR_SIZE, fmt::format("is {}; it must not be negative", value)};
    case Problem::displacement_unit:
      return {MPI_ERR_DISP, fmt::format("is {}; a unit of displacements has at least one byte", value)};
    case Problem::displacement:
      return {MPI_ERR_DISP, fmt::format("is {}; it must not be negative", value)};
    case Problem::assertion:
      return {MPI_ERR_ASSERT, fmt::format("is {:#x}; give MPI_MODE_... constants, or 0", value)};
    case Problem::lock_type:
      return {MPI_ERR_LOCKTYPE, fmt::format("is {}; give MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE", value)};
  }
  return {MPI_ERR_INTERN, ""};
}

// Past the streams, which belong to the ranks.
[[noreturn]] void refuse_run(const Call& call, const char* text) {
  dprintf(STDERR_FILENO, "hindcast: %s: %s\n", call.name, text);
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

void refuse_caller(const Call& call) {
  if (!programs::is_simulating() && !programs::is_executable_linked_with_library())
    refuse_run(
        call,
        "an executable that is not linked with MPI has opened it later, as an interpreter does: it cannot be a rank, "
        "which has to be linked with hindcast-mpicc");
  if (!programs::is_simulating())
    refuse_run(call,
               "this program is linked as an ordinary executable, and simulates nothing by itself; link it with "
               "hindcast-mpicc, or by CMake's MPI::MPI_C");
  if (programs::on_simulated_thread() && Thread::current() != nullptr)
    refuse_run(call, "the library that this machine's file names (messages.library) has no MPI");
  if (on_simulation_thread)
    refuse_run(call, "called outside of a simulated rank; start the program with 'hindcast run'");
  refuse_run(call, "called from a thread that is not a simulated one; only the threads of a rank may call MPI");
}

void enter_by_phase(Process& process, const Call& call) {
  if (process.phase == Process::Phase::restricted) {
    if (call.takes_no_turn) return;
    if (const std::string wrong = process.enter_restricted(); !wrong.empty())
      end_run_with_error(process, call, wrong, MPI_ERR_OTHER);
    process.begin_call(&call);  // others may have called meanwhile
    return watch_calls();
  }
  if (call.before_and_after) return;
  const bool before = process.phase == Process::Phase::before_init;
  end_run_with_error(process, call,
                     before ? "called before MPI_Init; call MPI_Init first" : "called after MPI_Finalize",
                     MPI_ERR_OTHER);
}

int perform_for_tool(Process& process, const Call& call, const std::function<void()>& body) {
  Tools& tools = process.tools();
  if (tools.initializations == 0 && std::string_view(call.name) != "MPI_T_init_thread")
    return MPI_T_ERR_NOT_INITIALIZED;
  try {
    body();
  } catch (const Error& error) {
    return error.code;
  }
  if (tools.counts_calls) watch_calls();
  return MPI_SUCCESS;
}

Error* keep(Error& thrown) { return new Error(std::move(thrown)); }

int raise_kept(Process& process, const Handling& handling, const Call& call, Error* error) {
  const std::unique_ptr<Error> owned(error);
  if (error->comm == nullptr && error->window == nullptr && !error->is_of_files) {
    error->comm = handling.comm;
    error->window = handling.window;
    error->file = handling.file;
    error->is_of_files = handling.is_of_files;
  }
  const int code = raise(process, call, *error);
  if (are_calls_watched) watch_failure(call);
  return code;
}

int refuse_for(Process& process, const Handling& handling, const Call& call, int argument, Problem problem,
               long value) {
  const Comm* comm = handling.window != nullptr ? handling.window->comm : handling.comm;
  const Wrong wrong = describe(process, comm, problem, value);
  const int code =
      raise(process, call,
            {wrong.code, fmt::format("argument {} ({}) {}", argument, call.arguments[argument - 1], wrong.text),
             handling.comm, handling.window, handling.file, handling.is_of_files});
  if (are_calls_watched) watch_failure(call);
  return code;
}

GroupObject* find_group(Process& process, MPI_Group handle) {
  static const Group nobody(0, 1, 0);
  static GroupObject empty{{MPI_GROUP_EMPTY}, uncounted(nobody)};
  return handle == MPI_GROUP_EMPTY ? &empty : process.groups.find(handle);
}

Errhandler* find_errhandler(Process& process, MPI_Errhandler handle) {
  if (Errhandler* predefined = predefined_errhandler(handle)) return predefined;
  Errhandler* errhandler = process.errhandlers.find(handle);
  return errhandler != nullptr && errhandler->handles_given > 0 ? errhandler : nullptr;
}

Errhandler* find_errhandler(Process& process, MPI_Errhandler handle, Errhandler::Of of) {
  Errhandler* errhandler = find_errhandler(process, handle);
  return errhandler != nullptr && (errhandler->is_predefined() || errhandler->of == of) ? errhandler : nullptr;
}

Info* find_info(Process& process, MPI_Info handle) {
  return handle == MPI_INFO_ENV ? &process.info_env() : process.infos.find(handle);
}

bool is_comm_keyval(Process& process, int keyval) {
  return is_predefined_keyval(keyval, MPI_TAG_UB, MPI_LASTUSEDCODE) ||
         find_keyval(process, keyval, Keyval::Of::comm) != nullptr;
}

File* find_file(Process& process, MPI_File handle) { return process.files().find(handle); }

Window* find_window(Process& process, MPI_Win handle) { return process.windows().find(handle); }

bool is_win_keyval(Process& process, int keyval) {
  return is_predefined_keyval(keyval, MPI_WIN_BASE, MPI_WIN_MODEL) ||
         find_keyval(process, keyval, Keyval::Of::win) != nullptr;
}

}  // namespace hindcast::mpi
