// OpenMP for programs that gcc has compiled: libgomp's calls, on simulated threads. A rank's threads of OpenMP are
// started when they are needed first, and wait for the next parallel region when one is over. A region within a region
// is worked on by the thread that comes to it, unless more levels are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/programs/threads/mutex.hpp"

namespace hindcast::programs::openmp {

using Function = void (*)(void*);

// What the members of a team share out: a loop, sections, what one of them does for all.
struct WorkShare {
  enum class Schedule : std::uint8_t { in_blocks, dynamic, guided };

  // Iterations that are left, as numbers from 0 on; what they stand for.
  std::uint64_t next = 0;
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t step = 1;
  std::uint64_t chunk = 1;
  Schedule schedule = Schedule::dynamic;
  unsigned has_left = 0;   // how many members are done with it
  void* copied = nullptr;  // by the one to the others
  // Where pieces are to be worked on in order: whose turn it is, and those that are over before their turn.
  std::uint64_t piece_in_order = 0;
  std::uint64_t pieces = 0;
  std::set<std::uint64_t> pieces_over;
  WaitQueue waiting_for_order{};
  // Iterations that wait for each other: how many numbers say which one it is, and how far each of the outermost loop
  // has come.
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> posted;
  std::vector<std::max_align_t> memory;  // of the program's, for all members
  std::uintptr_t* reductions = nullptr;  // of tasks, as the first member registered them
};

// How loops are worked on that leave it to the run.
struct ScheduleOfRun {
  WorkShare::Schedule schedule = WorkShare::Schedule::dynamic;
  int chunk = 1;
  bool is_automatic = false;
  bool is_monotonic = false;  // has been asked for
};

// What regions and loops go by. A task begins with what the task that made it has, and changes only its own.
struct Settings {
  unsigned threads_wanted = 1;  // in the next region
  ScheduleOfRun schedule;
  unsigned levels_max = 1;           // of regions of more than one thread within each other
  unsigned threads_max = INT32_MAX;  // in all regions that are within each other
  bool is_dynamic = false;
  int device = 0;
  std::uintptr_t allocator = 1;  // OpenMP's handle of the default memory's
};

// What an initial thread and all threads of the regions within it have in common.
struct ThreadGroup {
  unsigned threads = 1;
  unsigned teams = 1;  // of a region of teams: how many, and which
  unsigned team = 0;
};

using TaskQueue = std::deque<std::shared_ptr<struct Task>>;

struct TaskGroup {
  TaskGroup* outer = nullptr;
  unsigned unfinished = 0;
  bool is_cancelled = false;
  bool is_of_share = false;              // not one of the program's
  std::uintptr_t* reductions = nullptr;  // registered (reductions.hpp)
  TaskQueue ready;
};

struct Team;

// Who has written last what tasks name as their dependences, and who reads it since.
struct Dependence {
  std::shared_ptr<Task> writer;
  std::vector<std::shared_ptr<Task>> readers;
};

struct Task : std::enable_shared_from_this<Task> {
  Function function = nullptr;
  std::vector<std::max_align_t> data;
  std::shared_ptr<Task> parent;
  TaskGroup* group = nullptr;
  Settings settings;
  int priority = 0;
  unsigned unfinished_children = 0;
  TaskQueue ready_children;
  bool has_begun = false;
  bool is_final = false;
  bool is_over = false;
  bool is_deferred = false;
  // Begun only when those that it depends on are over.
  unsigned predecessors = 0;
  std::vector<std::shared_ptr<Task>> successors;
  std::unordered_map<const void*, Dependence> dependences;  // of its children
  // Over only when its event has been fulfilled as well.
  Team* team = nullptr;
  std::shared_ptr<Task> kept;  // itself, while its event is awaited
  bool has_run = false;
  unsigned events_open = 0;
};

struct Member {
  Team* team = nullptr;
  unsigned number = 0;
  Member* outer = nullptr;
  std::shared_ptr<Task> task = std::make_shared<Task>();
  std::uint64_t shares_begun = 0;
  std::uint64_t own_share = 0;   // the one that it works on
  std::uint64_t own_pieces = 0;  // of that it has had so many
  std::uint64_t piece = 0;       // and has this one
  bool has_piece = false;
};

struct Team {
  Team(unsigned size, Function function, void* data);

