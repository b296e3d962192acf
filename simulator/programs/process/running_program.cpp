#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/this_computer/measured_computation.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/clocks/timers.hpp"
#include "simulator/programs/descriptors/opening.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/own_stack.hpp"
#include "simulator/programs/process/simulated_thread.hpp"
#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::programs {

namespace {

struct StandardStreams {
  FILE* in = stdin;
  FILE* out = stdout;
  FILE* err = stderr;
};

// The launcher's own, while no rank runs.
const StandardStreams& launchers_streams() {
  static const StandardStreams streams;
  return streams;
}

// What stdio calls for the rank's own streams.
template <int descriptor>
ssize_t write_to_rank(void* program, const char* data, std::size_t bytes) {
  auto& self = *static_cast<RunningProgram*>(program);
  const bool is_own = RunningProgram::current() == &self || RunningProgram::current() == nullptr;
  const ssize_t written =
      is_own ? self.write(descriptor, {data, bytes}) : self.write_at_once(descriptor, {data, bytes});
  return std::max<ssize_t>(written, 0);
}
ssize_t read_from_rank(void* program, char* data, std::size_t bytes) {
  return static_cast<RunningProgram*>(program)->read(STDIN_FILENO, data, bytes);
}
int seek_input(void* program, off64_t* position, int whence) {
  const off64_t reached = static_cast<RunningProgram*>(program)->seek_input(*position, whence);
  if (reached < 0) return -1;
  *position = reached;
  return 0;
}
template <int descriptor>
int close_stream(void* program) {
  static_cast<RunningProgram*>(program)->stream_is_closed(descriptor);
  return 0;
}

// Ways back to a program's first frame.
enum WayOut { with_status = 1, main_thread_alone = 2 };

}  // namespace

RunningProgram::RunningProgram(Launch& launch, Rank& rank, Description description)
    : directory_(description.directory),
      launch_(launch),
      rank_(rank),
      description_(std::move(description)),
      lines_out_(launch.output(), rank, STDOUT_FILENO),
      lines_err_(launch.output(), rank, STDERR_FILENO) {
  launchers_streams();
  make_streams();
  rank_.program = this;
}

RunningProgram::~RunningProgram() = default;

void RunningProgram::make_streams() {
  in_ = fopencookie(
      this, "r", {.read = read_from_rank, .seek = hindcast::programs::seek_input, .close = close_stream<STDIN_FILENO>});
  out_ = fopencookie(this, "w", {.write = write_to_rank<STDOUT_FILENO>, .close = close_stream<STDOUT_FILENO>});
  err_ = fopencookie(this, "w", {.write = write_to_rank<STDERR_FILENO>, .close = close_stream<STDERR_FILENO>});
  setvbuf(out_, description_.slot.output_buffer, _IOLBF, ProgramSlots::output_buffer_bytes);
  setvbuf(err_, nullptr, _IONBF, 0);
  streams_ = {in_, out_, err_};
}

RunningProgram* RunningProgram::current() {
  Thread* thread = on_simulated_thread() ? Thread::current() : nullptr;
  return thread != nullptr ? static_cast<RunningProgram*>(thread->rank().program) : nullptr;
}

RunningProgram& RunningProgram::calling(const char* function) {
  if (!on_simulated_thread()) refuse_foreign_thread(function);
  if (Thread* const thread = Thread::current()) thread->work_off_backlog();
  if (is_computation_measured) charge_stretch(function);
  return *current();
}

ProgramThreads& RunningProgram::threads() {
  if (threads_ == nullptr) threads_ = std::make_unique<ProgramThreads>(*this);
  return *threads_;
}

void RunningProgram::let_cancelled_thread_leave(bool is_cancellation_point) {
  if (threads_ == nullptr) return;
  ProgramThread& thread = *threads_->of(*Thread::current());
  if (is_cancellation_point || thread.is_cancelled_at_once) thread.act_on_cancel();
}

StackBounds RunningProgram::stack_of(const Thread& thread) {
  return threads_ != nullptr && threads_->of(thread) != nullptr ? threads_->stack_of(*threads_->of(thread)) : stack();
}

