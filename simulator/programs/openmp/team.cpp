#include "simulator/programs/openmp/team.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs::openmp {

namespace {

// What the thread has computed may be charged here, in which others go on.
void come_to(const char* call) { ProgramThreads::calling(call); }

// Nothing is charged, or what the thread waits for could come before it stands in the queue.
void wait_in_team(WaitQueue& queue, const char* call) {
  ProgramThread& self = *RunningProgram::current()->threads().of(*Thread::current());
  Waiter waiter(self);
  self.wait_in(queue, waiter, PlainWait(self.threads, call));
}

void work_on(Task& task) {
  task.function(task.data.data());
  come_to("the end of a task");
}

void remove_begun(TaskQueue& queue) {
  while (!queue.empty() && queue.front()->has_begun) queue.pop_front();
}

// Behind those of the same priority.
void put(TaskQueue& queue, const std::shared_ptr<Task>& task) {
  remove_begun(queue);
  auto behind = queue.end();
  while (behind != queue.begin() && (*std::prev(behind))->priority < task->priority) --behind;
  queue.insert(behind, task);
}

void queue_task(const std::shared_ptr<Task>& task) {
  put(task->team->tasks, task);
  if (!task->parent->is_over) put(task->parent->ready_children, task);
  if (task->group != nullptr) put(task->group->ready, task);
}

}  // namespace

bool is_cancelled(const TaskGroup* group) {
  for (; group != nullptr; group = group->outer)
    if (group->is_cancelled) return true;
  return false;
}

Team::Team(unsigned members_wanted, Function what, void* with)
    : size(members_wanted), function(what), data(with), members(members_wanted) {
  for (unsigned i = 0; i < size; ++i) {
    members[i].team = this;
    members[i].number = i;
  }
}

Runtime::Runtime(ProgramThreads& threads) : threads_(threads) {
  threads_by_level.push_back(static_cast<unsigned>(std::max(1, threads_.program().processors().count)));
  read_environment(*this, threads_.program());
}

unsigned Runtime::threads_at(std::size_t level) const {
  return threads_by_level[std::min(level, threads_by_level.size() - 1)];
}

Runtime& Runtime::calling(const char* function) {
  ProgramThreads& threads = ProgramThreads::calling(function).threads;
  if (threads.openmp == nullptr) threads.openmp = std::make_shared<Runtime>(threads);
  return *static_cast<Runtime*>(threads.openmp.get());
}

// Outside of all regions a thread is the only member of a team of its own.
Member& Runtime::member(const char* function) {
  ProgramThread& self = ProgramThreads::calling(function);
  if (self.openmp == nullptr) {
    const auto alone = std::make_shared<Team>(1, nullptr, nullptr);
    alone->threads = std::make_shared<ThreadGroup>();
    alone->members.front().task->settings = calling(function).settings_at_first;
    self.openmp_alone = alone;
    self.openmp = &alone->members.front();
  }
  return *static_cast<Member*>(self.openmp);
}

Settings& Runtime::settings(const char* function) { return member(function).task->settings; }

void Runtime::run_alone(Function function, void* data, const Settings& settings, std::shared_ptr<ThreadGroup> threads) {
  ProgramThread& self = ProgramThreads::calling("a part of its own");
  Team alone(1, function, data);
  alone.threads = std::move(threads);
  alone.members.front().task->settings = settings;
  void* const before = std::exchange(self.openmp, &alone.members.front());
  function(data);
  barrier(alone.members.front());
  self.openmp = before;
}

unsigned Runtime::team_size(unsigned threads_asked) const {
  const Member& outer = member("a parallel region");
  unsigned levels = 0;
  for (const Member* around = &outer; around != nullptr; around = around->outer)
    if (around->team->size > 1) ++levels;
  const Settings& settings = outer.task->settings;
  if (levels >= settings.levels_max) return 1;
  const unsigned others = outer.team->threads->threads - 1;
  const unsigned threads_left = std::max(settings.threads_max, others + 1) - others;
  return std::min(threads_asked != 0 ? threads_asked : settings.threads_wanted, threads_left);
}

void Runtime::run_in_parallel(Function function, void* data, unsigned size, const WorkShare* first_share,
                              std::uintptr_t* reductions) {
  Member& outer = member("a parallel region");
  ProgramThread& self = ProgramThreads::calling("a parallel region");
  std::size_t level = 0;
  for (const Member* around = &outer; around->outer != nullptr; around = around->outer) ++level;
  const auto team = std::make_shared<Team>(size, function, data);
  if (first_share != nullptr) team->shares.emplace(0, *first_share);
  team->group.reductions = reductions;
  team->threads = outer.team->threads;
  team->threads->threads += size - 1;
  for (Member& each : team->members) {
    each.outer = &outer;
    each.shares_begun = first_share != nullptr ? 1 : 0;
    each.task->settings = outer.task->settings;
    if (level + 1 < threads_by_level.size()) each.task->settings.threads_wanted = threads_at(level + 1);
    if (reductions != nullptr) each.task->group = &team->group;
  }
  for (unsigned i = 1; i < size; ++i) give_work(team, team->members[i]);
  self.openmp = &team->members.front();
  if (shows_affinity) print_affinity_if_new(*this);
  function(data);
  barrier(team->members.front());
  team->is_over = true;
  team->threads->threads -= size - 1;
  self.openmp = &outer;
}

