// What programs that run as ranks start on this computer.

#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
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

}  // extern "C"
