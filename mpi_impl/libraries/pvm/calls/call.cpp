#include "mpi_impl/libraries/pvm/calls/call.hpp"

#include <fmt/format.h>

#include <array>
#include <climits>
#include <cstdlib>

#include "simulator/programs/launcher.hpp"

namespace hindcast::pvm {

namespace {

Task& calling_task(const programs::LibraryCall& call) {
  programs::RunningProgram& program = call.program();
  Task* task = Task::of(program.rank());
  if (task == nullptr)
    program.launch().abort_run(
        1, fmt::format("rank {}: {}: this machine has no PVM; run the program on one that has, such as -m ap3000",
                       program.rank().id, call.function()));
  return *task;
}

constexpr std::array<const char*, 37> texts = {
    "Success",
    "Error 1",
    "Bad parameter",
    "Parameter mismatch",
    "Value too large",
    "End of buffer",
    "No such host",
    "No such file",
    "Permission denied",
    "Error 9",
    "Out of memory",
    "Error 11",
    "Can't decode message",
    "Error 13",
    "Can't contact local daemon",
    "No current buffer",
    "No such buffer",
    "Null group name",
    "Already in group",
    "No such group",
    "Not in group",
    "No such instance",
    "Host failed",
    "No parent task",
    "Not implemented",
    "Daemon system error",
    "Version mismatch",
    "Out of resources",
    "Duplicate host",
    "Can't start daemon",
    "Already in progress",
    "No such task",
    "Not found",
    "Already exists",
    "Hoster not on the first host",
    "Parent not set",
    "Host's address is its own",
};

}  // namespace

const char* text_of_error(int code) {
  const bool is_known = code <= 0 && -code < static_cast<int>(texts.size());
  return is_known ? texts[static_cast<std::size_t>(-code)] : "Unknown error";
}

void print_error(Task& task, const char* what, int code) {
  programs::RunningProgram& program = *programs::RunningProgram::current();
  program.write(2, fmt::format("libpvm [t{:x}]: {}: {}\n", task.tid(), what, text_of_error(code)));
}

Call::Call(const char* function) : call_(function), task_(calling_task(call_)) { task_.enter(function); }

// pvm_bufinfo and pvm_precv tell a message's length as an int.
void Call::check_length(int count, std::size_t bytes_each, std::size_t bytes_before) {
  constexpr std::size_t bytes_max = INT_MAX;
  if (count <= 0 || bytes_before + bytes_each * static_cast<std::size_t>(count) <= bytes_max) return;
  programs::RunningProgram& program = *programs::RunningProgram::current();
  program.launch().abort_run(
      1, fmt::format("rank {}: {}: the count is {}, of items of {} bytes; a message can have {} bytes at most, so send "
                     "them in several",
                     program.rank().id, call_.function(), count, bytes_each, bytes_max));
}

int Call::done(int result) {
  if (result >= 0) return result;
  task_.last_error = result;
  const int told = task_.options().get(PvmAutoErr);
  if (told > 0) print_error(task_, fmt::format("{}()", call_.function()).c_str(), result);
  constexpr int ends_task = 2, aborts = 3;
  programs::RunningProgram& program = *programs::RunningProgram::current();
  if (told == ends_task) program.leave(1);
  if (told >= aborts)
    program.launch().abort_run(1, fmt::format("rank {}: {}: {} (PvmAutoErr is {})", program.rank().id, call_.function(),
                                              text_of_error(result), told));
  return result;
}

}  // namespace hindcast::pvm