void* RunningProgram::first_frame_of(const Thread& thread) {
  const bool is_main = threads_ == nullptr || thread.index() == 0;
  return is_main ? argv_ : threads_->of(thread)->stack_top;
}

bool RunningProgram::is_in_guard(const void* address) const {
  return loader().arena().is_in_guard(address) || (threads_ != nullptr && threads_->is_in_guard(address));
}

StackBounds RunningProgram::stack() const {
  const Arena& arena = loader().arena();
  return {arena.stack_bottom(slot()), static_cast<std::size_t>(arena.stack_top(slot()) - arena.stack_bottom(slot()))};
}

// Not where AddressSanitizer has to know of the stack that the thread begins on.
StackMemory RunningProgram::stack_for_thread() const {
  if (has_stack_sanitizer) return {};
  return {loader().arena().stack_bottom(slot()), stack().bytes};
}

void RunningProgram::enter([[maybe_unused]] const Thread& thread) {
  stdin = in_;
  stdout = out_;
  stderr = err_;
  directory_.enter();
  if (is_computation_measured) begin_stretch();
  if constexpr (has_stack_sanitizer) others_stack_ = tell_sanitizer_stack(stack_of(thread));
}

// The program may have put other streams in their place.
void RunningProgram::leave_to_others() {
  if constexpr (has_stack_sanitizer) tell_sanitizer_stack(others_stack_);
  if (!has_given_way_) [[unlikely]] {
    has_given_way_ = true;
    loader().forget_code(slot());
  }
  in_ = stdin;
  out_ = stdout;
  err_ = stderr;
  stdin = launchers_streams().in;
  stdout = launchers_streams().out;
  stderr = launchers_streams().err;
}

namespace {

bool is_set_anew(const std::vector<std::string>& variables, std::string_view assignment) {
  const std::string_view name = assignment.substr(0, assignment.find('=') + 1);
  return std::any_of(variables.begin(), variables.end(),
                     [&](const std::string& variable) { return variable.starts_with(name); });
}

}  // namespace

std::size_t RunningProgram::arguments_bytes_max() const {
  std::size_t strings = 0;
  for (const std::string& argument : *description_.arguments) strings += argument.size() + 1;
  std::size_t pointers = description_.arguments->size() + variables_.size() + 2;
  for (char** variable = environ; *variable != nullptr; ++variable) ++pointers;
  constexpr std::size_t alignment = 16;
  return strings + pointers * sizeof(char*) + alignment;
}

// Below `top`, as the kernel would put them: the strings, then the two lists.
void RunningProgram::place_arguments(char* top) {
  std::vector<char*> pointers;
  for (const std::string& argument : *description_.arguments) {
    top -= argument.size() + 1;
    std::memcpy(top, argument.c_str(), argument.size() + 1);
    pointers.push_back(top);
  }
  pointers.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!is_set_anew(variables_, *variable)) pointers.push_back(*variable);
  for (std::string& variable : variables_) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  auto place = (reinterpret_cast<std::uintptr_t>(top) - pointers.size() * sizeof(char*)) & ~std::uintptr_t{15};
  argv_ = reinterpret_cast<char**>(place);
  environment_ = argv_ + description_.arguments->size() + 1;
  std::memcpy(argv_, pointers.data(), pointers.size() * sizeof(char*));
}

void RunningProgram::run() {
  const StackBounds own = stack();
  const auto* here = static_cast<const std::byte*>(__builtin_frame_address(0));
  const bool is_there = here >= own.bottom && here < loader().arena().stack_top(slot());
  const std::size_t bytes = arguments_bytes_max();
  place_arguments(is_there ? static_cast<char*>(__builtin_alloca(bytes)) + bytes
                           : reinterpret_cast<char*>(loader().arena().stack_top(slot())));
  call_on_stack(is_there ? nullptr : argv_, &live_on_own_stack, this);
}

void RunningProgram::live_on_own_stack(void* program) {
  auto& self = *static_cast<RunningProgram*>(program);
  self.live();
  if (self.threads_ != nullptr) self.threads_->stop_others();
  self.end();
}

