// What tasks print, where another task wants to have it: it goes by the daemons, as messages that begin with the task
// and how many letters there are. None is the end.
#include <fmt/format.h>

#include <cstdio>

#include "mpi_impl/libraries/pvm/native/task.hpp"

namespace hindcast::pvm {

namespace {

// No program can have it: so no receive of a program's takes what pvm_catchout prints.
constexpr int context_of_caught = -2;

// Each line, and what is left of the last one, with its task if that is wanted.
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

void Task::take_output(std::string_view text) {
  machine_.agenda().act(*Thread::current(), [this, text = std::string(text)] { tell_output(text); });
}

void Task::tell_output(std::string_view text) {
  const int to = options_.get(PvmOutputTid);
  const int host = machine_.host_of(to);
  if (host < 0 || tid_ == 0) return;
  Buffer buffer(PvmDataDefault);
  std::size_t copied = 0;
  int head[] = {tid_, static_cast<int>(text.size())};
  std::string letters(text);
  buffer.pack({PVM_INT, head, 2, 1}, copied);
  buffer.pack({PVM_BYTE, letters.data(), head[1], 1}, copied);
  Message message;
  message.envelope = {tid_, to, options_.get(PvmOutputCode), options_.get(PvmOutputContext)};
  message.encoding = PvmDataDefault;
  message.contents = buffer.contents();
  machine_.daemons().carry(host_, host, Bytes(buffer.bytes()), [machine = &machine_, message] {
    if (Task* there = machine->find(message.envelope.destination)) there->has_come(message);
  });
}

void Task::print_caught_output() {
  while (auto message = inbox.take(Inbox::any, Inbox::any, context_of_caught)) {
    Buffer buffer(message->encoding, message->contents, message->envelope, 0);
    int head[2] = {};
    std::size_t copied = 0;
    buffer.unpack({PVM_INT, head, 2, 1}, copied);
    std::string text(static_cast<std::size_t>(head[1]), 0);
    buffer.unpack({PVM_BYTE, text.data(), head[1], 1}, copied);
    if (text.empty()) --outputs_open_;
    const std::string who = options_.get(PvmShowTids) != 0 ? fmt::format("[t{:x}] ", head[0]) : "";
    if (file_of_caught_ != nullptr) print_lines(file_of_caught_, who, text.empty() ? "EOF\n" : text);
  }
}

}  // namespace hindcast::pvm
