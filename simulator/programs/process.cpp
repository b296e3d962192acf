#include "simulator/programs/process.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/own_stack.hpp"
#include "simulator/programs/simulated_thread.hpp"

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

template <int descriptor>
ssize_t write_to_rank(void* process, const char* data, std::size_t bytes) {
  return static_cast<Process*>(process)->write(descriptor, {data, bytes});
}

ssize_t read_from_rank(void* process, char* data, std::size_t bytes) {
  return static_cast<Process*>(process)->read(data, bytes);
}

int seek_input(void* process, off64_t* position, int whence) {
  const bool is_real = static_cast<Process*>(process)->rank().id == 0;
  const off64_t reached = is_real ? lseek64(STDIN_FILENO, *position, whence) : -1;
  if (reached < 0) return -1;
  *position = reached;
  return 0;
}

}  // namespace

Process::Process(Launch& launch, Rank& rank, Description description)
    : launch_(launch),
      rank_(rank),
      description_(std::move(description)),
      lines_out_(launch.output(), rank, STDOUT_FILENO),
      lines_err_(launch.output(), rank, STDERR_FILENO),
      out_(fopencookie(this, "w", {.write = write_to_rank<STDOUT_FILENO>})),
      err_(fopencookie(this, "w", {.write = write_to_rank<STDERR_FILENO>})),
      in_(fopencookie(this, "r", {.read = read_from_rank, .seek = seek_input})) {
  launchers_streams();
  setvbuf(out_, description_.output_buffer, _IOLBF, output_buffer_bytes);
  setvbuf(err_, nullptr, _IONBF, 0);
  rank_.program = this;
}

Process* Process::current() {
  Thread* thread = on_simulated_thread() ? Thread::current() : nullptr;
  return thread != nullptr ? static_cast<Process*>(thread->rank().program) : nullptr;
}

void Process::enter() {
  stdin = in_;
  stdout = out_;
  stderr = err_;
  description_.directory.enter();
}

// The program may have put other streams in their place.
void Process::leave_to_others() {
  in_ = stdin;
  out_ = stdout;
  err_ = stderr;
  stdin = launchers_streams().in;
  stdout = launchers_streams().out;
  stderr = launchers_streams().err;
}

// On top of the stack, where the kernel would put them: the strings, then the two lists.
void* Process::place_arguments() {
  auto* top = reinterpret_cast<char*>(loader().arena().stack_top(slot()));
  std::vector<char*> pointers;
  for (const std::string& argument : *description_.arguments) {
    top -= argument.size() + 1;
    std::memcpy(top, argument.c_str(), argument.size() + 1);
    pointers.push_back(top);
  }
  pointers.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable) pointers.push_back(*variable);
  pointers.push_back(nullptr);
  auto place = (reinterpret_cast<std::uintptr_t>(top) - pointers.size() * sizeof(char*)) & ~std::uintptr_t{15};
  argv_ = reinterpret_cast<char**>(place);
  environment_ = argv_ + description_.arguments->size() + 1;
  std::memcpy(argv_, pointers.data(), pointers.size() * sizeof(char*));
  return argv_;
}

void Process::run() {
  first_frame_ = place_arguments();
  call_on_stack(first_frame_, &live_on_own_stack, this);
}

void Process::live_on_own_stack(void* process) {
  auto& self = *static_cast<Process*>(process);
  self.live();
  self.launch_.rank_exits(self, self.status_);
}

void Process::live() {
  jmp_buf way_out;
  if (_setjmp(way_out) != 0) return;
  way_out_ = &way_out;
  const hindcast_program& program = entry_points();
  const int argc = static_cast<int>(description_.arguments->size());
  *program.environment = environment_;
  *program.invocation_name = argv_[0];
  const char* slash = std::strrchr(argv_[0], '/');
  *program.invocation_short_name = slash != nullptr ? argv_[0] + (slash + 1 - argv_[0]) : argv_[0];
  loader().run_initialisers(slot(), argc, argv_, environment_);
  program.exit(program.main(argc, argv_, *program.environment));
}

void Process::leave(int status) {
  status_ = status & 0xff;
  _longjmp(*way_out_, 1);
}

ssize_t Process::write(int descriptor, std::string_view text) {
  (descriptor == STDERR_FILENO ? lines_err_ : lines_out_).write(text);
  return static_cast<ssize_t>(text.size());
}

// Standard input is rank 0's; what it has printed so far is shown before it is asked for more.
ssize_t Process::read(char* data, std::size_t bytes) {
  if (rank_.id != 0) return 0;
  finish_streams();
  Thread::current()->settle();
  launch_.output().flush();
  ssize_t count = 0;
  do {
    count = ::read(STDIN_FILENO, data, bytes);
  } while (count < 0 && errno == EINTR);
  return count;
}

void Process::finish_streams() {
  std::fflush(stdout);
  std::fflush(stderr);
  lines_out_.finish();
  lines_err_.finish();
}

int Process::change_directory(const WorkingDirectory& directory) {
  if (!directory.is_valid()) return -1;
  description_.directory = directory;
  description_.directory.enter();
  return 0;
}

}  // namespace hindcast::programs
