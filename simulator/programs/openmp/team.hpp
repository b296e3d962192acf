// OpenMP for programs that gcc has compiled: libgomp's calls, on simulated threads. A rank's threads of OpenMP are
// started when they are needed first, and wait for the next parallel region when one is over. A region within a region
// is worked on by the thread that comes to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
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
};

struct TaskGroup {
  TaskGroup* outer = nullptr;
  unsigned unfinished = 0;
};

struct Task {
  Function function = nullptr;
  std::vector<std::max_align_t> data;
  std::shared_ptr<Task> parent;
  TaskGroup* group = nullptr;
  unsigned unfinished_children = 0;
  bool is_final = false;
};

struct Team;

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
  std::deque<std::shared_ptr<Task>> tasks;
  unsigned unfinished_tasks = 0;
  unsigned arrived = 0;  // at the barrier
  std::uint64_t barriers = 0;
  WaitQueue waiting{};  // at the barrier, or for tasks
};

// A rank's part of OpenMP.
class Runtime {
 public:
  explicit Runtime(ProgramThreads& threads);

  // Of the program that calls.
  static Runtime& calling(const char* function);
  // Of the calling thread: its place in the innermost team.
  static Member& member(const char* function);

  void run_in_parallel(Function function, void* data, unsigned threads, const WorkShare* first_share = nullptr);
  unsigned max_threads() const { return threads_wanted_; }
  void set_threads(int count) { threads_wanted_ = count > 0 ? static_cast<unsigned>(count) : 1; }

  // Also works on tasks.
  static void barrier(Member& member);
  static bool run_one_task(Member& member);
  static void wait_for_tasks(Member& member, const unsigned& unfinished, const char* call);
  static void run_task(Member& member, const std::shared_ptr<Task>& task);
  static void add_task(Member& member, const std::shared_ptr<Task>& task);

  Mutex& critical() { return critical_; }
  Mutex& atomic() { return atomic_; }
  Mutex& lock_at(const void* address) { return locks_[address]; }
  void forget_lock(const void* address) { locks_.erase(address); }

  WorkShare::Schedule schedule = WorkShare::Schedule::dynamic;  // of loops that leave it to the run
  int chunk = 1;

 private:
  struct Worker {
    std::shared_ptr<Team> team;
    Member* member = nullptr;               // its next place in a team, until it takes that
    const ProgramThread* master = nullptr;  // for whom it works, or has worked last
    bool is_working = false;
    WaitQueue waiting{};

    bool can_work_for(const ProgramThread& thread) const {
      return member == nullptr && (!is_working || master == &thread);
    }
  };
  static void* work(void* worker);
  void give_work(const std::shared_ptr<Team>& team, Member& member, const ProgramThread& master);

  ProgramThreads& threads_;
  unsigned threads_wanted_ = 1;
  std::vector<std::unique_ptr<Worker>> workers_;
  Mutex critical_{};
  Mutex atomic_{};
  std::unordered_map<const void*, Mutex> locks_;
};

}  // namespace hindcast::programs::openmp
