// Performance variables, sessions and handles of them.
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/tools/tools.hpp"

namespace hindcast::mpi::body {

namespace {

PerformanceSession& session_of(Process& process, MPI_T_pvar_session handle) {
  PerformanceSession* found = process.tools().sessions.find(handle);
  if (found == nullptr) throw Error{MPI_T_ERR_INVALID_SESSION, ""};
  return *found;
}

// The handle has to be one of this session.
PerformanceHandle& variable_of(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  const PerformanceSession& wanted = session_of(process, session);
  PerformanceHandle* found = process.tools().variables.find(handle);
  if (found == nullptr || found->session != &wanted) throw Error{MPI_T_ERR_INVALID_HANDLE, ""};
  return *found;
}

// What it has come to since it was first started.
std::uint64_t amount_of(Process& process, const PerformanceHandle& handle) {
  const std::uint64_t now = mpi::amount_of(process, handle.variable);
  if (handle.variable.is_continuous()) return now;
  return handle.so_far + (handle.runs ? now - handle.started : 0);
}

void set(Process& process, PerformanceHandle& handle, std::uint64_t amount) {
  handle.so_far = amount;
  handle.started = mpi::amount_of(process, handle.variable);
}

void start(Process& process, PerformanceHandle& handle) {
  if (handle.runs) return;
  process.tools().counts_calls = true;
  handle.started = mpi::amount_of(process, handle.variable);
  handle.runs = true;
}

void stop(Process& process, PerformanceHandle& handle) {
  handle.so_far = amount_of(process, handle);
  handle.runs = false;
}

// Acts on this variable, or on all of a session that are not continuous.
template <typename Act>
void on_each(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle handle, int otherwise, Act act) {
  if (handle != MPI_T_PVAR_ALL_HANDLES) {
    PerformanceHandle& one = variable_of(process, session, handle);
    if (one.variable.is_continuous()) throw Error{otherwise, ""};
    return act(process, one);
  }
  const PerformanceSession& of = session_of(process, session);
  process.tools().variables.for_each([&](PerformanceHandle& one) {
    if (one.session == &of && !one.variable.is_continuous()) act(process, one);
  });
}

}  // namespace

void T_pvar_get_num(Process&, int* count) { give_to_tool(performance_variables(), count); }

void T_pvar_get_info(Process&, int number, char* name, int* name_length, int* verbosity, int* of_class,
                     MPI_Datatype* type, MPI_T_enum* enumeration, char* description, int* description_length, int* bind,
                     int* is_read_only, int* is_continuous, int* is_atomic) {
  const PerformanceVariable variable = performance_variable(number);
  const int continuous = variable.is_continuous() ? 1 : 0;
  const bool is_phase = variable.what == PerformanceVariable::What::phase;
  give_to_tool(variable.name, name, name_length);
  give_to_tool(MPI_T_VERBOSITY_USER_BASIC, verbosity);
  give_to_tool(variable.of_class(), of_class);
  give_to_tool(variable.type(), type);
  give_to_tool(is_phase ? HINDCAST_PHASES : MPI_T_ENUM_NULL, enumeration);
  give_to_tool(variable.description, description, description_length);
  give_to_tool(MPI_T_BIND_NO_OBJECT, bind);
  give_to_tool(continuous, is_read_only);
  give_to_tool(continuous, is_continuous);
  give_to_tool(1 - continuous, is_atomic);
}

void T_pvar_get_index(Process&, const char* name, int of_class, int* number) {
  const std::string_view text(&required(name));
  for (int n = 0; n < performance_variables(); ++n) {
    const PerformanceVariable variable = performance_variable(n);
    if (variable.name != text || variable.of_class() != of_class) continue;
    required(number) = n;
    return;
  }
  throw Error{MPI_T_ERR_INVALID_NAME, ""};
}

void T_pvar_session_create(Process& process, MPI_T_pvar_session* session) {
  required(session) = process.tools().sessions.create().handle;
}

// Its handles go too.
void T_pvar_session_free(Process& process, MPI_T_pvar_session* session) {
  PerformanceSession& gone = session_of(process, required(session));
  Tools& tools = process.tools();
  tools.variables.for_each([&](PerformanceHandle& handle) {
    if (handle.session == &gone) tools.variables.destroy(handle);
  });
  tools.sessions.destroy(gone);
  *session = MPI_T_PVAR_SESSION_NULL;
}

void T_pvar_handle_alloc(Process& process, MPI_T_pvar_session session, int number, void*, MPI_T_pvar_handle* handle,
                         int* count) {
  const PerformanceSession& of = session_of(process, session);
  const PerformanceVariable variable = performance_variable(number);
  MPI_T_pvar_handle& place = required(handle);
  PerformanceHandle& made = process.tools().variables.create();
  made.session = &of;
  made.variable = variable;
  made.runs = false;
  made.so_far = made.started = 0;
  place = made.handle;
  give_to_tool(1, count);
}

void T_pvar_handle_free(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
  process.tools().variables.destroy(variable_of(process, session, required(handle)));
  *handle = MPI_T_PVAR_HANDLE_NULL;
}

void T_pvar_start(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  on_each(process, session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, start);
}

void T_pvar_stop(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  on_each(process, session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, stop);
}

void T_pvar_read(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* place) {
  const PerformanceHandle& one = variable_of(process, session, handle);
  put_amount(one.variable, amount_of(process, one), &required(static_cast<char*>(place)));
}

void T_pvar_write(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* place) {
  PerformanceHandle& one = variable_of(process, session, handle);
  if (one.variable.is_continuous()) throw Error{MPI_T_ERR_PVAR_NO_WRITE, ""};
  set(process, one, get_amount(one.variable, &required(static_cast<const char*>(place))));
}

void T_pvar_reset(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  on_each(process, session, handle, MPI_T_ERR_PVAR_NO_WRITE,
          [](Process& of, PerformanceHandle& one) { set(of, one, 0); });
}

void T_pvar_readreset(Process& process, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* place) {
  PerformanceHandle& one = variable_of(process, session, handle);
  if (one.variable.is_continuous()) throw Error{MPI_T_ERR_PVAR_NO_ATOMIC, ""};
  put_amount(one.variable, amount_of(process, one), &required(static_cast<char*>(place)));
  set(process, one, 0);
}

}  // namespace hindcast::mpi::body
