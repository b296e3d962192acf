#include "simulator/programs/launcher.hpp"

#include <execinfo.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/load/program_check.hpp"
#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/places/backtrace.hpp"
#include "simulator/programs/process/crash.hpp"
#include "simulator/programs/process/simulated_thread.hpp"
#include "simulator/programs/this_computer/interruption.hpp"
#include "simulator/programs/this_computer/large_pages.hpp"
#include "simulator/programs/this_computer/spinning.hpp"
#include "simulator/programs/this_computer/standing_clock.hpp"

namespace hindcast::programs {

namespace {

// With fewer, all that they keep fills no more small pages than the processor remembers the addresses of.
constexpr int ranks_in_large_pages_min = 32;
// What the simulation keeps for a rank, and as much for what its program allocates.
constexpr std::size_t heap_bytes_a_rank = 64 * 1024;
// What it keeps for all ranks together.
constexpr std::size_t heap_bytes_besides = 4 * 1024 * 1024;

// Every rank may open files: as many descriptors as this user may have.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// A process ends with the lowest 8 bits of its status, and a run that failed must not look like one that did not.
int as_failure(int status) { return (status & 0xff) == 0 ? 1 : status; }

}  // namespace

void prepare_process(int ranks) {
  remember_simulating_thread();
  raise_descriptor_limit();
  // Large blocks would each take one of the memory mappings, which the ranks' programs need.
  mallopt(M_MMAP_MAX, 0);
  // What one rank gives back the next one takes: giving it to the system in between would cost more than its use.
  mallopt(M_TRIM_THRESHOLD, -1);
  if (ranks >= ranks_in_large_pages_min)
    grow_heap_in_large_pages(static_cast<std::size_t>(ranks) * heap_bytes_a_rank + heap_bytes_besides);
  install_crash_handler();
}

Launch::Launch(Engine& engine, const LaunchOptions& options, ProgramObserver& observer)
    : engine_(engine),
      options_(options),
      observer_(observer),
      output_(options.label_lines),
      descriptor_waits_(engine),
      slots_(options.separate_files, options.stack_bytes) {
  engine_.set_switch_hook(this);
  flush_at_crash(&output_);
  end_run_at_interrupt(engine_);
  measure_computation(options_.measured);
  if (options_.tells_what_is_not_charged) tell_of_standing_clock();
  if (options_.host_seconds_max > 0) end_run_after_host_time(engine_, options_.host_seconds_max);
}

Launch::~Launch() {
  forget_engine();
  flush_at_crash(nullptr);
  engine_.set_switch_hook(nullptr);
}

Launch::Loaded Launch::load(const Application& application) {
  WorkingDirectory directory;
  if (!application.working_directory.empty()) {
    directory = WorkingDirectory::at(application.working_directory);
    if (!directory.is_valid())
      throw ProgramError(
          fmt::format("the working directory {}: {}", application.working_directory, std::strerror(errno)));
  }
  auto arguments = std::make_shared<std::vector<std::string>>(application.arguments);
  arguments->insert(arguments->begin(), application.program);
  const std::string path = find_program(application.program, application.working_directory);
  return {slots_.take(path, application.places.size()), std::move(arguments), directory};
}

void Launch::start(const Loaded& loaded, const std::vector<Place>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    Rank& rank = engine_.add_rank(places[i].node_name);
    programs_.resize(engine_.ranks().size());
    programs_.back() = std::make_unique<RunningProgram>(
        *this, rank,
        RunningProgram::Description{loaded.slots[i], loaded.arguments, places[i].host_name, places[i].costs,
                                    places[i].processors, loaded.directory});
    RunningProgram& program = *programs_.back();
    Thread& thread = engine_.start_thread(
        rank, [&program] { program.run(); }, program.stack_for_thread());
    thread.goes_with_stack(&program);
    // The thread goes on in its own copy of the program, and calls us through that.
    const auto& [loader, slot, buffer] = loaded.slots[i];
    thread.goes_with_stack(reinterpret_cast<const void*>(loader->entry_points(slot).main));
    thread.goes_with_stack(loader->addresses_called(slot), 2);
  }
}

void Launch::start(const std::vector<Application>& applications) {
  std::vector<Loaded> loaded;
  try {
    for (const Application& application : applications) loaded.push_back(load(application));
  } catch (...) {
    for (const Loaded& of_one : loaded)
      for (const ProgramSlots::Slot& slot : of_one.slots) slots_.give_back(slot);
    throw;
  }
  for (std::size_t i = 0; i < loaded.size(); ++i) start(loaded[i], applications[i].places);
}

