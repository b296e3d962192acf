// A rank's program as it runs, a process of the simulated machine: its arguments, environment, streams, working
// directory, and end.
#pragma once

#include <array>
#include <csetjmp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/engine/memory/given_stack.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/recorder.hpp"
#include "simulator/engine/units.hpp"
#include "simulator/programs/descriptors/opened_streams.hpp"
#include "simulator/programs/descriptors/standard_files.hpp"
#include "simulator/programs/load/program_slots.hpp"
#include "simulator/programs/process/fortran_library.hpp"
#include "simulator/programs/process/output.hpp"
#include "simulator/programs/process/sanitizer_stack.hpp"
#include "simulator/programs/process/working_directory.hpp"

namespace hindcast::programs {

class Launch;
class ProgramThreads;
class Timers;

// Who goes on without a program that crashes.
class CrashWitness {
 public:
  // On its thread, which it may not leave again: it ends the program.
  virtual void has_crashed() = 0;

 protected:
  ~CrashWitness() = default;
};

// Who may get what a program prints, instead of the launcher. On the rank's thread that prints.
class OutputTaker {
 public:
  // Whether it has taken it.
  virtual bool take_output(std::string_view text) = 0;

 protected:
  ~OutputTaker() = default;
};

// What some things cost on a rank's processor that a program does without the message-passing library.
struct ProcessorCosts {
  Time clock_read;  // at least
  Time yield;       // of a turn of a loop that waits for something
  FlopRate flops;
  Rate memory;
};

// What the rank's threads have of its node, once there are several: its share of the processors, and how they take
// turns.
struct ProcessorShare {
  int count = 1;
  Time slice = Time::never();  // a thread keeps its processor until it waits, or has computed what it had to
  FixedStep switching;
};

class alignas(64) RunningProgram {
 public:
  struct Description {
    ProgramSlots::Slot slot;
    std::shared_ptr<const std::vector<std::string>> arguments;
    std::string host_name;
    ProcessorCosts costs;
    ProcessorShare processors;
    WorkingDirectory directory;
  };

  RunningProgram(Launch& launch, Rank& rank, Description description);
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // The one that runs now; null outside all of them.
  static RunningProgram* current();
  // The one whose thread calls `function` of ours. A thread that a program has started past the simulation has no
  // clock, and nothing to print with: it ends the run.
  static RunningProgram& calling(const char* function);
  static RunningProgram& of(const Rank& rank) { return *static_cast<RunningProgram*>(rank.program); }

  // The whole life, from the first constructor to the last destructor, on the rank's own stack.
  void run();
  // From anywhere in it: back to its first frame. All its threads end.
  [[noreturn]] void leave(int status);
  // By the main thread, which ends; the program ends with the last one.
  [[noreturn]] void leave_main_thread();
  // The launcher is told.
  void end();
  void run_finalisers() { description_.slot.loader->run_finalisers(slot()); }

  // Around switches: what belongs to the real process becomes this rank's.
  void enter(const Thread& thread);
  void leave_to_others();

  // Where it has to be, in the simulator, until there is room or something to read.
  ssize_t write(int descriptor, std::string_view text);
  ssize_t read(int descriptor, char* data, std::size_t bytes);
  ssize_t write_at_once(int descriptor, std::string_view text);
  // Before the rank runs: a variable, as "NAME=value", that the launcher's environment has not or has otherwise.
  void set_variable(std::string assignment) { variables_.push_back(std::move(assignment)); }
  // Before the rank runs; it outlives the rank.
  void give_output_to(OutputTaker& taker) { output_taker_ = &taker; }
  // If it crashes it alone ends, by this witness, and not the run. It outlives the rank.
  void survive_it_in(CrashWitness& witness) { crash_witness_ = &witness; }
  CrashWitness* crash_witness() const { return crash_witness_; }
  void redirect(int descriptor, StandardFiles::File file);
  FILE* reopen(const char* path, const char* mode, FILE* stream);
  off64_t seek_input(off64_t position, int whence);
  void stream_is_closed(int descriptor) { is_stream_closed_[static_cast<std::size_t>(descriptor)] = true; }
  const StandardFiles& files() const { return files_; }
  StandardFiles& files() { return files_; }
  OpenedStreams& opened_streams() { return opened_streams_; }
  int descriptor_of(const FILE* stream) const;  // -1: not one of the rank's own
  void finish_streams();
  // At the end of a run that ends before its time: what it has written by then of lines that it has not ended.
  void print_cut_lines(Time end) const;
  // When the rank has gone.
  void close_streams();
  int change_directory(const WorkingDirectory& directory);

