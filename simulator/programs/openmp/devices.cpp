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

#include "simulator/programs/openmp/dependences.hpp"

namespace hindcast::programs::openmp {

namespace {

constexpr unsigned teams_unless_asked = 3;

// Of what the compiler says about each variable of a region: the low byte, and above it the alignment's logarithm.
enum MapKind : unsigned { kind_bits = 0xff, is_private_copy = 12 };

void wait_for_dependences(void* const* list) {
  if (list == nullptr) return;
  Member& member = Runtime::member("target");
  const auto waiter = std::make_shared<Task>();
  wait_behind(*member.task, waiter, list);
  Runtime::wait_for_tasks(member, waiter->predecessors, "target");
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

// Lets no team have more threads than so many, until it goes.
class ThreadLimit {
 public:
  explicit ThreadLimit(unsigned threads) : before_(runtime_of_teams().threads_max) {
    if (threads == 0) threads = static_cast<unsigned>(runtime_of_teams().threads_of_team_max);
    if (threads != 0) runtime_of_teams().threads_max = std::min(before_, threads);
  }
  ~ThreadLimit() { runtime_of_teams().threads_max = before_; }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  unsigned before_;
};

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
  Runtime& runtime = runtime_of_teams();
  const ThreadLimit limit(threads);
  const unsigned teams_before = std::exchange(runtime.teams, teams_wanted(count));
  for (runtime.team = 0; runtime.team < runtime.teams; ++runtime.team) Runtime::run_alone(function, data);
  runtime.team = 0;
  runtime.teams = teams_before;
}

// Within a region for a device: whether there is one more team to be.
bool hindcast_GOMP_teams4(unsigned, unsigned count, unsigned, bool is_first) {
  Runtime& runtime = runtime_of_teams();
  if (is_first) {
    runtime.teams = teams_wanted(count);
    runtime.team = 0;
    return true;
  }
  if (runtime.team + 1 < runtime.teams) {
    ++runtime.team;
    return true;
  }
  runtime.team = 0;
  runtime.teams = 1;
  return false;
}

void hindcast_GOMP_target_ext(int, Function function, std::size_t count, void** addresses, const std::size_t* sizes,
                              const unsigned short* kinds, unsigned, void** dependences, void**) {
  wait_for_dependences(dependences);
  PrivateCopies copies(count, addresses, sizes, kinds);
  Runtime::run_alone(function, copies.addresses());
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

int hindcast_omp_get_num_teams() { return static_cast<int>(runtime_of_teams().teams); }
int hindcast_omp_get_team_num() { return static_cast<int>(runtime_of_teams().team); }
int hindcast_omp_get_max_teams() { return runtime_of_teams().teams_max; }
void hindcast_omp_set_num_teams(int count) { runtime_of_teams().teams_max = std::max(count, 0); }
int hindcast_omp_get_teams_thread_limit() { return runtime_of_teams().threads_of_team_max; }
void hindcast_omp_set_teams_thread_limit(int threads) { runtime_of_teams().threads_of_team_max = std::max(threads, 0); }

int hindcast_omp_get_num_devices() { return 0; }
int hindcast_omp_get_initial_device() { return 0; }
int hindcast_omp_get_device_num() { return 0; }
int hindcast_omp_is_initial_device() { return 1; }
int hindcast_omp_get_default_device() { return Runtime::calling("omp_get_default_device").device; }
void hindcast_omp_set_default_device(int device) { Runtime::calling("omp_set_default_device").device = device; }

void* hindcast_omp_target_alloc(std::size_t bytes, int) { return std::malloc(bytes); }
void hindcast_omp_target_free(void* memory, int) { std::free(memory); }
int hindcast_omp_target_is_present(const void*, int) { return 1; }
int hindcast_omp_target_memcpy(void* to, const void* from, std::size_t bytes, std::size_t to_offset,
                               std::size_t from_offset, int, int) {
  std::memcpy(static_cast<std::byte*>(to) + to_offset, static_cast<const std::byte*>(from) + from_offset, bytes);
  return 0;
}
int hindcast_omp_target_memcpy_rect(void* to, const void* from, std::size_t bytes_of_element, int dimensions,
                                    const std::size_t* counts, const std::size_t* to_offsets,
                                    const std::size_t* from_offsets, const std::size_t* to_extents,
                                    const std::size_t* from_extents, int, int) {
  if (to == nullptr && from == nullptr) return INT_MAX;  // asks how many dimensions there may be
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