void Launch::bury(Rank& rank) {
  engine_.bury(rank);
  std::unique_ptr<RunningProgram>& program = programs_[static_cast<std::size_t>(rank.id)];
  const ProgramSlots::Slot slot = program->slot_taken();
  program->close_streams();
  rank.program = nullptr;
  program.reset();
  slots_.give_back(slot);
}

void Launch::enter(Thread& thread) {
  if (thread.rank().program != nullptr) RunningProgram::of(thread.rank()).enter(thread);
}

void Launch::leave(Thread& thread) {
  if (thread.rank().program != nullptr) RunningProgram::of(thread.rank()).leave_to_others();
}

void Launch::keep_place(Thread& thread) {
  if (thread.rank().program == nullptr) return;
  constexpr std::size_t frames_max = 64;
  std::vector<void*> frames(frames_max);
  frames.resize(static_cast<std::size_t>(backtrace(frames.data(), static_cast<int>(frames_max))));
  keep_place(thread, std::move(frames));
}

std::string Launch::place_of(const Thread& thread) const {
  const auto found = places_.find(&thread);
  if (found == places_.end()) return {};
  const RunningProgram& program = RunningProgram::of(thread.rank());
  return describe_innermost(program.loader(), program.slot(), found->second);
}

std::string Launch::call_of(const Thread& thread) const {
  const auto found = places_.find(&thread);
  if (found == places_.end()) return {};
  const RunningProgram& program = RunningProgram::of(thread.rank());
  return name_of_function_called(program.loader(), program.slot(), found->second);
}

void Launch::starts_thread(const RunningProgram& program) {
  end_run_at_spinning(options_.spin_seconds_max);
  observer_.starts_thread(program.rank());
}

void Launch::rank_begins(const RunningProgram& program) { observer_.program_begins(program.rank()); }

void Launch::rank_exits(RunningProgram& program, int status) {
  program.finish_streams();
  std::string complaint = observer_.complaint_at_exit(program.rank());
  const Fate fate = complaint.empty() ? Fate::exited : Fate::complained_of;
  if (fate == Fate::complained_of)
    complaint = fmt::format("rank {} exited with status {} {}", program.rank().id, status, complaint);
  act_end({&program.rank(), fate, status, std::move(complaint)});
  Thread::current()->settle();
}

void Launch::rank_dies(int status, std::string report) {
  act_end({&Thread::current()->rank(), Fate::died, status, std::move(report)});
  Thread::current()->park();
}

void Launch::rank_dies_alone(int status, std::string report) {
  act_end({&Thread::current()->rank(), Fate::died_alone, status, std::move(report)});
}

void Launch::abort_run(int status, std::string line) {
  if (Thread::current() == nullptr) {
    output_.say(line);
    end_run(as_failure(status));
  }
  RunningProgram::of(Thread::current()->rank()).finish_streams();
  rank_dies(status, std::move(line));
}

bool Launch::is_host(const std::string& name) const {
  return std::any_of(programs_.begin(), programs_.end(),
                     [&](const auto& program) { return program != nullptr && program->host_name() == name; });
}

void Launch::act_end(End end) {
  const Bytes captured(end.report.size());
  Thread::current()->act(*this, reinterpret_cast<std::uint64_t>(new End(std::move(end))), captured);
}

void Launch::fire(const Event& event) {
  const std::unique_ptr<End> end(reinterpret_cast<End*>(event.data));
  const bool ends_run = end->fate == Fate::complained_of || end->fate == Fate::died;
  if (ends_run) print_cut_lines(event.at);
  if (end->fate != Fate::exited) output_.say(end->report);
  if (ends_run) {
    end_run(as_failure(first_failed_rank_ >= 0 ? first_failed_status_ : end->status));
  }
  if (end->status != 0 && first_failed_rank_ < 0) {
    first_failed_rank_ = end->rank->id;
    first_failed_status_ = end->status;
  }
}

void Launch::print_cut_lines(Time end) const {
  for (const auto& program : programs_)
    if (program != nullptr) program->print_cut_lines(end);
}

int Launch::finish() {
  if (first_failed_rank_ >= 0)
    output_.say(fmt::format("rank {} exited with status {}", first_failed_rank_, first_failed_status_));
  output_.flush();
  return first_failed_status_;
}

void Launch::end_run(int status) {
  output_.flush();
  if (const int error = output_.why_not_written(); error != 0) {
    output_.say(fmt::format("standard output cannot be written: {}", std::strerror(error)));
    if (status == 0) status = 1;
  }
  status = observer_.run_ends(status);
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace hindcast::programs
