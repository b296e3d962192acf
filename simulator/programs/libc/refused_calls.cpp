// Calls that fail: all ranks are one process, of which there would be another, or which would be another program.
#include <fmt/format.h>
#include <pty.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/places/backtrace.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs {

namespace {

enum class Refusal : std::uint8_t { copies_all_ranks, replaces_all_ranks };

const char* reason_of(Refusal why) {
  return why == Refusal::copies_all_ranks
             ? "all ranks are one process here, and a child would be a copy of all of them"
             : "all ranks are one process here, and the other program would take the place of all of them";
}

// The user is told once a run. The first one is that of the earliest clock, so that it is the same however far ranks
// run ahead.
void tell_of_refusal(const char* function, Refusal why, void* from) {
  const RunningProgram* const program = RunningProgram::current();
  if (program == nullptr) return;
  program->launch().output().show_what_is_printed(*Thread::current());
  if (!program->launch().is_first_refusal()) return;
  const std::string place = describe_innermost(program->loader(), program->slot(), {from});
  program->launch().output().say(fmt::format(
      "rank {}: {}{}{} is refused (ENOSYS), here and wherever else it is called: {}; system, popen and posix_spawn "
      "start other programs, pthread_create starts threads, MPI_Comm_spawn ranks",
      program->rank().id, function, place.empty() ? "" : " in ", place, reason_of(why)));
}

int refuse_call(const char* function, Refusal why, void* from) {
  tell_of_refusal(function, why, from);
  errno = ENOSYS;
  return -1;
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

// Of the function that is being defined, without the beginning of its name that is ours: where it was called is its
// return address, as the program has jumped here.
#define REFUSE(why) refuse_call(__func__ + sizeof "hindcast_" - 1, Refusal::why, __builtin_return_address(0))

extern "C" {

pid_t hindcast_fork() { return REFUSE(copies_all_ranks); }
pid_t hindcast_vfork() { return REFUSE(copies_all_ranks); }
pid_t hindcast__Fork() { return REFUSE(copies_all_ranks); }
int hindcast_daemon(int, int) { return REFUSE(copies_all_ranks); }
int hindcast_forkpty(int*, char*, const termios*, const winsize*) { return REFUSE(copies_all_ranks); }

int hindcast_execve(const char*, char* const[], char* const[]) { return REFUSE(replaces_all_ranks); }
int hindcast_execveat(int, const char*, char* const[], char* const[], int) { return REFUSE(replaces_all_ranks); }
int hindcast_execvpe(const char*, char* const[], char* const[]) { return REFUSE(replaces_all_ranks); }
int hindcast_execv(const char*, char* const[]) { return REFUSE(replaces_all_ranks); }
int hindcast_execvp(const char*, char* const[]) { return REFUSE(replaces_all_ranks); }
int hindcast_fexecve(int, char* const[], char* const[]) { return REFUSE(replaces_all_ranks); }
int hindcast_execl(const char*, const char*, ...) { return REFUSE(replaces_all_ranks); }
int hindcast_execlp(const char*, const char*, ...) { return REFUSE(replaces_all_ranks); }
int hindcast_execle(const char*, const char*, ...) { return REFUSE(replaces_all_ranks); }

}  // extern "C"

#undef REFUSE
