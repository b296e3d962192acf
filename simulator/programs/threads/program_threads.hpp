// The threads of one program, and what they wait for that has no memory of its own in the program.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "simulator/engine/thread/shared_processor.hpp"
#include "simulator/programs/process/sanitizer_stack.hpp"
#include "simulator/programs/threads/named_semaphores.hpp"
#include "simulator/programs/threads/program_thread.hpp"

namespace hindcast::programs {

class RunningProgram;

class ProgramThreads final : public EventSink {
 public:
  struct Key {
    bool is_in_use = false;
    std::uint32_t generation = 0;
    void (*destructor)(void*) = nullptr;
  };

  explicit ProgramThreads(RunningProgram& program);
  ~ProgramThreads();

  // The program's thread that calls a function of ours. Anybody else ends the run.
  static ProgramThread& calling(const char* function);

  RunningProgram& program() { return program_; }
  ProgramThread& main_thread() { return *all_.front(); }
  // Null: it has gone, or never was.
  ProgramThread* find(std::uint64_t number);
  ProgramThread* of(const Thread& thread);
  // Who has what bears its number: also one that has gone, and has taken a lock with it.
  const ProgramThread* holder(ProgramThread::Number number) const {
    return number > 0 && number <= all_.size() ? all_[number - 1].get() : nullptr;
  }

  // As pthread_create does. `stack` is the program's own, or null.
  int create(ProgramThread::Routine routine, void* argument, std::size_t stack_bytes, void* stack, bool is_detached,
             ProgramThread*& created);
  // Nobody asks for the thread any more.
  void forget(ProgramThread& thread);
  // By the main thread, out of its program: returns when all others have ended.
  void wait_for_others();
  // The program ends with the calling thread, which is not the main one.
  [[noreturn]] void leave_with_all();
  // Of a program that ends: none but the calling one runs again.
  void stop_others();
  void bury_ended();
  // Of the calling thread; a cancellation point. Gives what is left when a signal's handler has ended it.
  Time sleep(const StepKind& kind, Time duration);
  // Whether any of them waits for the one that computes to give way, or for nothing of this rank's.
  bool could_others_run(const Thread& computing) const;
  bool are_several() const { return living_ > 1; }
  bool is_in_guard(const void* address) const { return stacks_.is_in_guard(address); }
  StackBounds stack_of(const ProgramThread& thread) const;

  // Threads that wait for an address: futexes, spin locks, initialisations that are made once.
  WaitQueue& waiting_at(const void* address) { return by_address_[address]; }
  // It may be empty by now.
  void tidy(const void* address);

  // Sent to the program: for a thread that waits for it, or else for one that does not block it.
  ProgramThread* taker_of(int signal);

  PendingSignals signals_pending;  // sent to the program while no thread would have them
  std::vector<Key> keys;
  std::shared_ptr<void> openmp;  // what it keeps of the program, once the program has come to it
  NamedSemaphores& named_semaphores() { return named_semaphores_; }

  // Where in the program that is, and what of its variables lies there; nothing if that is not known.
  std::string place_of(void* code) const;
  std::string variable_at(const void* address) const;

  void fire(const Event& event) override;

 private:
  friend class ProgramThread;

  void begin(ProgramThread& thread);
  void run(ProgramThread& thread);
  static void live_on_own_stack(void* thread);
  void live(ProgramThread& thread);
  void end(ProgramThread& thread);
  void tell_of_held_locks(const ProgramThread& thread);
  void share_processors();
  void refuse_shared_variables() const;

  RunningProgram& program_;
  std::vector<std::unique_ptr<ProgramThread>> all_;  // by number; null where one has gone
  std::vector<ProgramThread*> by_index_;             // of the engine's threads
  std::vector<Thread*> ended_;                       // to be buried
  std::size_t living_ = 1;
  WaitQueue waiting_for_others_{};
  ThreadStacks stacks_;
  std::unique_ptr<SharedProcessor> processors_;  // null: the rank's threads share those of its node's other ranks
  std::unordered_map<const void*, WaitQueue> by_address_;
  NamedSemaphores named_semaphores_;
  int told_of_held_ = 0;
  bool has_left_ = false;
};

}  // namespace hindcast::programs
