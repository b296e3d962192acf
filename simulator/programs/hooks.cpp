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
#include "simulator/programs/simulated_thread.hpp"

namespace hindcast::programs {

namespace {

// The rank that asks. Threads that a program starts past the simulation have no clock, and nothing to print with.
Process& caller(const char* function) {
  if (!on_simulated_thread()) refuse_foreign_thread(function);
  return *Process::current();
}

void charge(Time cost) { Thread::current()->charge(cost); }

// Computation that the program says it does, in whole units of work.
void charge_work(const Process& process, double units, Rate rate) {
  if (process.launch().options().compute_is_free || !(units > 0)) return;
  charge(rate.time_for(static_cast<std::uint64_t>(std::llround(std::fmin(units, 9e18)))));
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast;
using programs::caller;
using programs::Process;

extern "C" {

void hindcast_rank_leave(int status) { caller("exit").leave(status); }
void hindcast_rank_run_finalisers(void) { caller("exit").run_finalisers(); }
void hindcast_rank_die(int signal) {
  caller("abort");
  programs::die_of(signal);
}

ssize_t hindcast_rank_write(int descriptor, const void* data, size_t bytes) {
  return caller("write").write(descriptor, {static_cast<const char*>(data), bytes});
}
ssize_t hindcast_rank_read(void* data, size_t bytes) { return caller("read").read(static_cast<char*>(data), bytes); }
int hindcast_rank_redirect(int descriptor, int file) {
  caller("dup2 or close").redirect(descriptor, file);
  return 0;
}
FILE* hindcast_rank_reopen(const char* path, const char* mode, FILE* stream) {
  return caller("freopen").reopen(path, mode, stream);
}

int64_t hindcast_rank_clock_ns(void) {
  const Time cost = caller("a clock").costs().clock_read;
  Thread& thread = *Thread::current();
  thread.charge(cost);
  if (!thread.clock_is_certain()) thread.settle();
  return thread.clock().in_ps() / 1000;
}
void hindcast_rank_sleep_ns(int64_t duration) {
  caller("sleep");
  if (duration > 0) programs::charge(Time::ns(duration));
}
void hindcast_rank_yield(void) { programs::charge(caller("sched_yield").costs().yield); }

int hindcast_rank_number(void) { return caller("getpid").rank().id; }
const char* hindcast_rank_host(void) { return caller("gethostname").host_name().c_str(); }
int hindcast_rank_chdir(const char* path) {
  return caller("chdir").change_directory(programs::WorkingDirectory::at(path));
}
int hindcast_rank_fchdir(int descriptor) {
  return caller("fchdir").change_directory(programs::WorkingDirectory::of_descriptor(descriptor));
}

void hindcast_compute_flops(double flops) {
  const Process& process = caller("hindcast_compute_flops");
  programs::charge_work(process, flops, process.costs().flops);
}
void hindcast_compute_bytes(double bytes) {
  const Process& process = caller("hindcast_compute_bytes");
  programs::charge_work(process, bytes, process.costs().memory);
}
void hindcast_compute_seconds(double seconds) {
  const Process& process = caller("hindcast_compute_seconds");
  if (process.launch().options().compute_is_free || !(seconds > 0)) return;
  programs::charge(Time::from_seconds(seconds));
}

}  // extern "C"
