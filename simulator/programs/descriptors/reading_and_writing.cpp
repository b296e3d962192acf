// Reading, writing, copying and closing descriptors: what they stand for, and that none of it waits in the system for
// another rank.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>

#include "simulator/engine/thread.hpp"
#include "simulator/programs/clocks/timers.hpp"
#include "simulator/programs/descriptors/asking.hpp"
#include "simulator/programs/descriptors/own_descriptors.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/process/simulated_thread.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::programs {

namespace {

using File = StandardFiles::File;

// Sockets, pipes, and what has no kind, as a counter of events.
bool joins_ranks(const struct stat& what) {
  return S_ISSOCK(what.st_mode) || S_ISFIFO(what.st_mode) || (what.st_mode & S_IFMT) == 0;
}
bool joins_ranks(int descriptor) {
  struct stat what {};
  return fstat(descriptor, &what) == 0 && joins_ranks(what);
}

bool is_waited_for(int descriptor) { return (fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0; }

// False: errno says why it is not ready. If the program does not wait, the system says so.
bool await(pollfd one, const char* call) {
  const hindcast_descriptor_wait wait{call, &one, 1, is_waited_for(one.fd) ? -1 : 0, nullptr, true};
  return hindcast_rank_await(&wait) >= 0;
}

// The system's signal would end all ranks.
int fail_as_nobody_reads() {
  const RunningProgram& program = *RunningProgram::current();
  if (hindcast_rank_puts_off_signal(SIGPIPE, nullptr, 0) == 0) program.entry_points().raise_signal(SIGPIPE, nullptr);
  errno = EPIPE;
  return -1;
}

bool await_reader(int descriptor, const char* call) {
  pollfd one{descriptor, POLLOUT, 0};
  const hindcast_descriptor_wait wait{call, &one, 1, is_waited_for(descriptor) ? -1 : 0, nullptr, true};
  if (hindcast_rank_await(&wait) < 0) return false;
  return (one.revents & POLLERR) == 0 || fail_as_nobody_reads() == 0;
}

void tell_of_change(RunningProgram& program) { program.launch().descriptor_waits().has_changed(); }

// So many bytes a pipe takes without waiting when it says that it takes any. A counter of events takes a number.
ssize_t write_where_there_is_room(RunningProgram& program, int descriptor, std::string_view text, bool is_pipe) {
  const std::size_t part_max = is_pipe && is_waited_for(descriptor) ? PIPE_BUF : text.size();
  std::size_t written = 0;
  do {
    const std::string_view part = text.substr(written, part_max);
    const ssize_t count = await_reader(descriptor, "write") ? ::write(descriptor, part.data(), part.size()) : -1;
    if (count < 0) return written > 0 ? static_cast<ssize_t>(written) : -1;
    tell_of_change(program);
    written += static_cast<std::size_t>(count);
  } while (written < text.size());
  return static_cast<ssize_t>(written);
}

// What is longer than the room goes on when there is more, unless the program does not wait for that. A datagram that
// is longer than the room that there is has none, though the system says so.
ssize_t send_where_there_is_room(RunningProgram& program, int socket, std::string_view text, int flags,
                                 const sockaddr* address, socklen_t length) {
  const bool waits = (flags & MSG_DONTWAIT) == 0 && is_waited_for(socket);
  const int own_flags = flags | MSG_DONTWAIT | MSG_NOSIGNAL;
  std::size_t sent = 0;
  hindcast_rank_settle();
  do {
    const std::string_view left = text.substr(sent);
    const ssize_t count = !waits || await({socket, POLLOUT, 0}, "send")
                              ? ::sendto(socket, left.data(), left.size(), own_flags, address, length)
                              : -1;
    if (count >= 0)
      sent += static_cast<std::size_t>(count);
    else if (waits && errno == EAGAIN)
      hindcast_rank_look();
    else if (errno == EPIPE && (flags & MSG_NOSIGNAL) == 0)
      return fail_as_nobody_reads();
    else
      return sent > 0 ? static_cast<ssize_t>(sent) : -1;
    tell_of_change(program);
  } while (waits && sent < text.size());
  return static_cast<ssize_t>(sent);
}

int fail_with(int error) {
  errno = error;
  return -1;
}

// A program that has no standard input finds the end of it.
int descriptor_of_nothing() {
  static const int opened = open("/dev/null", O_RDWR | O_CLOEXEC);
  return opened;
}

int descriptor_for(const RunningProgram& program, int descriptor) {
  const File file = program.files().of(descriptor);
  return file.stream == STDIN_FILENO && program.rank().id != 0 ? descriptor_of_nothing() : file.descriptor;
}

int copy_to(RunningProgram& program, const File& file, int copy, int flags) {
  if (StandardFiles::is_standard(copy)) {
    const int own = file.stream >= 0 ? file.descriptor : fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3);
    if (own < 0) return -1;
    program.redirect(copy, {file.stream, own});
  } else {
    if (dup3(file.descriptor, copy, flags) < 0) return -1;
    program.files().add_copy(copy, file.stream);
  }
  tell_of_change(program);
  return copy;
}

}  // namespace

void show_before_asking(RunningProgram& program) {
  if (isatty(STDIN_FILENO) != 0) program.finish_streams();
  if (!program.has_threads()) Thread::current()->settle();
  program.launch().output().flush();
}

