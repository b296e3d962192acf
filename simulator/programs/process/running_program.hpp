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

#include "simulator/engine/rank.hpp"
#include "simulator/engine/units.hpp"
#include "simulator/programs/load/program_slots.hpp"
#include "simulator/programs/process/fortran_library.hpp"
#include "simulator/programs/process/output.hpp"
#include "simulator/programs/process/sanitizer_stack.hpp"
#include "simulator/programs/process/standard_files.hpp"
#include "simulator/programs/process/working_directory.hpp"

namespace hindcast::programs {

class Launch;

// What some things cost on a rank's processor that a program does without the message-passing library.
struct ProcessorCosts {
  Time clock_read;  // at least
  Time yield;       // of a turn of a loop that waits for something
  FlopRate flops;
  Rate memory;
};

class alignas(64) RunningProgram {
 public:
  struct Description {
    ProgramSlots::Slot slot;
    std::shared_ptr<const std::vector<std::string>> arguments;
    std::string host_name;
    ProcessorCosts costs;
    WorkingDirectory directory;
  };

  RunningProgram(Launch& launch, Rank& rank, Description description);
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // The one that runs now; null outside all of them.
  static RunningProgram* current();
  static RunningProgram& of(const Rank& rank) { return *static_cast<RunningProgram*>(rank.program); }

  // The whole life, from the first constructor to the last destructor, on the rank's own stack.
  void run();
  // From anywhere in it: back to its first frame.
  [[noreturn]] void leave(int status);
  void run_finalisers() { loader().run_finalisers(slot()); }

  // Around switches: what belongs to the real process becomes this rank's.
  void enter();
  void leave_to_others();

  ssize_t write(int descriptor, std::string_view text);
  ssize_t read(char* data, std::size_t bytes);
  void redirect(int descriptor, int file);
  FILE* reopen(const char* path, const char* mode, FILE* stream);
  off64_t seek_input(off64_t position, int whence);
  void stream_is_closed(int descriptor) { is_stream_closed_[static_cast<std::size_t>(descriptor)] = true; }
  // The file that the program has put in the place of descriptor 0, 1 or 2, -1 if it closed that; nothing: none.
  std::optional<int> standard_file(int descriptor) const { return files_.replacement(descriptor); }
  void finish_streams();
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
  const hindcast_program& entry_points() const { return loader().entry_points(slot()); }
  StackBounds stack() const;
  // Where a dying program can be given a new first frame.
  void* first_frame() const { return first_frame_; }
  // A second fault on the way out must not be reported in the same way.
  bool is_dying = false;
  std::unique_ptr<FortranLibraryState> fortran_library;  // null until it is asked for

 private:
  void* place_arguments();
  void make_streams();
  int descriptor_of(const FILE* stream) const;  // -1: not one of the rank's own three
  void live();
  static void live_on_own_stack(void* program);

  // What every switch looks at.
  FILE* in_ = nullptr;  // as the program has them
  FILE* out_ = nullptr;
  FILE* err_ = nullptr;
  WorkingDirectory directory_;
  bool has_given_way_ = false;

  Launch& launch_;
  Rank& rank_;
  Description description_;
  LineStream lines_out_;
  LineStream lines_err_;
  StandardFiles files_;
  std::array<FILE*, 3> streams_{};  // as they were made
  std::array<bool, 3> is_stream_closed_{};
  char** argv_ = nullptr;
  char** environment_ = nullptr;
  void* first_frame_ = nullptr;
  StackBounds others_stack_;  // meanwhile, while this rank runs
  jmp_buf* way_out_ = nullptr;
  int status_ = 0;
};

}  // namespace hindcast::programs
