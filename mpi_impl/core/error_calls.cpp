// Error handlers, and codes and texts of errors.
#include <algorithm>
#include <cstring>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

MPI_Errhandler make_errhandler(Process& process, Errhandler::Of of, MPI_Comm_errhandler_function* function) {
  Errhandler& errhandler = process.errhandlers.create();
  errhandler.of = of;
  errhandler.function = function;
  errhandler.handles_given = 1;
  errhandler.uses = 0;
  return errhandler.handle;
}

}  // namespace

void Comm_create_errhandler(Process& process, MPI_Comm_errhandler_function* function, MPI_Errhandler& handle) {
  handle = make_errhandler(process, Errhandler::Of::comm, function);
}
void Win_create_errhandler(Process& process, MPI_Win_errhandler_function* function, MPI_Errhandler& handle) {
  handle = make_errhandler(process, Errhandler::Of::win, function);
}
void File_create_errhandler(Process& process, MPI_File_errhandler_function* function, MPI_Errhandler& handle) {
  handle = make_errhandler(process, Errhandler::Of::file, function);
}

void Comm_set_errhandler(Process& process, Comm& comm, Errhandler& errhandler) {
  replace_errhandler(process, comm.errhandler, errhandler);
}

void Comm_get_errhandler(Process&, Comm& comm, MPI_Errhandler& handle) {
  ++comm.errhandler->handles_given;
  handle = comm.errhandler->handle;
}

void Comm_call_errhandler(Process& process, Comm& comm, int code) {
  raise_and_go_on(process, *process.call(), {code, "", &comm});
}

void Errhandler_free(Process& process, MPI_Errhandler& handle, Errhandler& errhandler) {
  handle = MPI_ERRHANDLER_NULL;
  --errhandler.handles_given;
  free_errhandler_if_unused(process, errhandler);
}

void Error_class(Process& process, int code, int& error_class) { error_class = process.added_errors().class_of(code); }

void Error_string(Process& process, int code, char* place, int& length) {
  const std::string text = process.added_errors().text_of(code);
  const std::size_t size = std::min<std::size_t>(text.size(), MPI_MAX_ERROR_STRING - 1);
  std::memcpy(place, text.data(), size);
  place[size] = '\0';
  length = static_cast<int>(size);
}

void Add_error_class(Process& process, int& error_class) { error_class = process.added_errors().add_class(); }

void Add_error_code(Process& process, int error_class, int& code) {
  code = process.added_errors().add_code(error_class);
}

void Add_error_string(Process& process, int code, const char* text) {
  if (!process.added_errors().is_added(code))
    throw Error{MPI_ERR_ARG, "argument 1 (errorcode): the text of a predefined error code cannot be changed"};
  process.added_errors().set_text(code, text);
}

}  // namespace hindcast::mpi::body