ssize_t RunningProgram::write(int descriptor, std::string_view text) {
  if (!on_simulated_thread()) refuse_foreign_thread("printing");
  struct stat what {};
  const File file = files_.of(descriptor);
  const bool is_of_launcher = file.stream > STDIN_FILENO;
  if (is_of_launcher || fstat(file.descriptor, &what) != 0 || !joins_ranks(what))
    return write_at_once(descriptor, text);
  if (S_ISSOCK(what.st_mode)) return send_where_there_is_room(*this, file.descriptor, text, 0, nullptr, 0);
  return write_where_there_is_room(*this, file.descriptor, text, S_ISFIFO(what.st_mode));
}

ssize_t RunningProgram::write_at_once(int descriptor, std::string_view text) {
  const File file = files_.of(descriptor);
  if (file.stream <= STDIN_FILENO) return ::write(file.descriptor, text.data(), text.size());
  if (output_taker_ == nullptr || !output_taker_->take_output(text))
    (file.stream == STDERR_FILENO ? lines_err_ : lines_out_).write(text);
  return static_cast<ssize_t>(text.size());
}

// Standard input is rank 0's.
ssize_t RunningProgram::read(int descriptor, char* data, std::size_t bytes) {
  const File file = files_.of(descriptor);
  if (file.stream == STDIN_FILENO) {
    if (rank_.id != 0) return 0;
    show_before_asking(*this);
  }
  const bool waits = file.stream < 0 && joins_ranks(file.descriptor);
  if (waits && !await({file.descriptor, POLLIN, 0}, "read")) return -1;
  ssize_t count = 0;
  do {
    count = ::read(file.descriptor, data, bytes);
  } while (count < 0 && errno == EINTR);
  if (waits && count >= 0) tell_of_change(*this);
  return count;
}

}  // namespace hindcast::programs

using namespace hindcast::programs;

extern "C" {

// Threads that a library of the system's has started past the simulation may write to files.
ssize_t hindcast_rank_write(int descriptor, const void* data, size_t bytes) {
  RunningProgram* const program = RunningProgram::current();
  if (program == nullptr) return ::write(descriptor, data, bytes);
  return RunningProgram::calling("write").write(descriptor, {static_cast<const char*>(data), bytes});
}
ssize_t hindcast_rank_read(int descriptor, void* data, size_t bytes) {
  RunningProgram* const program = RunningProgram::current();
  if (program == nullptr) return ::read(descriptor, data, bytes);
  return RunningProgram::calling("read").read(descriptor, static_cast<char*>(data), bytes);
}

ssize_t hindcast_rank_send(int socket, const void* data, size_t bytes, int flags, const sockaddr* address,
                           socklen_t length) {
  RunningProgram& program = RunningProgram::calling("send");
  return send_where_there_is_room(program, descriptor_for(program, socket), {static_cast<const char*>(data), bytes},
                                  flags, address, length);
}

int hindcast_rank_descriptor(int descriptor) {
  const RunningProgram* const program = RunningProgram::current();
  return program != nullptr ? descriptor_for(*program, descriptor) : descriptor;
}

int hindcast_rank_copy(int descriptor, int least, int flags) {
  RunningProgram& program = RunningProgram::calling("dup");
  const StandardFiles::File file = program.files().of(descriptor);
  if (file.descriptor < 0) return fail_with(EBADF);
  if (const int closed = program.files().first_closed(least); closed >= 0) return copy_to(program, file, closed, flags);
  const int copy = fcntl(file.descriptor, (flags & O_CLOEXEC) != 0 ? F_DUPFD_CLOEXEC : F_DUPFD, least);
  if (copy >= 0) program.files().add_copy(copy, file.stream);
  return copy;
}

int hindcast_rank_copy_to(int descriptor, int copy, int flags) {
  RunningProgram& program = RunningProgram::calling("dup2");
  const StandardFiles::File file = program.files().of(descriptor);
  if (file.descriptor < 0 || copy < 0) return fail_with(EBADF);
  if (descriptor == copy) return fail_with(EINVAL);
  return copy_to(program, file, copy, flags);
}

int hindcast_rank_close(int descriptor) {
  RunningProgram* const program = RunningProgram::current();
  if (program == nullptr) return ::close(descriptor);
  if (program->timers != nullptr) program->timers->forget(descriptor);
  const StandardFiles::File file = program->files().of(descriptor);
  if (file.descriptor < 0) return fail_with(EBADF);
  const bool may_end_waits = file.stream < 0 && joins_ranks(file.descriptor);
  if (may_end_waits) hindcast_rank_settle();
  int result = 0;
  if (StandardFiles::is_standard(descriptor))
    program->redirect(descriptor, {-1, -1});
  else
    result = ::close(descriptor);
  program->files().forget_copy(descriptor);
  if (may_end_waits) tell_of_change(*program);
  return result;
}

int hindcast_rank_opened(int descriptor) {
  RunningProgram* const program = RunningProgram::current();
  const int closed = program != nullptr && descriptor >= 0 ? program->files().first_closed(0) : -1;
  if (closed < 0) return descriptor;
  program->redirect(closed, {-1, descriptor});
  return closed;
}

FILE* hindcast_rank_open_stream(int descriptor, const char* mode) {
  RunningProgram& program = RunningProgram::calling("fdopen");
  const StandardFiles::File file = program.files().of(descriptor);
  const bool is_libcs = file.stream < 0 && !StandardFiles::is_standard(descriptor) && !joins_ranks(descriptor);
  if (is_libcs) return fdopen(descriptor, mode);
  if (file.descriptor >= 0) return program.opened_streams().open(descriptor, mode);
  errno = EBADF;
  return nullptr;
}

int hindcast_rank_descriptor_of(FILE* stream) { return RunningProgram::calling("fileno").descriptor_of(stream); }

}  // extern "C"