void RunningProgram::live() {
  jmp_buf way_out;
  way_out_ = &way_out;
  const int how = _setjmp(way_out);
  if (how == with_status) return;
  const hindcast_program& program = entry_points();
  if (how == main_thread_alone) {
    threads().wait_for_others();
    program.exit(0);
  }
  launch_.rank_begins(*this);
  *program.environment = environment_;
  *program.invocation_name = argv_[0];
  const char* slash = std::strrchr(argv_[0], '/');
  *program.invocation_short_name = slash != nullptr ? argv_[0] + (slash + 1 - argv_[0]) : argv_[0];
  errno = 0;  // what hindcast has done until here is nothing of the program's
  const ProgramArguments given = arguments();
  loader().run_initialisers(slot(), given);
  program.exit(program.main(given.count, given.values, *program.environment));
}

ProgramArguments RunningProgram::arguments() const {
  return {static_cast<int>(description_.arguments->size()), argv_, *entry_points().environment};
}

void RunningProgram::leave(int status) {
  status_ = status & 0xff;
  if (Thread::current()->index() != 0) threads().leave_with_all();
  _longjmp(*way_out_, with_status);
}

void RunningProgram::leave_main_thread() { _longjmp(*way_out_, main_thread_alone); }

void RunningProgram::end() {
  opened_streams_.flush();
  launch_.rank_exits(*this, status_);
}

off64_t RunningProgram::seek_input(off64_t position, int whence) {
  const StandardFiles::File file = files_.of(STDIN_FILENO);
  if (file.stream == STDIN_FILENO && rank_.id != 0) return -1;
  return lseek64(file.descriptor, position, whence);
}

void RunningProgram::redirect(int descriptor, StandardFiles::File file) {
  const int stream = files_.of(descriptor).stream;
  if (stream == STDOUT_FILENO) lines_out_.finish();
  if (stream == STDERR_FILENO) lines_err_.finish();
  files_.redirect(descriptor, file);
}

int RunningProgram::standard_descriptor_of(const FILE* stream) const {
  const auto found = std::find(streams_.begin(), streams_.end(), stream);
  return found != streams_.end() ? static_cast<int>(found - streams_.begin()) : -1;
}

int RunningProgram::descriptor_of(const FILE* stream) const {
  const int descriptor = standard_descriptor_of(stream);
  return descriptor >= 0 ? descriptor : opened_streams_.descriptor_of(stream);
}

FILE* RunningProgram::reopen(const char* path, const char* mode, FILE* stream) {
  const int descriptor = standard_descriptor_of(stream);
  if (descriptor < 0) {
    opened_streams_.forget(stream);
    return std::freopen(path == nullptr ? nullptr : path_here(path).c_str(), mode, stream);
  }
  std::fflush(stream);
  if (path == nullptr) return stream;
  const StandardFiles::File file = open_file(files_, AT_FDCWD, path, open_flags(mode), 0666);
  if (file.descriptor < 0) return nullptr;
  redirect(descriptor, file);
  std::clearerr(stream);
  return stream;
}

void RunningProgram::finish_streams() {
  for (FILE* stream : {stdout, stderr}) {
    const int descriptor = standard_descriptor_of(stream);
    if (descriptor < 0 || !is_stream_closed_[static_cast<std::size_t>(descriptor)]) std::fflush(stream);
  }
  lines_out_.finish();
  lines_err_.finish();
}

void RunningProgram::print_cut_lines(Time end) const {
  lines_out_.print_cut_line(end);
  lines_err_.print_cut_line(end);
}

// A stream that the program has put in the place of one of these is the program's.
void RunningProgram::close_streams() {
  for (std::size_t descriptor = 0; descriptor < streams_.size(); ++descriptor)
    if (!is_stream_closed_[descriptor]) std::fclose(streams_[descriptor]);
}

int RunningProgram::change_directory(const WorkingDirectory& directory) {
  if (!directory.is_valid()) return -1;
  directory_ = directory;
  directory_.enter();
  return 0;
}

std::byte* RunningProgram::counterpart(const void* address, std::size_t bytes, const RunningProgram& other) const {
  if (&other.loader() != &loader()) return nullptr;
  return loader().counterpart(address, bytes, slot(), other.slot());
}

}  // namespace hindcast::programs
