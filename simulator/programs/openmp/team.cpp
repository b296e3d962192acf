#include "simulator/programs/openmp/team.hpp"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs::openmp {

namespace {

void wait_in_team(Member& member, const char* call) {
  ProgramThread& self = ProgramThreads::calling(call);
  Waiter waiter(self);
  self.wait_in(member.team->waiting, waiter, PlainWait(self.threads, call));
}

bool is_true(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr && (strcasecmp(text, "true") == 0 || std::strcmp(text, "1") == 0);
}

int number_in(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr && std::atoi(text) > 0 ? std::atoi(text) : otherwise;
}

// As programs are told: OMP_SCHEDULE=guided,4, or monotonic:guided,4.
void read_schedule(Runtime& runtime) {
  const char* text = std::getenv("OMP_SCHEDULE");
  if (text == nullptr) return;
  const std::string_view words = text;
  const std::size_t comma = words.find(',');
  const std::string_view kind = words.substr(0, comma);
  const bool is_static = kind.ends_with("static") || kind.ends_with("auto");
  runtime.chunk = comma != std::string_view::npos ? std::max(1, std::atoi(text + comma + 1)) : is_static ? 0 : 1;
  if (is_static)
    runtime.schedule = WorkShare::Schedule::in_blocks;
  else if (kind.ends_with("guided"))
    runtime.schedule = WorkShare::Schedule::guided;
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
  read_environment();
  read_schedule(*this);
}

// A list of numbers of threads is one for each level.
void Runtime::read_environment() {
  const char* wanted = std::getenv("OMP_NUM_THREADS");
  for (const char* at = wanted; at != nullptr && std::atoi(at) > 0;) {
    threads_by_level_.push_back(static_cast<unsigned>(std::atoi(at)));
    at = std::strchr(at, ',');
    if (at != nullptr) ++at;
  }
  if (threads_by_level_.empty())
    threads_by_level_.push_back(static_cast<unsigned>(std::max(1, threads_.program().processors().count)));
  const int levels = is_true("OMP_NESTED") ? levels_supported : static_cast<int>(threads_by_level_.size());
  levels_max = static_cast<unsigned>(number_in("OMP_MAX_ACTIVE_LEVELS", levels));
  threads_max = static_cast<unsigned>(number_in("OMP_THREAD_LIMIT", INT32_MAX));
  teams_max = number_in("OMP_NUM_TEAMS", 0);
  threads_of_team_max = number_in("OMP_TEAMS_THREAD_LIMIT", 0);
  is_dynamic = is_true("OMP_DYNAMIC");
  can_cancel = is_true("OMP_CANCELLATION");
  if (const char* format = std::getenv("OMP_AFFINITY_FORMAT")) affinity_format = format;
  if (is_true("OMP_DISPLAY_ENV")) threads_.program().write(2, settings(*this));
}

unsigned Runtime::threads_at(std::size_t level) const {
  return threads_by_level_[std::min(level, threads_by_level_.size() - 1)];
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
    alone->members.front().threads_wanted = calling(function).threads_at(0);
    self.openmp_alone = alone;
    self.openmp = &alone->members.front();
  }
  return *static_cast<Member*>(self.openmp);
}

void Runtime::run_alone(Function function, void* data) {
  ProgramThread& self = ProgramThreads::calling("a part of its own");
  Team alone(1, function, data);
  alone.members.front().threads_wanted = calling("a part of its own").threads_at(0);
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
  if (levels >= levels_max) return 1;
  return std::min(threads_asked != 0 ? threads_asked : outer.threads_wanted, threads_max);
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
  for (Member& each : team->members) {
    each.outer = &outer;
    each.shares_begun = first_share != nullptr ? 1 : 0;
    each.threads_wanted = level + 1 < threads_by_level_.size() ? threads_at(level + 1) : outer.threads_wanted;
    if (reductions != nullptr) each.task->group = &team->group;
  }
  for (unsigned i = 1; i < size; ++i) give_work(team, team->members[i]);
  self.openmp = &team->members.front();
  function(data);
  barrier(team->members.front());
  team->is_over = true;
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
  const std::size_t stack_bytes = threads_.program().launch().options().stack_bytes;
  if (is_new && threads_.create(&work, &worker, stack_bytes, nullptr, true, created) != 0)
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
    team->function(team->data);
    barrier(member);
    worker.works_for = nullptr;
  }
}

bool Runtime::barrier(Member& member, bool may_be_cancelled) {
  Team& team = *member.team;
  if (may_be_cancelled && team.is_cancelled) return true;
  const std::uint64_t own = team.barriers;
  ++team.arrived;
  if (may_be_cancelled) ++team.arrived_may_leave;
  for (;;) {
    if (run_one_task(member)) continue;
    if (team.barriers != own) break;
    if (may_be_cancelled && team.is_cancelled) return true;
    if (team.arrived == team.size && team.unfinished_tasks == 0) {
      team.arrived = team.arrived_may_leave = 0;
      team.is_share_cancelled = false;
      ++team.barriers;
      wake_all(team.waiting);
      break;
    }
    wait_in_team(member, "a barrier of OpenMP");
  }
  member.task->dependences.clear();  // of tasks that are over
  return false;
}

bool Runtime::run_one_task(Member& member) {
  Team& team = *member.team;
  if (team.tasks.empty()) return false;
  const std::shared_ptr<Task> task = team.tasks.front();
  team.tasks.pop_front();
  run_task(member, task);
  return true;
}

// One that depends on others is queued by the last of them.
void Runtime::add_task(Member& member, const std::shared_ptr<Task>& task) {
  task->is_deferred = true;
  ++member.team->unfinished_tasks;
  ++task->parent->unfinished_children;
  if (task->group != nullptr) ++task->group->unfinished;
  if (task->predecessors > 0) return;
  member.team->tasks.push_back(task);
  if (Waiter* const idle = member.team->waiting.first()) grant(*idle);
}

// What has been cancelled before it began is over at once.
void Runtime::run_task(Member& member, const std::shared_ptr<Task>& task) {
  const std::shared_ptr<Task> before = std::exchange(member.task, task);
  if (!task->team->is_cancelled && !is_cancelled(task->group)) task->function(task->data.data());
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
  bool is_awaited = !task->is_deferred;
  for (const std::shared_ptr<Task>& next : std::exchange(task->successors, {}))
    if (--next->predecessors == 0) {
      is_awaited = true;
      if (next->is_deferred) team.tasks.push_back(next);
    }
  if (task->is_deferred) {
    const bool is_last_child = --task->parent->unfinished_children == 0;
    const bool is_last_of_group = task->group != nullptr && --task->group->unfinished == 0;
    const bool is_last = --team.unfinished_tasks == 0;
    is_awaited = is_awaited || is_last_child || is_last_of_group || is_last;
  }
  if (is_awaited) wake_all(team.waiting);
  task->kept.reset();  // the caller has it
}

void Runtime::wait_for_tasks(Member& member, const unsigned& unfinished, const char* call) {
  while (unfinished > 0)
    if (!run_one_task(member)) wait_in_team(member, call);
}

void Runtime::wake_all(WaitQueue& queue) {
  while (Waiter* const first = queue.first()) grant(*first);
}

}  // namespace hindcast::programs::openmp