  const unsigned size;
  const Function function;
  void* const data;
  std::vector<Member> members;
  std::map<std::uint64_t, WorkShare> shares;  // by their order, which is that of all members
  std::shared_ptr<ThreadGroup> threads;
  TaskQueue tasks;
  std::vector<std::shared_ptr<Task>> discarded;  // those with an event, which may still be fulfilled
  unsigned unfinished_tasks = 0;
  unsigned arrived = 0;            // at the barrier
  unsigned arrived_may_leave = 0;  // so many of these, if the region is cancelled
  std::uint64_t barriers = 0;
  WaitQueue at_barrier{};  // where any task may be worked on
  WaitQueue for_tasks{};   // of their own
  bool is_cancelled = false;
  bool is_share_cancelled = false;  // up to the barrier at its end
  bool is_over = false;
  TaskGroup group;  // of all that its members do, if they have reductions of tasks
};

// Whether one of these groups has been.
bool is_cancelled(const TaskGroup* group);

// Memory for free to be given back.
void* take_aligned(std::size_t alignment, std::size_t bytes);

struct Allocator {
  std::size_t alignment = 1;
  std::size_t pool_bytes = ~std::size_t{};
  std::size_t used = 0;
  std::uintptr_t fallback = 0;
  std::uintptr_t fallback_allocator = 0;
};

struct Allocators {
  struct Taken {
    Allocator* allocator;
    std::size_t bytes;
  };
  std::vector<std::unique_ptr<Allocator>> all;
  std::unordered_map<void*, Taken> taken;
};

// A rank's part of OpenMP.
class Runtime {
 public:
  static constexpr int levels_supported = 255;

  explicit Runtime(ProgramThreads& threads);

  // Of the program that calls.
  static Runtime& calling(const char* function);
  // Of the calling thread: its place in the innermost team.
  static Member& member(const char* function);
  // Of the task that the calling thread works on.
  static Settings& settings(const char* function);

  // How many threads a region gets that asks for so many, or for none in particular (0).
  unsigned team_size(unsigned threads_asked) const;
  // Reductions of tasks that the whole region has are those of its data's first word.
  void run_in_parallel(Function function, void* data, unsigned size, const WorkShare* first_share = nullptr,
                       std::uintptr_t* reductions = nullptr);
  // A part of the program that knows of no team around it.
  static void run_alone(Function function, void* data, const Settings& settings,
                        std::shared_ptr<ThreadGroup> threads = std::make_shared<ThreadGroup>());

  // Also works on tasks. True: the region has been cancelled, which only those look at that may be left so.
  static bool barrier(Member& member, bool may_be_cancelled = false);
  // Of a queue of tasks, the first that nobody has begun.
  static bool run_one_task(Member& member, TaskQueue& queue);
  // A task that waits for others may not be held up by one that is not its own: works on those of the queue.
  static void wait_for_tasks(Member& member, TaskQueue& queue, const unsigned& unfinished, const char* call);
  static void run_task(Member& member, const std::shared_ptr<Task>& task);
  static void add_task(Member& member, const std::shared_ptr<Task>& task);
  static void finish(const std::shared_ptr<Task>& task);
  static void wake_all(WaitQueue& queue);

  Mutex& critical() { return critical_; }
  Mutex& atomic() { return atomic_; }
  // A lock that may be taken again is a task's.
  struct Lock {
    Mutex mutex{};
    const Task* owner = nullptr;
    unsigned depth = 0;
  };
  Lock& lock_at(const void* address) { return locks_[address]; }
  void forget_lock(const void* address) { locks_.erase(address); }

  Settings settings_at_first;
  std::vector<unsigned> threads_by_level;
  bool can_cancel = false;
  bool shows_affinity = false;
  bool needs_device = false;
  int teams_max = 0;
  int threads_of_team_max = 0;
  int priority_max = 0;
  std::size_t stack_bytes = 0;
  std::string affinity_format = "level %L thread %i affinity %A";
  std::unordered_map<std::uint64_t, std::string> affinity_shown;  // by thread
  Allocators allocators;

 private:
  struct Worker {
    std::shared_ptr<Team> team;
    Member* member = nullptr;         // its next place in a team, until it takes that
    const Team* works_for = nullptr;  // which may be over: then it is on its way to the next one
    WaitQueue waiting{};

    bool is_free() const { return member == nullptr && (works_for == nullptr || works_for->is_over); }
  };
  static void* work(void* worker);
  void give_work(const std::shared_ptr<Team>& team, Member& member);

  unsigned threads_at(std::size_t level) const;

  ProgramThreads& threads_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Mutex critical_{};
  Mutex atomic_{};
  std::unordered_map<const void*, Lock> locks_;
};

// What the variables of the environment say. One that makes no sense is told of, and changes nothing.
void read_environment(Runtime& runtime, RunningProgram& program);
// A line for each variable of the environment that sets something, with what holds.
std::string settings_shown(const Runtime& runtime);
// Of the calling thread, unless the same has been printed already.
void print_affinity_if_new(Runtime& runtime);

}  // namespace hindcast::programs::openmp
