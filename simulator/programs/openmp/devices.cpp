// Regions for devices and teams. There is no device, so that what is for one is done where the program is, on its own
// data; the teams of a region are worked on one after the other, each as if no team were around it.
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "simulator/programs/launcher.hpp"
#include "simulator/programs/openmp/dependences.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs::openmp {

namespace {

constexpr unsigned teams_unless_asked = 3;
constexpr int host_device = 0;      // its number among the devices, as there is no other
constexpr int default_device = -1;  // as the compiler says it

// Of what the compiler says about each variable of a region: the low byte, and above it the alignment's logarithm.
enum MapKind : unsigned { kind_bits = 0xff, is_private_copy = 12 };

void wait_for_dependences(void* const* list) {
  if (list == nullptr) return;
  Member& member = Runtime::member("target");
  const auto waiter = std::make_shared<Task>();
  wait_behind(*member.task, waiter, list);
  Runtime::wait_for_tasks(member, member.task->ready_children, waiter->predecessors, "target");
}

// What the region has for itself it gets as a copy.
class PrivateCopies {
 public:
  PrivateCopies(std::size_t count, void** addresses, const std::size_t* sizes, const unsigned short* kinds)
      : addresses_(addresses, addresses + count) {
    for (std::size_t i = 0; i < count; ++i) {
      if ((kinds[i] & kind_bits) != is_private_copy) continue;
      void* const copy = take_aligned(std::size_t{1} << (kinds[i] >> 8), sizes[i]);
      std::memcpy(copy, addresses_[i], sizes[i]);
      addresses_[i] = copy;
      copies_.push_back(copy);
    }
  }
  ~PrivateCopies() {
    for (void* copy : copies_) std::free(copy);
  }
  PrivateCopies(const PrivateCopies&) = delete;
  PrivateCopies& operator=(const PrivateCopies&) = delete;

  void** addresses() { return addresses_.data(); }

 private:
  std::vector<void*> addresses_;
  std::vector<void*> copies_;
};

Runtime& runtime_of_teams() { return Runtime::calling("teams"); }

unsigned teams_wanted(unsigned asked) {
  const auto at_most = static_cast<unsigned>(runtime_of_teams().teams_max);
  return asked != 0 ? asked : at_most != 0 ? at_most : teams_unless_asked;
}

ThreadGroup& own_threads() { return *Runtime::member("teams").team->threads; }

// 0: as OMP_TEAMS_THREAD_LIMIT says.
void limit_threads_of_team(Settings& settings, unsigned threads) {
  if (threads == 0) threads = static_cast<unsigned>(runtime_of_teams().threads_of_team_max);
  if (threads != 0) settings.threads_max = std::min(settings.threads_max, threads);
}

// What the compiler says to a device about a region: words of bits, some of which have their value in the next.
unsigned thread_limit_in(void* const* words) {
  enum : std::uintptr_t { of_one_device = 0x7f, value_follows = 0x80, what = 0xff00, thread_limit = 0x200 };
  if (words == nullptr) return 0;
  while (*words != nullptr) {
    const auto word = reinterpret_cast<std::uintptr_t>(*words++);
    const bool has_next = (word & value_follows) != 0;
    const std::uintptr_t value = has_next ? reinterpret_cast<std::uintptr_t>(*words++) : word >> 16;
    if ((word & of_one_device) == 0 && (word & what) == thread_limit)
      return static_cast<unsigned>(std::min<std::uintptr_t>(value, INT_MAX));
  }
  return 0;
}

void refuse_without_device(int device) {
  if (!runtime_of_teams().needs_device) return;
  if (device == host_device || device < default_device) return;
  RunningProgram::calling("target").launch().abort_run(
      1, "OMP_TARGET_OFFLOAD=mandatory asks for a device of OpenMP's, and there is none");
}

// A part of an array, whose extents begin with the outermost dimension's.
struct Box {
  std::byte* array;
  const std::size_t* offsets;
  const std::size_t* extents;
};

std::size_t elements_of(const std::size_t* extents, int dimensions) {
  return std::accumulate(extents, extents + dimensions, std::size_t{1}, std::multiplies<>());
}

void copy_box(const Box& to, const Box& from, const std::size_t* counts, int dimensions, std::size_t bytes_of_element) {
  const std::size_t to_step = elements_of(to.extents + 1, dimensions - 1) * bytes_of_element;
  const std::size_t from_step = elements_of(from.extents + 1, dimensions - 1) * bytes_of_element;
  std::byte* target = to.array + *to.offsets * to_step;
  std::byte* source = from.array + *from.offsets * from_step;
  if (dimensions == 1) {
    std::memcpy(target, source, *counts * bytes_of_element);
    return;
  }
  for (std::size_t i = 0; i < *counts; ++i, target += to_step, source += from_step)
    copy_box({target, to.offsets + 1, to.extents + 1}, {source, from.offsets + 1, from.extents + 1}, counts + 1,
             dimensions - 1, bytes_of_element);
}

}  // namespace

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs::openmp;

