// Errors: their codes and texts, and how one gets to the handler in force. A function's body throws an Error; its entry
// point catches it and calls the error handler of the communicator concerned.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mpi_impl/core/call.hpp"
#include "mpi_impl/core/handle.hpp"

namespace hindcast::mpi {

class Process;
struct Comm;
struct File;
struct Window;

struct Error {
  int code = MPI_ERR_OTHER;
  std::string text;            // what is wrong, and what would be right
  const Comm* comm = nullptr;  // whose error handler is called; MPI_COMM_WORLD's if there is nothing else either
  const Window* window = nullptr;
  const File* file = nullptr;
  bool is_of_files = false;                    // MPI_FILE_NULL's handler is called if there is no file
  std::shared_ptr<const Comm> held = nullptr;  // keeps `comm` until its handler has been called
};

// The text of a predefined class.
const char* text_of_class(int error_class);
const char* name_of_class(int error_class);

// Error classes and codes that the program has added.
class AddedErrors {
 public:
  int add_class();
  int add_code(int error_class);
  void set_text(int code, const std::string& text);
  bool is_known(int code) const { return code >= 0 && code <= last_used(); }
  bool is_added(int code) const { return code > MPI_ERR_LASTCODE && code <= last_used(); }
  // Programs may hold its address: it is the attribute MPI_LASTUSEDCODE.
  const int& last_used() const { return last_used_; }
  int class_of(int code) const;
  std::string text_of(int code) const;

 private:
  struct Code {
    int error_class;
    std::string text;
  };
  std::vector<Code> codes_;  // from MPI_ERR_LASTCODE + 1 on
  int last_used_ = MPI_ERR_LASTCODE;
};

struct Errhandler : Handled {
  enum class What : std::uint8_t { fatal, give_back, call };
  enum class Of : std::uint8_t { comm, win, file };
  What what = What::call;
  Of of = Of::comm;
  MPI_Comm_errhandler_function* function = nullptr;  // the same C type for all kinds of objects: all handles are ints
  int handles_given = 0;                             // to the program: the handle is good while there is one
  int uses = 0;                                      // by objects

  bool is_predefined() const { return what != What::call; }
};

// The one that a predefined handle stands for, or null. Shared by all ranks.
Errhandler* predefined_errhandler(int handle);

// The handler in force does what it does; if it returns, this returns the code.
int raise(Process& process, const Call& call, const Error& error);
// The same for the handler of this object.
int raise(Process& process, const Call& call, const Error& error, const Errhandler& handler, int object);
// For a call that is made to have the handler called: it goes on when the handler has returned.
void raise_and_go_on(Process& process, const Call& call, const Error& error);

// Ends the run with this line on standard error.
[[noreturn]] void end_run_with_error(Process& process, const Call& call, const std::string& text, int code);

}  // namespace hindcast::mpi
