#include "simulator/programs/launcher.hpp"

#include <execinfo.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/load/program_check.hpp"
#include "simulator/programs/load/program_error.hpp"
#include "simulator/programs/process/backtrace.hpp"
#include "simulator/programs/process/crash.hpp"
#include "simulator/programs/process/simulated_thread.hpp"
#include "simulator/programs/this_computer/interruption.hpp"

namespace hindcast::programs {

namespace {

// Every rank may open files: as many descriptors as this user may have.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Memory that is only there once it is touched: most ranks print nothing. It lives as long as the process, as streams
// do.
char* reserve(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw ProgramError(fmt::format("no address space for output ({})", std::strerror(errno)));
  return static_cast<char*>(memory);
}

}  // namespace

void prepare_process() {
  remember_simulating_thread();
  raise_descriptor_limit();
  // Large blocks would each take one of the memory mappings, which the ranks' programs need.
  mallopt(M_MMAP_MAX, 0);
  // What one rank gives back the next one takes: giving it to the system in between would cost more than its use.
  mallopt(M_TRIM_THRESHOLD, -1);
  install_crash_handler();
}

Launch::Launch(Engine& engine, const LaunchOptions& options, ProgramObserver& observer)
    : engine_(engine), options_(options), observer_(observer), output_(options.label_lines) {
  engine_.set_switch_hook(this);
  flush_at_crash(&output_);
  end_run_at_interrupt(engine_);
  measure_computation(options_.measured_computation, options_.measured_factor);
  if (options_.host_seconds_max > 0) end_run_after_host_time(engine_, options_.host_seconds_max);
}

Launch::~Launch() {
  forget_engine();
  flush_at_crash(nullptr);
  engine_.set_switch_hook(nullptr);
}

void Launch::add(const Application& application) {
  const std::size_t count = application.places.size();
  ProgramFiles files(find_program(application.program, application.working_directory));
  check_program(files.program());
  const bool clone = !options_.separate_files && files.can_be_cloned();
  loaders_.push_back((clone ? make_clone_loader : make_copy_loader)(std::move(files), count, options_.stack_bytes));
  Loader& loader = *loaders_.back();

  arguments_.push_back(std::make_unique<std::vector<std::string>>(application.arguments));
  arguments_.back()->insert(arguments_.back()->begin(), application.program);
  WorkingDirectory directory;
  if (!application.working_directory.empty()) {
    directory = WorkingDirectory::at(application.working_directory);
    if (!directory.is_valid())
      throw ProgramError(fmt::format("--wdir {}: {}", application.working_directory, std::strerror(errno)));
  }
  char* buffers = reserve(count * RunningProgram::output_buffer_bytes);
  for (std::size_t slot = 0; slot < count; ++slot) {
    loader.load(slot);
    const Place& place = application.places[slot];
    Rank& rank = engine_.add_rank(place.node_name);
    programs_.push_back(std::make_unique<RunningProgram>(
        *this, rank,
        RunningProgram::Description{&loader, slot, arguments_.back().get(), place.host_name, place.costs, directory,
                                    buffers + slot * RunningProgram::output_buffer_bytes}));
    RunningProgram& program = *programs_.back();
    engine_.start_thread(rank, [&program] { program.run(); }).goes_with(&program);
  }
}

void Launch::enter(Thread& thread) {
  if (thread.rank().program != nullptr) RunningProgram::of(thread.rank()).enter();
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

void Launch::abort_run(int status, std::string line) {
  RunningProgram::of(Thread::current()->rank()).finish_streams();
  rank_dies(status, std::move(line));
}

void Launch::act_end(End end) {
  const Bytes captured(end.report.size());
  Thread::current()->act(*this, reinterpret_cast<std::uint64_t>(new End(std::move(end))), captured);
}

void Launch::fire(const Event& event) {
  const std::unique_ptr<End> end(reinterpret_cast<End*>(event.data));
  if (end->fate != Fate::exited) {
    output_.say(end->report);
    end_run(first_failed_rank_ >= 0 ? first_failed_status_ : end->status == 0 ? 1 : end->status);
  }
  if (end->status != 0 && first_failed_rank_ < 0) {
    first_failed_rank_ = end->rank->id;
    first_failed_status_ = end->status;
  }
}

int Launch::finish() {
  if (first_failed_rank_ >= 0)
    output_.say(fmt::format("rank {} exited with status {}", first_failed_rank_, first_failed_status_));
  output_.flush();
  return first_failed_status_;
}

void Launch::end_run(int status) {
  output_.flush();
  status = observer_.run_ends(status);
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace hindcast::programs
