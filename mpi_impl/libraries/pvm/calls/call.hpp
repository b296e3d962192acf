// A call of pvm3.h: who makes it, and what becomes of its errors.
#pragma once

#include "mpi_impl/libraries/pvm/native/task.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::pvm {

class Call {
 public:
  // The calling task's, which is in the virtual machine from now on. Ends the run if there is none on this machine.
  // Errors and waits name the function so, as the program's language has it; the name is kept as long as the task is.
  explicit Call(const char* function);

  Task& task() { return task_; }
  VirtualMachine& machine() { return task_.machine(); }
  const char* name() const { return call_.function(); }

  // Ends the run if items of so many bytes each, behind those that there are, make a message longer than any can be.
  void check_length(int count, std::size_t bytes_each, std::size_t bytes_before = 0);

  // What the call returns. An error is kept for pvm_perror, and told as the task's option PvmAutoErr says.
  int done(int result);

 private:
  const programs::LibraryCall call_;
  Task& task_;
};

// As pvm_perror tells it.
const char* text_of_error(int code);
void print_error(Task& task, const char* what, int code);

}  // namespace hindcast::pvm
