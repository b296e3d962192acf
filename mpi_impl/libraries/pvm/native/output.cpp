// What tasks print, where another task wants to have it: it goes by the daemons, as messages that begin with the task
// and a number, which is how many letters follow, or tells of what becomes of the task.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "mpi_impl/libraries/pvm/native/task.hpp"

namespace hindcast::pvm {

namespace {

// No program can have it: so no receive of a program's takes what pvm_catchout prints.
constexpr int context_of_caught = -2;

// Instead of how many letters there are. After the first two comes the task's parent.
constexpr int of_spawn = -1, of_begin = -2, of_end = 0;

// Each line, and what is left of the last one, with its task.
void print_lines(FILE* file, const std::string& who, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::fputs(fmt::format("{}{}\n", who, text.substr(0, length)).c_str(), file);
    text.remove_prefix(std::min(length + 1, text.size()));
  }
}

}  // namespace

void Task::catch_output(FILE* file) {
  file_of_caught_ = file;
  options_.set(PvmOutputTid, file != nullptr ? tid_ : 0);
  options_.set(PvmOutputContext, file != nullptr ? context_of_caught : PvmBaseContext);
}

Task::Sink Task::sink() const {
  return {options_.get(PvmSelfOutputTid), options_.get(PvmSelfOutputCode), options_.get(PvmSelfOutputContext)};
}

bool Task::take_output(std::string_view text) {
  if (options_.get(PvmSelfOutputTid) == 0) return false;
  const bool is_first = !std::exchange(has_told_of_begin_, true);
  machine_.agenda().act(*Thread::current(), [this, to = sink(), is_first, text = std::string(text)] {
    if (is_first) tell(to, host_, of_begin);
    tell(to, host_, static_cast<int>(text.size()), text);
  });
  return true;
}

void Task::send_output_to(int tid) {
  if (tid == options_.get(PvmSelfOutputTid)) return;
  const bool is_first = !std::exchange(has_told_of_begin_, false);
  machine_.agenda().act(*Thread::current(), [this, to = sink(), is_first] {
    if (is_first) tell(to, host_, of_begin);
    tell(to, host_, of_end);
  });
  options_.set(PvmSelfOutputTid, tid);
}

void Task::tell_of_spawn(int by_host) { tell(sink(), by_host, of_spawn); }

void Task::end_output() {
  if (!has_told_of_begin_) tell(sink(), host_, of_begin);
  tell(sink(), host_, of_end);
  spawned_as_ = 0;
}

void Task::tell(const Sink& to, int from_host, int what, std::string_view text) {
  const int host = machine_.host_of(to.tid);
  if (host < 0 || spawned_as_ == 0) return;
  Buffer buffer(PvmDataDefault);
  std::size_t copied = 0;
  int head[] = {spawned_as_, what, std::max(parent_, 0)};
  std::string letters(text);
  buffer.pack({PVM_INT, head, what < 0 ? 3 : 2, 1}, copied);
  buffer.pack({PVM_BYTE, letters.data(), static_cast<int>(letters.size()), 1}, copied);
  Message message;
  message.envelope = {spawned_as_, to.tid, to.tag, to.context};
  message.encoding = PvmDataDefault;
  message.contents = buffer.contents();
  machine_.daemons().carry(from_host, host, Bytes(buffer.bytes()), [machine = &machine_, message] {
    if (Task* there = machine->find(message.envelope.destination)) there->has_come(message);
  });
}

void Task::expect_output_of(const std::vector<int>& children) {
  if (file_of_caught_ == nullptr || options_.get(PvmOutputTid) != tid_) return;
  for (const int child : children)
    if (child > 0) has_output_ended_.try_emplace(child, false);
}

bool Task::is_output_expected() const {
  return file_of_caught_ != nullptr && std::any_of(has_output_ended_.begin(), has_output_ended_.end(),
                                                   [](const auto& output) { return !output.second; });
}

void Task::print_caught_output() {
  while (auto message = inbox.take(Inbox::any, Inbox::any, context_of_caught)) {
    Buffer buffer(message->encoding, message->contents, message->envelope, 0);
    int head[2] = {};
    std::size_t copied = 0;
    buffer.unpack({PVM_INT, head, 2, 1}, copied);
    const auto& [task, what] = head;
    std::string text(static_cast<std::size_t>(std::max(what, 0)), 0);
    buffer.unpack({PVM_BYTE, text.data(), static_cast<int>(text.size()), 1}, copied);
    // Word of a task that a child has started may come after all that it has printed.
    bool& is_over = has_output_ended_.try_emplace(task, false).first->second;
    is_over = is_over || what == of_end;
    if (what == of_begin) text = "BEGIN";
    if (what == of_end) text = "END";
    if (file_of_caught_ == nullptr) continue;
    if (options_.get(PvmShowTids) != 0)
      print_lines(file_of_caught_, fmt::format("[t{:x}] ", task), text);
    else if (what > 0)
      std::fwrite(text.data(), 1, text.size(), file_of_caught_);
  }
}

}  // namespace hindcast::pvm
