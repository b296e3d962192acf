// Tasks: queued, and worked on by whoever of the team comes to a barrier or waits for tasks.
#include <algorithm>
#include <cstring>

#include "simulator/programs/openmp/dependences.hpp"
#include "simulator/programs/openmp/reductions.hpp"

namespace hindcast::programs::openmp {

namespace {

using CopyData = void (*)(void*, void*);

enum Flags : unsigned {
  is_final = 1U << 1,
  has_dependences = 1U << 3,
  upwards = 1U << 8,
  by_grain = 1U << 9,
  may_be_deferred = 1U << 10,
  without_group = 1U << 11,
  reduces = 1U << 12,
  has_event = 1U << 13,
  exactly = 1U << 14
};

std::shared_ptr<Task> make_task(Member& member, std::shared_ptr<Task> task, Function function, void* data,
                                CopyData copy, long bytes, unsigned flags, int priority) {
  if (task == nullptr) task = std::make_shared<Task>();
  task->function = function;
  task->data.resize((static_cast<std::size_t>(bytes) + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  if (copy != nullptr)
    copy(task->data.data(), data);
  else if (bytes > 0)
    std::memcpy(task->data.data(), data, static_cast<std::size_t>(bytes));
  task->parent = member.task;
  task->team = member.team;
  task->group = member.task->group;
  task->is_final = member.task->is_final || (flags & is_final) != 0;
  task->settings = member.task->settings;
  task->priority = std::clamp(priority, 0, Runtime::calling("task").priority_max);
  return task;
}

// One that will never begin, for the program to fulfil its event.
Task* discarded_task(Member& member) {
  const auto task = std::make_shared<Task>();
  member.team->discarded.push_back(task);
  return task.get();
}

bool is_cancelled_for(const Member& member) { return member.team->is_cancelled || is_cancelled(member.task->group); }

// At once, by the one that has come to it, if nothing has to be over before. Alone in its team, a thread defers only
// what it could not begin, or what is over only with an event that the thread itself may have to fulfil.
void start_task(Member& member, const std::shared_ptr<Task>& task, bool may_be_deferred_too) {
  const bool is_worth_it = member.team->size > 1 || task->predecessors > 0 || task->events_open > 0;
  if (may_be_deferred_too && is_worth_it && !task->parent->is_final) return Runtime::add_task(member, task);
  TaskQueue& own_tasks = member.task->ready_children;
  Runtime::wait_for_tasks(member, own_tasks, task->predecessors, "tasks that it depends on");
  Runtime::run_task(member, task);
  Runtime::wait_for_tasks(member, own_tasks, task->events_open, "the event of a task");
}

void wait_for_children(Member& member) {
  const std::shared_ptr<Task> own = member.task;
  Runtime::wait_for_tasks(member, own->ready_children, own->unfinished_children, "taskwait");
}

// The iterations of a taskloop go to so many tasks, whose data begins with the bounds of each.
template <typename Number>
void start_taskloop(Function function, void* data, CopyData copy, long bytes, unsigned flags,
                    unsigned long tasks_wanted, int priority, Number begin, Number end, Number step) {
  Member& member = Runtime::member("taskloop");
  const bool up = (flags & upwards) != 0;
  struct Head {
    Number begin, end;
    std::uintptr_t* reductions;
  };
  const bool groups = (flags & without_group) == 0;
  std::uintptr_t* const reductions =
      groups && (flags & reduces) != 0 ? static_cast<const Head*>(data)->reductions : nullptr;
  if (is_cancelled_for(member) || (up ? begin >= end : begin <= end)) {
    if (reductions != nullptr) register_reductions(reductions, nullptr, nullptr, member.team->size);
    return;
  }
  const auto first = static_cast<unsigned long>(begin), last = static_cast<unsigned long>(end);
  const auto advance = static_cast<unsigned long>(step);
  const unsigned long span = up ? last - first : first - last;
  const unsigned long count = (span - 1) / (up ? advance : -advance) + 1;
  const unsigned long wanted = tasks_wanted == 0         ? member.team->size
                               : (flags & by_grain) == 0 ? tasks_wanted
                               : (flags & exactly) != 0  ? (count - 1) / tasks_wanted + 1
                                                         : std::max(1UL, count / tasks_wanted);
  const unsigned long tasks = std::min(count, wanted);
  if (groups) begin_group(member);
  if (reductions != nullptr) {
    register_reductions(reductions, member.task->group->reductions, nullptr, member.team->size);
    member.task->group->reductions = reductions;
  }
  unsigned long done = 0;
  for (unsigned long i = 0; i < tasks; ++i) {
    const unsigned long evenly = count / tasks + (i < count % tasks ? 1 : 0);
    const bool by_exact_grain = tasks_wanted != 0 && (flags & by_grain) != 0 && (flags & exactly) != 0;
    const unsigned long own = by_exact_grain ? std::min(tasks_wanted, count - done) : evenly;
    const auto task = make_task(member, nullptr, function, data, copy, bytes, flags, priority);
    auto* bounds = reinterpret_cast<Number*>(task->data.data());
    bounds[0] = static_cast<Number>(first + done * advance);
    done += own;
    bounds[1] = done == count ? end : static_cast<Number>(first + done * advance);
    start_task(member, task, (flags & may_be_deferred) != 0);
  }
  if (groups) end_group(member);
}

}  // namespace

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs::openmp;

extern "C" {

void hindcast_GOMP_task(Function function, void* data, CopyData copy, long bytes, long, bool is_deferred,
                        unsigned flags, void** dependences, int priority, void* event) {
  Member& member = Runtime::member("task");
  if (is_cancelled_for(member)) {
    if ((flags & has_event) != 0) *static_cast<Task**>(event) = discarded_task(member);
    return;
  }
  std::shared_ptr<Task> task;
  if ((flags & has_event) != 0) {
    task = std::make_shared<Task>();
    task->events_open = 1;
    *static_cast<Task**>(event) = task.get();
    if (data != nullptr) *static_cast<Task**>(data) = task.get();
  }
  task = make_task(member, std::move(task), function, data, copy, bytes, flags, priority);
  if ((flags & has_dependences) != 0) depend_on(*member.task, task, dependences);
  start_task(member, task, is_deferred);
}

// By any thread of the rank's.
void hindcast_omp_fulfill_event(Task* event) {
  const std::shared_ptr<Task> task = event->shared_from_this();
  if (std::exchange(task->events_open, 0) == 0) return;
  if (task->has_run) Runtime::finish(task);
}

void hindcast_GOMP_taskwait() { wait_for_children(Runtime::member("taskwait")); }
void hindcast_GOMP_taskwait_depend(void** dependences) {
  Member& member = Runtime::member("taskwait");
  const auto waiter = std::make_shared<Task>();
  wait_behind(*member.task, waiter, dependences);
  Runtime::wait_for_tasks(member, member.task->ready_children, waiter->predecessors, "taskwait");
}
void hindcast_GOMP_taskyield() {
  Member& member = Runtime::member("taskyield");
  Runtime::run_one_task(member, member.task->ready_children);
}
void hindcast_GOMP_taskgroup_start() { begin_group(Runtime::member("taskgroup")); }
void hindcast_GOMP_taskgroup_end() { end_group(Runtime::member("taskgroup")); }

void hindcast_GOMP_taskloop(Function function, void* data, CopyData copy, long bytes, long, unsigned flags,
                            unsigned long tasks, int priority, long begin, long end, long step) {
  start_taskloop(function, data, copy, bytes, flags, tasks, priority, begin, end, step);
}
void hindcast_GOMP_taskloop_ull(Function function, void* data, CopyData copy, long bytes, long, unsigned flags,
                                unsigned long tasks, int priority, unsigned long long begin, unsigned long long end,
                                unsigned long long step) {
  start_taskloop(function, data, copy, bytes, flags, tasks, priority, begin, end, step);
}

int hindcast_omp_in_final() { return Runtime::member("omp_in_final").task->is_final ? 1 : 0; }

}  // extern "C"
