#include "simulator/programs/threads/program_threads.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>

#include "simulator/engine/report.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/places/backtrace.hpp"
#include "simulator/programs/process/own_stack.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"
#include "simulator/programs/threads/keys.hpp"
#include "simulator/programs/threads/mutex.hpp"
#include "simulator/programs/threads/sync_wait.hpp"
#include "simulator/programs/threads/variable_names.hpp"

namespace hindcast::programs {

namespace {

// Ways back to a thread's first frame.
enum WayOutOfThread { by_pthread_exit = 1, by_exit = 2 };

}  // namespace

ProgramThreads::ProgramThreads(RunningProgram& program)
    : program_(program), stacks_(program.loader().files().stack_kind()) {
  all_.push_back(std::make_unique<ProgramThread>(*this, 1));
  all_.front()->thread = &program.rank().main_thread();
  by_index_.push_back(all_.front().get());
}

ProgramThreads::~ProgramThreads() = default;

ProgramThread& ProgramThreads::calling(const char* function) {
  return *RunningProgram::calling(function).threads().of(*Thread::current());
}

ProgramThread* ProgramThreads::of(const Thread& thread) {
  const auto index = static_cast<std::size_t>(thread.index());
  return index < by_index_.size() ? by_index_[index] : nullptr;
}

ProgramThread* ProgramThreads::find(std::uint64_t number) {
  ProgramThread* const thread = number > 0 && number <= all_.size() ? all_[number - 1].get() : nullptr;
  return thread != nullptr && !thread->is_forgotten ? thread : nullptr;
}

int ProgramThreads::create(ProgramThread::Routine routine, void* argument, std::size_t stack_bytes, void* stack,
                           bool is_detached, ProgramThread*& created) {
  bury_ended();
  Thread& creator = *Thread::current();
  creator.settle();
  refuse_shared_variables();
  share_processors();
  program_.rank().stop_running_ahead();
  program_.launch().starts_thread(program_);
  *program_.entry_points().is_single_threaded = 0;
  auto thread = std::make_unique<ProgramThread>(*this, static_cast<ProgramThread::Number>(all_.size() + 1));
  if (stack == nullptr) {
    thread->stack = stacks_.take(stack_bytes);
    if (thread->stack.bytes == 0) return EAGAIN;
    thread->stack_top = thread->stack.top();
    stack_bytes = thread->stack.bytes;
  } else {
    thread->stack_top = static_cast<std::byte*>(stack) + stack_bytes;
  }
  thread->stack_bytes = stack_bytes;
  thread->routine = routine;
  thread->argument = argument;
  thread->is_detached = is_detached;
  thread->signals_blocked = of(creator)->signals_blocked;
  created = thread.get();
  all_.push_back(std::move(thread));
  ++living_;
  creator.insert_act(creator.clock(), creator.reserve_act(), *this, reinterpret_cast<std::uint64_t>(created));
  return 0;
}

void ProgramThreads::refuse_shared_variables() const {
  for (const ElfImage& image : program_.loader().files().images)
    if (image.tls().p_memsz > 0 && image.binds_thread_variables_statically())
      program_.launch().abort_run(
          1, fmt::format("rank {}: {} has thread-local variables that all its threads would share; compile it without "
                         "-ftls-model=initial-exec and -mtls-dialect=gnu2",
                         program_.rank().id, image.path()));
}

// The processors that are the rank's alone are its threads' from now on.
void ProgramThreads::share_processors() {
  Rank& rank = program_.rank();
  if (rank.processor != nullptr) return;
  const ProcessorShare& share = program_.processors();
  processors_ = std::make_unique<SharedProcessor>(rank.engine, share.count, share.slice, share.switching);
  processors_->add(rank);
}

void ProgramThreads::fire(const Event& event) { begin(*reinterpret_cast<ProgramThread*>(event.data)); }

void ProgramThreads::begin(ProgramThread& thread) {
  if (has_left_) return;
  Rank& rank = program_.rank();
  thread.thread = &rank.engine.start_thread(rank, [this, &thread] { run(thread); });
  thread.index = thread.thread->index();
  by_index_.resize(std::max(by_index_.size(), static_cast<std::size_t>(thread.index) + 1));
  by_index_[static_cast<std::size_t>(thread.index)] = &thread;
}

void ProgramThreads::run(ProgramThread& thread) {
  errno = 0;
  call_on_stack(thread.stack_top, &live_on_own_stack, &thread);
  if (thread.stack.bytes > 0) stacks_.give_back(thread.stack);
  program_.slot_taken().loader->forget_thread_variables(program_.slot(), thread.index);
  ended_.push_back(thread.thread);
  by_index_[static_cast<std::size_t>(thread.index)] = nullptr;
  thread.thread = nullptr;
  if (thread.is_detached) forget(thread);
}

void ProgramThreads::live_on_own_stack(void* thread) {
  auto& self = *static_cast<ProgramThread*>(thread);
  self.threads.live(self);
}

// A jump back here leads past nothing that would have to be destroyed.
void ProgramThreads::live(ProgramThread& thread) {
  jmp_buf way_out;
  thread.way_out = &way_out;
  const int how = _setjmp(way_out);
  if (how == by_exit) return;
  if (how == 0) thread.result = thread.routine(thread.argument);
  end(thread);
}

// Destructors are the program's, and may take time and wait.
void ProgramThreads::end(ProgramThread& thread) {
  thread.is_leaving = true;
  while (!thread.at_exit.empty()) {
    const ProgramThread::AtExit last = thread.at_exit.back();
    thread.at_exit.pop_back();
    last.function(last.argument);
  }
  destroy_values(thread);
  abandon_mutexes(thread);
  tell_of_held_locks(thread);
  thread.has_ended = true;
  if (!thread.joiners.is_empty()) grant(*thread.joiners.first());
  --living_;
  if (living_ == 1 && !waiting_for_others_.is_empty()) grant(*waiting_for_others_.first());
}

void ProgramThreads::wait_for_others() {
  ProgramThread& main = main_thread();
  end(main);
  ++living_;
  if (living_ == 1) return;
  const PlainWait why(*this, "pthread_exit", "the end of all other threads");
  Waiter self(main);
  main.wait_in(waiting_for_others_, self, why);
}

void ProgramThreads::leave_with_all() {
  ProgramThread& self = *of(*Thread::current());
  stop_others();
  program_.end();
  _longjmp(*self.way_out, by_exit);
}

void ProgramThreads::stop_others() {
  has_left_ = true;
  program_.launch().descriptor_waits().forget(*this);
  for (const auto& thread : all_)
    if (thread != nullptr && thread->thread != nullptr && thread->thread != Thread::current()) thread->thread->stop();
}

Time ProgramThreads::sleep(const StepKind& kind, Time duration) {
  ProgramThread& self = *of(*Thread::current());
  self.act_on_cancel();
  if (living_ == 1) {
    Thread::current()->spend_idly(kind, duration);
    return Time();
  }
  WaitQueue nobody_wakes_it{};
  Waiter waiter(self);
  waiter.until = self.thread->clock() + duration;
  waiter.waits_for_time_alone = true;
  waiter.can_be_cancelled = true;
  waiter.ends_at_signal = true;
  self.wait_in(nobody_wakes_it, waiter, PlainWait(*this, "sleep"));
  self.act_on_cancel();
  return waiter.signal_effect >= hindcast_signal_restarts ? later_of(waiter.until - self.thread->clock(), Time())
                                                          : Time();
}

bool ProgramThreads::could_others_run(const Thread& computing) const {
  return std::any_of(all_.begin(), all_.end(), [&](const auto& thread) {
    if (thread == nullptr || thread->has_ended || thread->thread == &computing) return false;
    return thread->thread == nullptr || thread->thread->state() != Thread::State::waiting ||
           dynamic_cast<const SyncWait*>(thread->thread->waits_for()) == nullptr;
  });
}

void ProgramThreads::forget(ProgramThread& thread) {
  thread.is_forgotten = true;
  if (thread.held.empty()) all_[thread.number - 1].reset();
}

void ProgramThreads::bury_ended() {
  std::erase_if(ended_, [&](Thread* thread) {
    if (thread->state() != Thread::State::ended) return false;
    program_.rank().engine.bury(*thread);
    return true;
  });
}

StackBounds ProgramThreads::stack_of(const ProgramThread& thread) const {
  if (thread.is_main()) return program_.stack();
  return {static_cast<std::byte*>(thread.stack_top) - thread.stack_bytes, thread.stack_bytes};
}

void ProgramThreads::tidy(const void* address) {
  const auto found = by_address_.find(address);
  if (found != by_address_.end() && found->second.is_empty()) by_address_.erase(found);
}

void ProgramThreads::tell_of_held_locks(const ProgramThread& thread) {
  constexpr int told_max = 8;
  for (const ProgramThread::Held& held : thread.held) {
    if (told_of_held_++ >= told_max) return;
    const std::string variable = variable_at(held.lock);
    const std::string place = place_of(held.taken_at);
    program_.launch().output().say(
        fmt::format("rank {}: thread {} has ended at {} and still has a lock{}{}: nobody else will get it",
                    program_.rank().id, thread.index, to_text(thread.thread->clock()),
                    variable.empty() ? "" : ", " + variable, place.empty() ? "" : ", taken in " + place));
  }
}

std::string ProgramThreads::place_of(void* code) const {
  return describe_innermost(program_.loader(), program_.slot(), {code});
}

std::string ProgramThreads::variable_at(const void* address) const {
  return name_of_variable(program_.loader(), program_.slot(), address);
}

}  // namespace hindcast::programs
