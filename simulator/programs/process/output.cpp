#include "simulator/programs/process/output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <vector>

#include "simulator/engine/thread.hpp"

namespace hindcast::programs {

namespace {

// Of the computer that we run on: it decides when lines are shown, never which.
std::int64_t real_time_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

// What kept some of it from being written, as errno has it; 0 if nothing did, or nobody reads it any more.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return count == 0 || errno == EPIPE ? 0 : errno;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

bool are_one_file(int one, int other) {
  struct stat of_one {};
  struct stat of_other {};
  return fstat(one, &of_one) == 0 && fstat(other, &of_other) == 0 && of_one.st_dev == of_other.st_dev &&
         of_one.st_ino == of_other.st_ino;
}

class Showing final : public Wait {
  BlockedOn describe() const override { return {"the output of what is printed", {}, {}}; }
};

}  // namespace

Output::~Output() { flush(); }

void Output::print(Thread& thread, int descriptor, std::string text) {
  const Bytes captured(text.size());
  auto* printed = new Printed{{}, thread.clock(), thread.rank().id, descriptor, std::move(text)};
  waiting_for_clock_.push_back(*printed);
  // Another thread of the rank must not come into the midst of the same stream.
  if (thread.rank().threads.size() > 1)
    thread.act_and_go_on(*this, reinterpret_cast<std::uint64_t>(printed), captured);
  else
    thread.act(*this, reinterpret_cast<std::uint64_t>(printed), captured);
}

void Output::fire(const Event& event) {
  const std::unique_ptr<Printed> printed(reinterpret_cast<Printed*>(event.data));
  put(*printed);
}

void Output::Waking::fire(const Event& event) { reinterpret_cast<Thread*>(event.data)->wake(); }

// The rank's lines are acts that may be left for the instant that has come already. One more comes after them.
void Output::show_what_is_printed(Thread& thread) {
  static const Showing showing;
  const auto is_of_rank = [&](const Printed& printed) { return printed.rank == thread.rank().id; };
  thread.settle(&showing);
  while (std::any_of(waiting_for_clock_.begin(), waiting_for_clock_.end(), is_of_rank)) {
    thread.act(waking_, reinterpret_cast<std::uint64_t>(&thread));
    thread.wait_without_polling(showing);
  }
  flush();
}

void Output::print_what_waits() {
  std::vector<const Printed*> in_order;
  for (const Printed& printed : waiting_for_clock_) in_order.push_back(&printed);
  std::stable_sort(in_order.begin(), in_order.end(),
                   [](const Printed* one, const Printed* other) { return one->at < other->at; });
  for (const Printed* printed : in_order) put(*printed);
}

void Output::put(const Printed& printed) {
  if (label_lines_)
    put_labelled(printed);
  else
    put(printed.descriptor, printed.text);
}

void Output::put_labelled(const Printed& printed) {
  const std::string label = fmt::format("[{}] ", printed.rank);
  std::string labelled;
  bool at_start = true;
  for (const char letter : printed.text) {
    if (at_start) labelled += label;
    labelled += letter;
    at_start = letter == '\n';
  }
  put(printed.descriptor, labelled);
}

// On a line of its own, whatever another rank has left there.
void Output::print_cut_line(int rank, int descriptor, std::string text) {
  if (has_line_begun_on(descriptor)) put(descriptor, "\n");
  put(Printed{{}, Time(), rank, descriptor, std::move(text) + '\n'});
}

void Output::put(int descriptor, std::string_view text) {
  if (text.empty()) return;
  has_line_begun_on(descriptor) = text.back() != '\n';
  if (descriptor == STDERR_FILENO) {
    flush();
    write_all(STDERR_FILENO, text);
    return;
  }
  waiting_ += text;
  flush_unless_recent();
}

// A terminal or a reader at the other end of a pipe sees lines as they come; a flood of them is written in large
// pieces.
void Output::flush_unless_recent() {
  constexpr std::size_t bytes_max = 64 * 1024;
  constexpr std::int64_t delay_ns = 50'000'000;
  if (waiting_.size() < bytes_max && real_time_ns() - flushed_at_ns_ < delay_ns) return;
  flush();
}

void Output::flush() {
  if (const int error = write_all(STDOUT_FILENO, waiting_); error != 0) why_not_written_ = error;
  waiting_.clear();
  flushed_at_ns_ = real_time_ns();
}

bool Output::is_amid_line() const {
  return has_error_line_begun_ || (has_line_begun_ && are_one_file(STDOUT_FILENO, STDERR_FILENO));
}

void Output::say(std::string_view line) {
  put(STDERR_FILENO, fmt::format("{}hindcast: {}\n", is_amid_line() ? "\n" : "", line));
  has_line_begun_ = false;
}

// Another rank's fflush(NULL) may bring some of ours to light: it stays ours to print. While the rank gives way within
// a write, its stream still has in its buffer what is being written, and that is what the other would bring.
void LineStream::write(std::string_view text) {
  const bool is_own = Thread::current() != nullptr && &Thread::current()->rank() == rank_;
  if (!is_own && is_being_written_) return;
  gathered_ += text;
  if (!is_own) return add_part(text.size());
  is_being_written_ = true;
  const std::size_t end = std::string_view(gathered_).substr(without_end_).rfind('\n');
  if (end != std::string_view::npos) {
    print(without_end_ + end + 1);
  } else if (gathered_.size() > line_bytes_max) {
    print(gathered_.size());
  } else {
    without_end_ = gathered_.size();
    add_part(text.size());
  }
  is_being_written_ = false;
}

void LineStream::finish() {
  if (!gathered_.empty()) print(gathered_.size());
}

void LineStream::print_cut_line(Time end) const {
  std::size_t length = 0;
  for (const Part& part : parts_)
    if (part.written_at <= end) length += part.bytes;
  if (length > 0) output_->print_cut_line(rank_->id, descriptor_, gathered_.substr(0, length));
}

// A line may come in many small parts, most of them at one time.
void LineStream::add_part(std::size_t bytes) {
  const Time at = Thread::current() != nullptr ? Thread::current()->clock() : Time();
  if (!parts_.empty() && parts_.back().written_at == at)
    parts_.back().bytes += bytes;
  else if (bytes > 0)
    parts_.push_back({at, bytes});
}

// All that is gathered, or up to the last end of a line. What is left has been written now.
void LineStream::print(std::size_t length) {
  std::string text = gathered_.substr(0, length);
  gathered_.erase(0, length);
  without_end_ = gathered_.size();
  if (gathered_.empty()) gathered_.shrink_to_fit();
  parts_.clear();
  add_part(gathered_.size());
  Thread::current()->work_off_backlog();
  output_->print(*Thread::current(), descriptor_, std::move(text));
}

}  // namespace hindcast::programs