  // Where a variable of this rank's program lies in the other's. Null: it is none, or the other runs another program.
  std::byte* counterpart(const void* address, std::size_t bytes, const RunningProgram& other) const;

  Launch& launch() const { return launch_; }
  Rank& rank() const { return rank_; }
  const Loader& loader() const { return *description_.slot.loader; }
  std::size_t slot() const { return description_.slot.number; }
  const ProgramSlots::Slot& slot_taken() const { return description_.slot; }
  const std::string& host_name() const { return description_.host_name; }
  const ProcessorCosts& costs() const { return description_.costs; }
  OpenedLibraries& opened_libraries() { return description_.slot.loader->opened(slot()); }
  ProgramArguments arguments() const;
  const hindcast_program& entry_points() const { return loader().entry_points(slot()); }
  const ProcessorShare& processors() const { return description_.processors; }
  // Made when they are asked for first: the main thread alone needs none.
  ProgramThreads& threads();
  bool has_threads() const { return threads_ != nullptr; }
  // Of a program that has only its main thread, nothing. Where a thread can only be cancelled at once, it says so.
  void let_cancelled_thread_leave(bool is_cancellation_point);
  StackBounds stack() const;  // the main thread's
  // The same, if that thread is to run on it from its first call.
  StackMemory stack_for_thread() const;
  StackBounds stack_of(const Thread& thread);
  bool is_in_guard(const void* address) const;
  // Where a dying program can be given a new first frame.
  void* first_frame_of(const Thread& thread);

 private:
  // What every switch looks at is in the first line of the cache.
  FILE* in_ = nullptr;  // as the program has them
  FILE* out_ = nullptr;
  FILE* err_ = nullptr;
  bool has_given_way_ = false;
  WorkingDirectory directory_;

 public:
  // A second fault on the way out must not be reported in the same way.
  bool is_dying = false;
  // Whether it handles a signal itself is being looked up in its memory. A program that writes beyond its variables may
  // have changed that, and a second fault is then not its handler's affair.
  bool is_asked_for_handler = false;
  void* alternate_stack_end = nullptr;                   // of sigaltstack
  bool parses_arguments = false;                         // it is in libc's argp_parse, which may call libc's exit
  std::unique_ptr<FortranLibraryState> fortran_library;  // null until it is asked for
  std::unique_ptr<Timers> timers;                        // null until it has one

 private:
  std::size_t arguments_bytes_max() const;
  void place_arguments(char* top);
  void make_streams();
  int standard_descriptor_of(const FILE* stream) const;
  void live();
  static void live_on_own_stack(void* program);

  Launch& launch_;
  Rank& rank_;
  Description description_;
  LineStream lines_out_;
  LineStream lines_err_;
  StandardFiles files_;
  OpenedStreams opened_streams_{*this};
  OutputTaker* output_taker_ = nullptr;
  CrashWitness* crash_witness_ = nullptr;
  std::array<FILE*, 3> streams_{};  // as they were made
  std::array<bool, 3> is_stream_closed_{};
  char** argv_ = nullptr;
  char** environment_ = nullptr;
  std::vector<std::string> variables_;
  StackBounds others_stack_;  // meanwhile, while this rank runs
  jmp_buf* way_out_ = nullptr;
  int status_ = 0;
  std::unique_ptr<ProgramThreads> threads_;
};

}  // namespace hindcast::programs
