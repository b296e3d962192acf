// What a program asks of its node's processors.
#include <sched.h>
#include <unistd.h>

#include <cerrno>

#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/threads/program_threads.hpp"

using hindcast::programs::ProgramThreads;
using hindcast::programs::RunningProgram;

namespace {

int processors_of_rank(const char* function) { return RunningProgram::calling(function).processors().count; }

}  // namespace

extern "C" {

int hindcast_get_nprocs() { return processors_of_rank("get_nprocs"); }

long hindcast_sysconf(int name) {
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return processors_of_rank("sysconf");
  return sysconf(name);
}

int hindcast_sched_getaffinity(pid_t, std::size_t bytes, cpu_set_t* set) {
  CPU_ZERO_S(bytes, set);
  for (int i = 0; i < processors_of_rank("sched_getaffinity"); ++i) CPU_SET_S(static_cast<std::size_t>(i), bytes, set);
  return 0;
}
int hindcast_sched_setaffinity(pid_t, std::size_t, const cpu_set_t*) { return 0; }
int hindcast_pthread_getaffinity_np(pthread_t, std::size_t bytes, cpu_set_t* set) {
  return hindcast_sched_getaffinity(0, bytes, set);
}
int hindcast_pthread_setaffinity_np(pthread_t, std::size_t, const cpu_set_t*) { return 0; }

}  // extern "C"