extern "C" {

void hindcast_GOMP_teams_reg(Function function, void* data, unsigned count, unsigned threads, unsigned) {
  Settings settings = Runtime::settings("teams");
  limit_threads_of_team(settings, threads);
  const unsigned teams = teams_wanted(count);
  for (unsigned team = 0; team < teams; ++team)
    Runtime::run_alone(function, data, settings, std::make_shared<ThreadGroup>(ThreadGroup{1, teams, team}));
}

// Within a region for a device: whether there is one more team to be.
bool hindcast_GOMP_teams4(unsigned, unsigned count, unsigned threads, bool is_first) {
  ThreadGroup& own = own_threads();
  if (is_first) {
    limit_threads_of_team(Runtime::settings("teams"), threads);
    own.teams = teams_wanted(count);
    own.team = 0;
    return true;
  }
  if (own.team + 1 < own.teams) {
    ++own.team;
    return true;
  }
  own.team = 0;
  own.teams = 1;
  return false;
}

void hindcast_GOMP_target_ext(int device, Function function, std::size_t count, void** addresses,
                              const std::size_t* sizes, const unsigned short* kinds, unsigned, void** dependences,
                              void** words) {
  refuse_without_device(device);
  wait_for_dependences(dependences);
  PrivateCopies copies(count, addresses, sizes, kinds);
  Settings settings = runtime_of_teams().settings_at_first;
  const unsigned threads = thread_limit_in(words);
  if (threads != 0) settings.threads_max = std::min(settings.threads_max, threads);
  Runtime::run_alone(function, copies.addresses(), settings);
}

// Data are where they are.
void hindcast_GOMP_target_data_ext(int, std::size_t, void**, const std::size_t*, const unsigned short*) {}
void hindcast_GOMP_target_end_data() {}
void hindcast_GOMP_target_update_ext(int, std::size_t, void**, const std::size_t*, const unsigned short*, unsigned,
                                     void** dependences) {
  wait_for_dependences(dependences);
}
void hindcast_GOMP_target_enter_exit_data(int, std::size_t, void**, const std::size_t*, const unsigned short*, unsigned,
                                          void** dependences) {
  wait_for_dependences(dependences);
}

int hindcast_omp_get_num_teams() { return static_cast<int>(own_threads().teams); }
int hindcast_omp_get_team_num() { return static_cast<int>(own_threads().team); }
int hindcast_omp_get_max_teams() { return runtime_of_teams().teams_max; }
void hindcast_omp_set_num_teams(int count) { runtime_of_teams().teams_max = std::max(count, 0); }
int hindcast_omp_get_teams_thread_limit() { return runtime_of_teams().threads_of_team_max; }
void hindcast_omp_set_teams_thread_limit(int threads) { runtime_of_teams().threads_of_team_max = std::max(threads, 0); }

int hindcast_omp_get_num_devices() { return 0; }
int hindcast_omp_get_initial_device() { return host_device; }
int hindcast_omp_get_device_num() { return host_device; }
int hindcast_omp_is_initial_device() { return 1; }
int hindcast_omp_get_default_device() { return Runtime::settings("omp_get_default_device").device; }
void hindcast_omp_set_default_device(int device) {
  Runtime::settings("omp_set_default_device").device = std::max(device, 0);
}

void* hindcast_omp_target_alloc(std::size_t bytes, int device) {
  return device == host_device ? std::malloc(bytes) : nullptr;
}
void hindcast_omp_target_free(void* memory, int) { std::free(memory); }
int hindcast_omp_target_is_present(const void* address, int device) {
  return address == nullptr || device == host_device ? 1 : 0;
}
int hindcast_omp_target_memcpy(void* to, const void* from, std::size_t bytes, std::size_t to_offset,
                               std::size_t from_offset, int to_device, int from_device) {
  if (to_device != host_device || from_device != host_device) return EINVAL;
  std::memcpy(static_cast<std::byte*>(to) + to_offset, static_cast<const std::byte*>(from) + from_offset, bytes);
  return 0;
}
int hindcast_omp_target_memcpy_rect(void* to, const void* from, std::size_t bytes_of_element, int dimensions,
                                    const std::size_t* counts, const std::size_t* to_offsets,
                                    const std::size_t* from_offsets, const std::size_t* to_extents,
                                    const std::size_t* from_extents, int to_device, int from_device) {
  if (to == nullptr && from == nullptr) return INT_MAX;  // asks how many dimensions there may be
  if (to_device != host_device || from_device != host_device) return EINVAL;
  if (to == nullptr || from == nullptr || dimensions < 1) return EINVAL;
  copy_box({static_cast<std::byte*>(to), to_offsets, to_extents},
           {static_cast<std::byte*>(const_cast<void*>(from)), from_offsets, from_extents}, counts, dimensions,
           bytes_of_element);
  return 0;
}
// The host's memory has no counterpart elsewhere.
int hindcast_omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int) { return EINVAL; }
int hindcast_omp_target_disassociate_ptr(const void*, int) { return EINVAL; }

}  // extern "C"
