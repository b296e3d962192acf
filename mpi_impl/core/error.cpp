#include "mpi_impl/core/error.hpp"

#include <fmt/format.h>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/files/file.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/window.hpp"
#include "simulator/programs/places/program_place.hpp"

namespace hindcast::mpi {

namespace {

struct ErrorClass {
  const char* name;
  const char* text;
};

constexpr ErrorClass classes[] = {
#include "mpi_impl/core/errors.inc"
};

bool is_class(int code) { return code >= 0 && code <= MPI_ERR_LASTCODE; }

}  // namespace

void refuse_more_objects() {
  throw Error{MPI_ERR_NO_MEM,
              fmt::format("the rank has {} objects of this kind already; free some", handle_place_mask)};
}

const char* text_of_class(int error_class) {
  return is_class(error_class) ? classes[error_class].text : "unknown error";
}
const char* name_of_class(int error_class) { return is_class(error_class) ? classes[error_class].name : ""; }

int AddedErrors::add_class() {
  codes_.push_back({last_used_ + 1, ""});
  return ++last_used_;
}

int AddedErrors::add_code(int error_class) {
  codes_.push_back({error_class, ""});
  return ++last_used_;
}

void AddedErrors::set_text(int code, const std::string& text) {
  codes_[static_cast<std::size_t>(code - MPI_ERR_LASTCODE - 1)].text = text;
}

int AddedErrors::class_of(int code) const {
  return is_added(code) ? codes_[static_cast<std::size_t>(code - MPI_ERR_LASTCODE - 1)].error_class : code;
}

std::string AddedErrors::text_of(int code) const {
  if (is_added(code)) return codes_[static_cast<std::size_t>(code - MPI_ERR_LASTCODE - 1)].text;
  return fmt::format("{}: {}", name_of_class(code), text_of_class(code));
}

Errhandler* predefined_errhandler(int handle) {
  static Errhandler fatal{{MPI_ERRORS_ARE_FATAL}, Errhandler::What::fatal};
  static Errhandler give_back{{MPI_ERRORS_RETURN}, Errhandler::What::give_back};
  if (handle == MPI_ERRORS_ARE_FATAL) return &fatal;
  if (handle == MPI_ERRORS_RETURN) return &give_back;
  return nullptr;
}

void end_run_with_error(Process& process, const Call& call, const std::string& text, int code) {
  const std::string place = programs::place_of_caller().text();
  process.end_run(
      fmt::format("rank {}: {}: {}{}", process.world_rank(), call.name, text, place.empty() ? "" : ", in " + place),
      code);
}

int raise(Process& process, const Call& call, const Error& error) {
  Thread::current()->work_off_backlog();
  if (error.window != nullptr) return raise(process, call, error, *error.window->errhandler, error.window->handle);
  if (error.file != nullptr) return raise(process, call, error, *error.file->errhandler, error.file->handle);
  if (error.is_of_files) return raise(process, call, error, *process.file_errhandler, MPI_FILE_NULL);
  const Comm& comm = error.comm != nullptr ? *error.comm : process.comm_world();
  return raise(process, call, error, *comm.errhandler, comm.handle);
}

int raise(Process& process, const Call& call, const Error& error, const Errhandler& handler, int object) {
  if (!call.takes_no_turn && process.phase == Process::Phase::restricted) process.leave_restricted();
  switch (handler.what) {
    case Errhandler::What::give_back:
      break;
    case Errhandler::What::call: {
      int code = error.code;
      handler.function(&object, &code);
      break;
    }
    case Errhandler::What::fatal: {
      const int error_class = process.added_errors().class_of(error.code);
      const std::string of_class = process.added_errors().text_of(error.code);
      std::string text = error.text.empty() ? of_class : error.text;
      if (!error.text.empty() && error_class != MPI_ERR_OTHER) text += fmt::format(" ({})", of_class);
      end_run_with_error(process, call, text, error_class);
    }
  }
  return error.code;
}

// The handler is called as though the call were over, as it may leave the stack in its own way. A call that goes on is
// over once more later, and must not stand for one around it then, such as that of an attribute's callback.
void raise_and_go_on(Process& process, const Call& call, const Error& error) {
  const bool was_restricted = process.phase == Process::Phase::restricted;
  raise(process, call, error);
  // If another thread is in a call meanwhile that should not be, this one is not counted, and has nothing to leave.
  if (was_restricted && process.phase == Process::Phase::restricted) process.enter_restricted();
}

}  // namespace hindcast::mpi
