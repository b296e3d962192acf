#include "simulator/programs/openmp/team.hpp"

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

void wake_all(WaitQueue& queue) {
  while (Waiter* const first = queue.first()) grant(*first);
}

// As programs are told: OMP_SCHEDULE=guided,4.
void read_schedule(Runtime& runtime) {
  const char* text = std::getenv("OMP_SCHEDULE");
  if (text == nullptr) return;
  const std::string_view words = text;
  const std::size_t comma = words.find(',');
  const std::string_view kind = words.substr(0, comma);
  if (comma != std::string_view::npos) runtime.chunk = std::max(1, std::atoi(text + comma + 1));
  if (kind.ends_with("static"))
    runtime.schedule = WorkShare::Schedule::in_blocks;
  else if (kind.ends_with("guided"))
    runtime.schedule = WorkShare::Schedule::guided;
}

}  // namespace

Team::Team(unsigned members_wanted, Function what, void* with)
    : size(members_wanted), function(what), data(with), members(members_wanted) {
  for (unsigned i = 0; i < size; ++i) {
    members[i].team = this;
    members[i].number = i;
  }
}

Runtime::Runtime(ProgramThreads& threads) : threads_(threads) {
  const char* wanted = std::getenv("OMP_NUM_THREADS");
  set_threads(wanted != nullptr ? std::atoi(wanted) : threads.program().processors().count);
  read_schedule(*this);
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
    self.openmp_alone = std::make_shared<Team>(1, nullptr, nullptr);
    self.openmp = &static_cast<Team*>(self.openmp_alone.get())->members.front();
  }
  return *static_cast<Member*>(self.openmp);
}

void Runtime::run_in_parallel(Function function, void* data, unsigned threads, const WorkShare* first_share) {
  Member& outer = member("a parallel region");
  ProgramThread& self = ProgramThreads::calling("a parallel region");
  const bool is_within_another = outer.team->size > 1;
  const unsigned size = is_within_another ? 1 : threads != 0 ? threads : threads_wanted_;
  const auto team = std::make_shared<Team>(size, function, data);
  if (first_share != nullptr) team->shares.emplace(0, *first_share);
  for (Member& each : team->members) {
    each.outer = &outer;
    each.shares_begun = first_share != nullptr ? 1 : 0;
  }
  for (unsigned i = 1; i < size; ++i) give_work(team, team->members[i], self);
  self.openmp = &team->members.front();
  function(data);
  barrier(team->members.front());
  self.openmp = &outer;
}

// A region's threads are those of the one before, in the same order: what they have of their own is still there. One of
// them may be on its way from there to wait for this one.
void Runtime::give_work(const std::shared_ptr<Team>& team, Member& member, const ProgramThread& master) {
  const auto wanted =
      workers_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(member.number - 1, workers_.size()));
  const auto found =
      std::find_if(wanted, workers_.end(), [&](const auto& worker) { return worker->can_work_for(master); });
  const bool is_new = found == workers_.end();
  if (is_new) workers_.push_back(std::make_unique<Worker>());
  Worker& worker = is_new ? *workers_.back() : **found;
  worker.team = team;
  worker.member = &member;
  worker.master = &master;
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
    worker.is_working = true;
    self.openmp = &member;
    team->function(team->data);
    barrier(member);
    worker.is_working = false;
  }
}

void Runtime::barrier(Member& member) {
  Team& team = *member.team;
  const std::uint64_t own = team.barriers;
  ++team.arrived;
  for (;;) {
    if (run_one_task(member)) continue;
    if (team.barriers != own) return;
    if (team.arrived == team.size && team.unfinished_tasks == 0) {
      team.arrived = 0;
      ++team.barriers;
      return wake_all(team.waiting);
    }
    wait_in_team(member, "a barrier of OpenMP");
  }
}

bool Runtime::run_one_task(Member& member) {
  Team& team = *member.team;
  if (team.tasks.empty()) return false;
  const std::shared_ptr<Task> task = team.tasks.front();
  team.tasks.pop_front();
  run_task(member, task);
  return true;
}

void Runtime::add_task(Member& member, const std::shared_ptr<Task>& task) {
  ++member.team->unfinished_tasks;
  ++task->parent->unfinished_children;
  if (task->group != nullptr) ++task->group->unfinished;
  member.team->tasks.push_back(task);
  if (Waiter* const idle = member.team->waiting.first()) grant(*idle);
}

void Runtime::run_task(Member& member, const std::shared_ptr<Task>& task) {
  const std::shared_ptr<Task> before = std::exchange(member.task, task);
  task->function(task->data.data());
  member.task = before;
  const bool is_last_child = --task->parent->unfinished_children == 0;
  const bool is_last_of_group = task->group != nullptr && --task->group->unfinished == 0;
  const bool is_last = --member.team->unfinished_tasks == 0;
  if (is_last_child || is_last_of_group || is_last) wake_all(member.team->waiting);
}

void Runtime::wait_for_tasks(Member& member, const unsigned& unfinished, const char* call) {
  while (unfinished > 0)
    if (!run_one_task(member)) wait_in_team(member, call);
}

}  // namespace hindcast::programs::openmp
