// OpenMP's routines, and its locks and critical regions.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/clocks/simulated_clocks.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/openmp/team.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs::openmp {

namespace {

constexpr double ns_per_s = 1e9;

Member& own_place() { return Runtime::member("OpenMP"); }
ProgramThread& self() { return ProgramThreads::calling("OpenMP"); }
Runtime& own_runtime() { return Runtime::calling("OpenMP"); }

// A null text is as long as nothing; a length of ~0 is that of a string of C's.
std::string said(const char* text, std::size_t length) {
  return text == nullptr ? "" : length == ~std::size_t{} ? text : std::string(text, length);
}

// Teams of more than one around the calling thread; regions at all, if those of one count too.
int regions_around(bool of_one_too) {
  int count = 0;
  for (const Member* member = &own_place(); member->outer != nullptr; member = member->outer)
    if (of_one_too || member->team->size > 1) ++count;
  return count;
}

const Member* member_at(int level) {
  const int depth = regions_around(true);
  if (level < 0 || level > depth) return nullptr;
  const Member* member = &own_place();
  for (int i = depth; i > level; --i) member = member->outer;
  return member;
}

void lock_one(Mutex& mutex, const char* call) { lock(mutex, self(), __builtin_return_address(0), call); }
Settings& own_settings() { return Runtime::settings("OpenMP"); }
Runtime::Lock& lock_at(const void* address) { return own_runtime().lock_at(address); }

// A named region's word of the program's, which is zero before its first use.
Mutex& region_of(void** word) {
  if (*word == nullptr) *word = new Mutex{};
  return *static_cast<Mutex*>(*word);
}

}  // namespace

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs;
using namespace hindcast::programs::openmp;