// A region's threads are those of the one before, in the same order: what they have of their own is still there. One of
// them may be on its way from there to wait for this one.
void Runtime::give_work(const std::shared_ptr<Team>& team, Member& member) {
  const auto wanted =
      workers_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(member.number - 1, workers_.size()));
  const auto found = std::find_if(wanted, workers_.end(), [](const auto& worker) { return worker->is_free(); });
  const bool is_new = found == workers_.end();
  if (is_new) workers_.push_back(std::make_unique<Worker>());
  Worker& worker = is_new ? *workers_.back() : **found;
  worker.team = team;
  worker.member = &member;
  if (Waiter* const waiter = worker.waiting.first()) grant(*waiter);
  ProgramThread* created = nullptr;
  const std::size_t bytes = std::max(threads_.program().launch().options().stack_bytes, stack_bytes);
  if (is_new && threads_.create(&work, &worker, bytes, nullptr, true, created) != 0)
    threads_.program().launch().abort_run(1, "no memory for another thread of OpenMP");
}

void* Runtime::work(void* own) {
  auto& worker = *static_cast<Worker*>(own);
  ProgramThread& self = ProgramThreads::calling("a parallel region");
  for (;;) {
    while (worker.member == nullptr) {
      Waiter waiter(self);
      self.wait_in(worker.waiting, waiter, PlainWait(self.threads, "OpenMP, for the next parallel region"));
    }
    const std::shared_ptr<Team> team = std::move(worker.team);
    Member& member = *std::exchange(worker.member, nullptr);
    worker.works_for = team.get();
    self.openmp = &member;
    Runtime& runtime = calling("a parallel region");
    if (runtime.shows_affinity) print_affinity_if_new(runtime);
    team->function(team->data);
    barrier(member);
    worker.works_for = nullptr;
  }
}

bool Runtime::barrier(Member& member, bool may_be_cancelled) {
  constexpr const char* call = "a barrier of OpenMP";
  come_to(call);
  Team& team = *member.team;
  if (may_be_cancelled && team.is_cancelled) return true;
  const std::uint64_t own = team.barriers;
  ++team.arrived;
  if (may_be_cancelled) ++team.arrived_may_leave;
  for (;;) {
    if (run_one_task(member, team.tasks)) continue;
    if (team.barriers != own) break;
    if (may_be_cancelled && team.is_cancelled) return true;
    if (team.arrived == team.size && team.unfinished_tasks == 0) {
      team.arrived = team.arrived_may_leave = 0;
      team.is_share_cancelled = false;
      ++team.barriers;
      wake_all(team.at_barrier);
      break;
    }
    wait_in_team(team.at_barrier, call);
  }
  member.task->dependences.clear();  // of tasks that are over
  member.task->ready_children.clear();
  return false;
}

bool Runtime::run_one_task(Member& member, TaskQueue& queue) {
  remove_begun(queue);
  if (queue.empty()) return false;
  const std::shared_ptr<Task> task = queue.front();
  queue.pop_front();
  run_task(member, task);
  return true;
}

// One that depends on others is queued by the last of them.
void Runtime::add_task(Member& member, const std::shared_ptr<Task>& task) {
  Team& team = *member.team;
  task->is_deferred = true;
  ++team.unfinished_tasks;
  ++task->parent->unfinished_children;
  if (task->group != nullptr) ++task->group->unfinished;
  if (task->predecessors > 0) return;
  queue_task(task);
  if (Waiter* const idle = team.at_barrier.first())
    grant(*idle);
  else if (task->group != nullptr)
    wake_all(team.for_tasks);
}

// What has been cancelled before it began is over at once, whatever becomes of its event.
void Runtime::run_task(Member& member, const std::shared_ptr<Task>& task) {
  task->has_begun = true;
  const std::shared_ptr<Task> before = std::exchange(member.task, task);
  if (!task->team->is_cancelled && !is_cancelled(task->group))
    work_on(*task);
  else if (std::exchange(task->events_open, 0) > 0)
    task->team->discarded.push_back(task);
  member.task = before;
  task->has_run = true;
  if (task->events_open == 0)
    finish(task);
  else
    task->kept = task;
}

void Runtime::finish(const std::shared_ptr<Task>& task) {
  Team& team = *task->team;
  task->is_over = true;
  task->dependences.clear();
  task->ready_children.clear();
  bool is_awaited = !task->is_deferred;
  for (const std::shared_ptr<Task>& next : std::exchange(task->successors, {}))
    if (--next->predecessors == 0) {
      is_awaited = true;
      if (next->is_deferred) queue_task(next);
    }
  if (task->is_deferred) {
    const bool is_last_child = --task->parent->unfinished_children == 0;
    const bool is_last_of_group = task->group != nullptr && --task->group->unfinished == 0;
    const bool is_last = --team.unfinished_tasks == 0;
    is_awaited = is_awaited || is_last_child || is_last_of_group || is_last;
  }
  if (is_awaited) {
    wake_all(team.at_barrier);
    wake_all(team.for_tasks);
  }
  task->parent.reset();  // or each of a long chain of tasks would keep the one before
  task->kept.reset();    // the caller has it
}

void Runtime::wait_for_tasks(Member& member, TaskQueue& queue, const unsigned& unfinished, const char* call) {
  come_to(call);
  while (unfinished > 0)
    if (!run_one_task(member, queue)) wait_in_team(member.team->for_tasks, call);
}

void Runtime::wake_all(WaitQueue& queue) {
  while (Waiter* const first = queue.first()) grant(*first);
}

}  // namespace hindcast::programs::openmp
