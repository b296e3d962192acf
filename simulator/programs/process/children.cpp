// What programs that run as ranks start on this computer, and the calls that would copy or replace all of them.

#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/backtrace.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

// The real process has this environment for a while, as what it starts then gets it.
class ProcessEnvironment {
 public:
  explicit ProcessEnvironment(char** environment) : before_(std::exchange(environ, environment)) {}
  ~ProcessEnvironment() { environ = before_; }
  ProcessEnvironment(const ProcessEnvironment&) = delete;
  ProcessEnvironment& operator=(const ProcessEnvironment&) = delete;

 private:
  char** before_;
};

// A child writes to the launcher's own streams: what ranks have printed by now comes before that. A thread that was
// started past the simulation has printed nothing.
void prepare_for_child() {
  const RunningProgram* const program = RunningProgram::current();
  if (program == nullptr) return;
  program->launch().output().show_what_is_printed(*Thread::current());
  program->launch().descriptor_waits().has_started_child();
}

const char* reason_of(hindcast_refusal why) {
  return why == hindcast_copies_all_ranks
             ? "all ranks are one process here, and a child would be a copy of all of them"
             : "all ranks are one process here, and the other program would take the place of all of them";
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

int hindcast_rank_system(char** environment, const char* command) {
  prepare_for_child();
  const ProcessEnvironment meanwhile(environment);
  return system(command);
}

FILE* hindcast_rank_popen(char** environment, const char* command, const char* mode) {
  prepare_for_child();
  const ProcessEnvironment meanwhile(environment);
  return popen(command, mode);
}

int hindcast_rank_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                        const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  prepare_for_child();
  return posix_spawn(child, path, actions, attributes, words, environment);
}

int hindcast_rank_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                         const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  prepare_for_child();
  return posix_spawnp(child, file, actions, attributes, words, environment);
}

// The first one is that of the earliest clock, so that it is the same however far ranks run ahead.
void hindcast_rank_tell_of_refusal(const char* function, hindcast_refusal why, void* from) {
  const RunningProgram* const program = RunningProgram::current();
  if (program == nullptr) return;
  program->launch().output().show_what_is_printed(*hindcast::Thread::current());
  if (!program->launch().is_first_refusal()) return;
  const std::string place = describe_innermost(program->loader(), program->slot(), {from});
  program->launch().output().say(fmt::format(
      "rank {}: {}{}{} is refused (ENOSYS), here and wherever else it is called: {}; system, popen and posix_spawn "
      "start other programs, pthread_create starts threads, MPI_Comm_spawn ranks",
      program->rank().id, function, place.empty() ? "" : " in ", place, reason_of(why)));
}

}  // extern "C"