extern "C" {

void hindcast_GOMP_critical_start() { lock_one(Runtime::calling("critical").critical(), "critical"); }
void hindcast_GOMP_critical_end() { unlock(Runtime::calling("critical").critical(), self()); }
void hindcast_GOMP_critical_name_start(void** word) { lock_one(region_of(word), "critical"); }
void hindcast_GOMP_critical_name_end(void** word) { unlock(region_of(word), self()); }
void hindcast_GOMP_atomic_start() { lock_one(Runtime::calling("atomic").atomic(), "atomic"); }
void hindcast_GOMP_atomic_end() { unlock(Runtime::calling("atomic").atomic(), self()); }

int hindcast_omp_get_num_threads() { return static_cast<int>(own_place().team->size); }
int hindcast_omp_get_thread_num() { return static_cast<int>(own_place().number); }
int hindcast_omp_get_max_threads() { return static_cast<int>(own_settings().threads_wanted); }
void hindcast_omp_set_num_threads(int count) {
  own_settings().threads_wanted = static_cast<unsigned>(std::max(count, 1));
}
int hindcast_omp_get_num_procs() { return RunningProgram::calling("omp_get_num_procs").processors().count; }
int hindcast_omp_in_parallel() { return regions_around(false) > 0 ? 1 : 0; }
int hindcast_omp_get_level() { return regions_around(true); }
int hindcast_omp_get_active_level() { return regions_around(false); }
int hindcast_omp_get_ancestor_thread_num(int level) {
  const Member* member = member_at(level);
  return member != nullptr ? static_cast<int>(member->number) : -1;
}
int hindcast_omp_get_team_size(int level) {
  const Member* member = member_at(level);
  return member != nullptr ? static_cast<int>(member->team->size) : -1;
}
double hindcast_omp_get_wtime() { return static_cast<double>(hindcast::programs::read_clock_ns()) / ns_per_s; }
double hindcast_omp_get_wtick() { return 1 / ns_per_s; }

int hindcast_omp_get_dynamic() { return own_settings().is_dynamic ? 1 : 0; }
void hindcast_omp_set_dynamic(int is_wanted) { own_settings().is_dynamic = is_wanted != 0; }
int hindcast_omp_get_supported_active_levels() { return Runtime::levels_supported; }
int hindcast_omp_get_max_active_levels() { return static_cast<int>(own_settings().levels_max); }
void hindcast_omp_set_max_active_levels(int levels) {
  if (levels >= 0) own_settings().levels_max = static_cast<unsigned>(std::min(levels, Runtime::levels_supported));
}
int hindcast_omp_get_nested() {
  const int levels = hindcast_omp_get_max_active_levels();
  return levels > 1 && levels > regions_around(false) ? 1 : 0;
}
void hindcast_omp_set_nested(int is_wanted) {
  if (is_wanted != 0)
    hindcast_omp_set_max_active_levels(Runtime::levels_supported);
  else if (own_settings().levels_max > 1)
    hindcast_omp_set_max_active_levels(1);
}
int hindcast_omp_get_thread_limit() { return static_cast<int>(own_settings().threads_max); }

// All processors are alike, and none is a thread's own.
int hindcast_omp_get_proc_bind() { return 0; }
int hindcast_omp_get_num_places() { return 0; }
int hindcast_omp_get_place_num() { return -1; }
int hindcast_omp_get_place_num_procs(int) { return 0; }
void hindcast_omp_get_place_proc_ids(int, int*) {}
int hindcast_omp_get_partition_num_places() { return 0; }
void hindcast_omp_get_partition_place_nums(int*) {}
int hindcast_omp_get_max_task_priority() { return own_runtime().priority_max; }
// Nothing is to be given up; a thread may not ask for it within a region, nor of what is no device.
int hindcast_omp_pause_resource(int kind, int device) {
  const bool is_known = kind == 1 || kind == 2;
  return is_known && device == 0 && regions_around(true) == 0 ? 0 : -1;
}
int hindcast_omp_pause_resource_all(int kind) { return hindcast_omp_pause_resource(kind, 0); }

void hindcast_GOMP_warning(const char* text, std::size_t length) {
  RunningProgram& program = RunningProgram::calling("a warning of OpenMP's");
  program.launch().output().say(fmt::format("rank {}: OpenMP's warning: {}", program.rank().id, said(text, length)));
}
void hindcast_GOMP_error(const char* text, std::size_t length) {
  RunningProgram& program = RunningProgram::calling("an error of OpenMP's");
  program.launch().abort_run(1, fmt::format("rank {}: OpenMP's error: {}", program.rank().id, said(text, length)));
}

// As libgomp numbers them: static, dynamic, guided, auto; and above them the bit that asks for monotonic pieces.
void hindcast_omp_set_schedule(int kind, int chunk) {
  ScheduleOfRun& of_run = Runtime::settings("omp_set_schedule").schedule;
  const int plain = kind & INT32_MAX;
  if (plain < 1 || plain > 4) return;
  of_run.is_monotonic = kind != plain;
  of_run.is_automatic = plain == 4;
  of_run.schedule = plain == 2   ? WorkShare::Schedule::dynamic
                    : plain == 3 ? WorkShare::Schedule::guided
                                 : WorkShare::Schedule::in_blocks;
  of_run.chunk = plain == 4 ? 0 : std::max(chunk, plain == 1 ? 0 : 1);
}
void hindcast_omp_get_schedule(int* kind, int* chunk) {
  const ScheduleOfRun& of_run = Runtime::settings("omp_get_schedule").schedule;
  *kind = (of_run.is_automatic ? 4 : static_cast<int>(of_run.schedule) + 1) | (of_run.is_monotonic ? INT32_MIN : 0);
  *chunk = of_run.chunk;
}

void hindcast_omp_init_lock(void* lock) { lock_at(lock) = {}; }
void hindcast_omp_destroy_lock(void* lock) { own_runtime().forget_lock(lock); }
void hindcast_omp_set_lock(void* lock) { lock_one(lock_at(lock).mutex, "omp_set_lock"); }
void hindcast_omp_unset_lock(void* lock) { unlock(lock_at(lock).mutex, self()); }
int hindcast_omp_test_lock(void* lock) {
  return try_to_lock(lock_at(lock).mutex, self(), __builtin_return_address(0)) == 0 ? 1 : 0;
}

void hindcast_omp_set_nest_lock(void* address) {
  Runtime::Lock& lock = lock_at(address);
  const Task* const task = own_place().task.get();
  if (lock.owner != task) lock_one(lock.mutex, "omp_set_nest_lock");
  lock.owner = task;
  ++lock.depth;
}
void hindcast_omp_unset_nest_lock(void* address) {
  Runtime::Lock& lock = lock_at(address);
  if (lock.depth == 0 || --lock.depth > 0) return;
  lock.owner = nullptr;
  unlock(lock.mutex, self());
}
int hindcast_omp_test_nest_lock(void* address) {
  Runtime::Lock& lock = lock_at(address);
  const Task* const task = own_place().task.get();
  if (lock.owner != task && try_to_lock(lock.mutex, self(), __builtin_return_address(0)) != 0) return 0;
  lock.owner = task;
  return static_cast<int>(++lock.depth);
}

}  // extern "C"
