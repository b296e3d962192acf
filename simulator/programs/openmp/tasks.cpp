// Tasks: queued, and worked on by whoever of the team comes to a barrier or waits for tasks.
#include <algorithm>
#include <cstring>

#include "simulator/programs/openmp/team.hpp"

namespace hindcast::programs::openmp {

namespace {

using CopyData = void (*)(void*, void*);

enum Flags : unsigned {
  is_final = 1U << 1,
  has_dependences = 1U << 3,
  upwards = 1U << 8,
  by_grain = 1U << 9,
  may_be_deferred = 1U << 10,
  without_group = 1U << 11
};

std::shared_ptr<Task> make_task(Member& member, Function function, void* data, CopyData copy, long bytes,
                                unsigned flags) {
  auto task = std::make_shared<Task>();
  task->function = function;
  task->data.resize((static_cast<std::size_t>(bytes) + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  if (copy != nullptr)
    copy(task->data.data(), data);
  else if (bytes > 0)
    std::memcpy(task->data.data(), data, static_cast<std::size_t>(bytes));
  task->parent = member.task;
  task->group = member.task->group;
  task->is_final = member.task->is_final || (flags & is_final) != 0;
  return task;
}

// At once, by the one that has come to it.
void run_at_once(Member& member, const std::shared_ptr<Task>& task) {
  const std::shared_ptr<Task> before = std::exchange(member.task, task);
  task->function(task->data.data());
  member.task = before;
}

void start_task(Member& member, const std::shared_ptr<Task>& task, bool is_deferred) {
  if (is_deferred && member.team->size > 1 && !task->parent->is_final)
    Runtime::add_task(member, task);
  else
    run_at_once(member, task);
}

void wait_for_children(Member& member) {
  const std::shared_ptr<Task> own = member.task;
  Runtime::wait_for_tasks(member, own->unfinished_children, "taskwait");
}

void begin_group(Member& member) {
  auto* group = new TaskGroup();
  group->outer = member.task->group;
  member.task->group = group;
}

void end_group(Member& member) {
  const std::shared_ptr<Task> own = member.task;
  const std::unique_ptr<TaskGroup> group(own->group);
  Runtime::wait_for_tasks(member, group->unfinished, "the end of a taskgroup");
  own->group = group->outer;
}

// The iterations of a taskloop go to so many tasks, whose data begins with the bounds of each.
template <typename Number>
void start_taskloop(Function function, void* data, CopyData copy, long bytes, unsigned flags,
                    unsigned long tasks_wanted, Number begin, Number end, Number step) {
  Member& member = Runtime::member("taskloop");
  const bool up = (flags & upwards) != 0;
  if (up ? begin >= end : begin <= end) return;
  const auto span = static_cast<unsigned long>(up ? end - begin : begin - end);
  const auto stride = static_cast<unsigned long>(up ? step : Number{} - step);
  const unsigned long count = (span + stride - 1) / stride;
  const unsigned long wanted = tasks_wanted == 0         ? member.team->size
                               : (flags & by_grain) != 0 ? std::max(1UL, count / tasks_wanted)
                                                         : tasks_wanted;
  const unsigned long tasks = std::min(count, wanted);
  if ((flags & without_group) == 0) begin_group(member);
  unsigned long done = 0;
  for (unsigned long i = 0; i < tasks; ++i) {
    const unsigned long own = count / tasks + (i < count % tasks ? 1 : 0);
    const auto task = make_task(member, function, data, copy, bytes, flags);
    auto* bounds = reinterpret_cast<Number*>(task->data.data());
    bounds[0] = static_cast<Number>(begin + static_cast<Number>(done) * step);
    done += own;
    bounds[1] = done == count ? end : static_cast<Number>(begin + static_cast<Number>(done) * step);
    start_task(member, task, (flags & may_be_deferred) != 0);
  }
  if ((flags & without_group) == 0) end_group(member);
}

}  // namespace

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs::openmp;

extern "C" {

// One that depends on others is begun when all that were made before it are over.
void hindcast_GOMP_task(Function function, void* data, CopyData copy, long bytes, long, bool is_deferred,
                        unsigned flags, void**, int) {
  Member& member = Runtime::member("task");
  const auto task = make_task(member, function, data, copy, bytes, flags);
  if ((flags & has_dependences) != 0) {
    wait_for_children(member);
    is_deferred = false;
  }
  start_task(member, task, is_deferred);
}

void hindcast_GOMP_taskwait() { wait_for_children(Runtime::member("taskwait")); }
void hindcast_GOMP_taskwait_depend(void**) { hindcast_GOMP_taskwait(); }
void hindcast_GOMP_taskyield() { Runtime::run_one_task(Runtime::member("taskyield")); }
void hindcast_GOMP_taskgroup_start() { begin_group(Runtime::member("taskgroup")); }
void hindcast_GOMP_taskgroup_end() { end_group(Runtime::member("taskgroup")); }

void hindcast_GOMP_taskloop(Function function, void* data, CopyData copy, long bytes, long, unsigned flags,
                            unsigned long tasks, int, long begin, long end, long step) {
  start_taskloop(function, data, copy, bytes, flags, tasks, begin, end, step);
}
void hindcast_GOMP_taskloop_ull(Function function, void* data, CopyData copy, long bytes, long, unsigned flags,
                                unsigned long tasks, int, unsigned long long begin, unsigned long long end,
                                unsigned long long step) {
  start_taskloop(function, data, copy, bytes, flags, tasks, begin, end, step);
}

int hindcast_omp_in_final() { return Runtime::member("omp_in_final").task->is_final ? 1 : 0; }

}  // extern "C"
