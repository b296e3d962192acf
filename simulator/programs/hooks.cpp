// What programs ask of the library by way of the archive that is linked into them, and hindcast.h.

#include <unistd.h>

#include <cerrno>
#include <cmath>

#include "include/hindcast.h"
#include "simulator/engine/thread.hpp"
#include "simulator/programs/crash.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

void charge(Time cost) { Thread::current()->charge(cost); }

// Computation that the program says it does, in whole units of work.
void charge_work(double units, Rate rate) {
  if (Process::current()->launch().options().compute_is_free || !(units > 0)) return;
  charge(rate.time_for(static_cast<std::uint64_t>(std::llround(std::fmin(units, 9e18)))));
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast;
using programs::Process;

extern "C" {

void hindcast_rank_leave(int status) { Process::current()->leave(status); }
void hindcast_rank_run_finalisers(void) { Process::current()->run_finalisers(); }
void hindcast_rank_die(int signal) { programs::die_of(signal); }

ssize_t hindcast_rank_write(int descriptor, const void* data, size_t bytes) {
  return Process::current()->write(descriptor, {static_cast<const char*>(data), bytes});
}
ssize_t hindcast_rank_read(void* data, size_t bytes) {
  return Process::current()->read(static_cast<char*>(data), bytes);
}

int hindcast_rank_redirect(int descriptor, int file) {
  Process::current()->redirect(descriptor, file);
  return 0;
}
FILE* hindcast_rank_reopen(const char* path, const char* mode, FILE* stream) {
  return Process::current()->reopen(path, mode, stream);
}

int64_t hindcast_rank_clock_ns(void) {
  Thread& thread = *Thread::current();
  thread.charge(Process::current()->costs().clock_read);
  if (!thread.clock_is_certain()) thread.settle();
  return thread.clock().in_ps() / 1000;
}
void hindcast_rank_sleep_ns(int64_t duration) {
  if (duration > 0) programs::charge(Time::ns(duration));
}
void hindcast_rank_yield(void) { programs::charge(Process::current()->costs().yield); }

int hindcast_rank_number(void) { return Process::current()->rank().id; }
const char* hindcast_rank_host(void) { return Process::current()->host_name().c_str(); }
int hindcast_rank_chdir(const char* path) {
  return Process::current()->change_directory(programs::WorkingDirectory::at(path));
}
int hindcast_rank_fchdir(int descriptor) {
  return Process::current()->change_directory(programs::WorkingDirectory::of_descriptor(descriptor));
}

void hindcast_compute_flops(double flops) { programs::charge_work(flops, Process::current()->costs().flops); }
void hindcast_compute_bytes(double bytes) { programs::charge_work(bytes, Process::current()->costs().memory); }
void hindcast_compute_seconds(double seconds) {
  if (Process::current()->launch().options().compute_is_free || !(seconds > 0)) return;
  programs::charge(Time::from_seconds(seconds));
}

}  // extern "C"
