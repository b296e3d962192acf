// Who and where a rank is, on the simulated machine.
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

using hindcast::programs::RunningProgram;
using hindcast::programs::WorkingDirectory;

namespace {

const std::string& own_host() { return RunningProgram::calling("gethostname").host_name(); }

}  // namespace

extern "C" {

// A rank's process number tells it from the others', and is the same in every run.
int hindcast_rank_process() {
  constexpr int first = 1000;
  return first + RunningProgram::calling("getpid").rank().id;
}
pid_t hindcast_getpid() { return hindcast_rank_process(); }
pid_t hindcast_getppid() { return 999; }

int hindcast_gethostname(char* name, size_t bytes) {
  const std::string& host = own_host();
  std::strncpy(name, host.c_str(), bytes);
  if (host.size() < bytes) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

int hindcast_uname(utsname* system) {
  if (uname(system) != 0) return -1;
  std::memset(system->nodename, 0, sizeof system->nodename);
  std::strncpy(system->nodename, own_host().c_str(), sizeof system->nodename - 1);
  return 0;
}

int hindcast_chdir(const char* path) {
  return RunningProgram::calling("chdir").change_directory(WorkingDirectory::at(path));
}
int hindcast_fchdir(int descriptor) {
  return RunningProgram::calling("fchdir").change_directory(WorkingDirectory::of_descriptor(descriptor));
}

}  // extern "C"
