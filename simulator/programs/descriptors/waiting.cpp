// Programs' calls that wait for descriptors, such as poll.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <vector>

#include "simulator/engine/recorder.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/programs/clocks/simulated_clocks.hpp"
#include "simulator/programs/descriptors/asking.hpp"
#include "simulator/programs/descriptors/own_descriptors.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/running_program.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"
#include "simulator/programs/threads/sync_wait.hpp"

namespace hindcast::programs {

namespace {

const StepKind descriptor_look{"look at a descriptor", "processor.poll"};

void spend_look(RunningProgram& program) { Thread::current()->spend(descriptor_look, program.costs().yield); }

// Who waits, and how.
struct Poll {
  RunningProgram& program;
  std::span<pollfd> files;
  Time until;
  const char* call;
  bool is_restarted;  // after a signal's handler with SA_RESTART
};

enum class Outcome : std::uint8_t { may_be_ready, time_is_over, is_interrupted };

Outcome wait_once(const Poll& poll) {
  ProgramThread& self = *poll.program.threads().of(*Thread::current());
  DescriptorWaits::Waiting waiting(self, poll.files);
  waiting.until = poll.until;
  waiting.can_be_cancelled = true;
  waiting.ends_at_signal = true;
  const PlainWait why(self.threads, poll.call, "a descriptor to be ready");
  const bool is_ready = self.wait_in(poll.program.launch().descriptor_waits().queue_for_new(), waiting, why);
  self.act_on_cancel();
  if (is_ready) return Outcome::may_be_ready;
  const int last_not_ending = poll.is_restarted ? hindcast_signal_restarts : hindcast_signal_ignored;
  return waiting.signal_effect > last_not_ending ? Outcome::is_interrupted : Outcome::time_is_over;
}

// A wait ends with a look that finds something. Others may run during that look, and take what was there.
int poll_until(const Poll& poll) {
  Thread& thread = *Thread::current();
  for (bool has_waited = false;; has_waited = true) {
    thread.settle();
    const int ready = ::poll(poll.files.data(), poll.files.size(), 0);
    if (ready != 0) return ready;
    if (poll.until <= thread.clock()) {
      if (!has_waited) spend_look(poll.program);
      return 0;
    }
    const Outcome outcome = wait_once(poll);
    if (outcome == Outcome::may_be_ready) spend_look(poll.program);
    if (outcome != Outcome::is_interrupted) continue;
    errno = EINTR;
    return -1;
  }
}

// What is pending and not in the mask ends the wait before it begins.
int poll_with_mask(const Poll& poll, const sigset_t& mask) {
  ProgramThread& self = *poll.program.threads().of(*Thread::current());
  const ProgramThread::SignalSet before = self.block_only(mask);
  int ready = -1;
  int effect = 0;
  while (self.signals_due() != 0 && effect < hindcast_signal_restarts) effect = self.handle_one_signal(before);
  if (effect >= hindcast_signal_restarts)
    errno = EINTR;
  else
    ready = poll_until(poll);
  const int error = errno;
  self.block_again(before);
  errno = error;
  return ready;
}

// As this process knows them. What the program has closed is not looked at.
std::vector<pollfd> own_files(std::span<const pollfd> files) {
  std::vector<pollfd> own(files.begin(), files.end());
  for (pollfd& file : own)
    if (StandardFiles::is_standard(file.fd)) file.fd = hindcast_rank_descriptor(file.fd);
  return own;
}

Time time_after(std::int64_t ns) {
  const Time now = Thread::current()->clock();
  const std::int64_t ns_left = (Time::never() - now).in_ps() / 1000;
  return ns < 0 || ns >= ns_left ? Time::never() : now + Time::ns(ns);
}

}  // namespace

}  // namespace hindcast::programs

using namespace hindcast;
using programs::RunningProgram;

extern "C" {

int hindcast_rank_await(const hindcast_descriptor_wait* wait) {
  RunningProgram& program = RunningProgram::calling(wait->call);
  program.let_cancelled_thread_leave(true);
  const std::span files(wait->files, wait->count);
  if (files.empty() && wait->ns >= 0 && wait->mask == nullptr) {
    if (programs::sleep_ns(wait->ns) == 0) return 0;
    errno = EINTR;
    return -1;
  }
  std::vector<pollfd> own = programs::own_files(files);
  const bool asks = std::ranges::any_of(own, [](const pollfd& file) { return file.fd == STDIN_FILENO; });
  if (asks) programs::show_before_asking(program);
  const programs::Poll poll{program, own, programs::time_after(wait->ns), wait->call, wait->is_restarted};
  const int ready = wait->mask != nullptr ? programs::poll_with_mask(poll, *wait->mask) : programs::poll_until(poll);
  for (std::size_t i = 0; i < own.size(); ++i) files[i].revents = own[i].revents;
  return ready;
}

void hindcast_rank_has_changed_descriptor() {
  RunningProgram::calling("a descriptor").launch().descriptor_waits().has_changed();
}

void hindcast_rank_look() { programs::spend_look(RunningProgram::calling("a descriptor")); }

void hindcast_rank_settle() {
  RunningProgram::calling("a descriptor");
  Thread::current()->settle();
}

}  // extern "C"
