// What ranks print: by whole lines, in the order of simulated time.
#pragma once

#include <unistd.h>

#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::programs {

// The launcher's own standard output and error.
class Output final : public EventSink {
 public:
  explicit Output(bool label_lines) : label_lines_(label_lines) {}
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // The thread prints a text at its clock.
  void print(Thread& thread, int descriptor, std::string text);
  // At the end of a run that ends before its time: of a line that its rank has not ended.
  void print_cut_line(int rank, int descriptor, std::string text);
  // What hindcast itself has to say, after all that was printed before, on a line of its own.
  void say(std::string_view line);
  void flush();
  // The thread gives way until all that its rank has printed by now is written: before somebody else writes there.
  void show_what_is_printed(Thread& thread);
  // Of a run that ends before its time: what is printed at clocks that the run has not come to.
  void print_what_waits();
  // The number of the error that has kept something off standard output; 0 if all is there.
  int why_not_written() const { return why_not_written_; }

  void fire(const Event& event) override;

 private:
  struct Printed : boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
    Time at;
    int rank;
    int descriptor;
    std::string text;
  };
  class Waking final : public EventSink {
    void fire(const Event& event) override;
  };
  void put(const Printed& printed);
  void put(int descriptor, std::string_view text);
  void put_labelled(const Printed& printed);
  void flush_unless_recent();
  bool is_amid_line() const;
  bool& has_line_begun_on(int descriptor) {
    return descriptor == STDERR_FILENO ? has_error_line_begun_ : has_line_begun_;
  }

  bool label_lines_;
  Waking waking_;
  boost::intrusive::list<Printed, boost::intrusive::constant_time_size<false>> waiting_for_clock_;
  std::string waiting_;  // for standard output to be written to
  std::int64_t flushed_at_ns_ = 0;
  int why_not_written_ = 0;
  bool has_line_begun_ = false;        // on standard output,
  bool has_error_line_begun_ = false;  // and on standard error
};

// One rank's standard output or error: gathers the lines.
class LineStream {
 public:
  LineStream(Output& output, Rank& rank, int descriptor) : output_(&output), rank_(&rank), descriptor_(descriptor) {}

  void write(std::string_view text);
  // What there is of a line not ended.
  void finish();
  // The same at the end of a run that ends before its time, as far as it was written by then.
  void print_cut_line(Time end) const;

 private:
  struct Part {
    Time written_at;
    std::size_t bytes;
  };
  void print(std::size_t length);
  void add_part(std::size_t bytes);

  static constexpr std::size_t line_bytes_max = 1 << 20;  // what is longer is printed in pieces

  Output* output_;
  Rank* rank_;
  int descriptor_;
  std::string gathered_;
  std::vector<Part> parts_;      // of what is gathered
  std::size_t without_end_ = 0;  // so much of it has no end of a line: a line may come in many small pieces
  bool is_being_written_ = false;
};

}  // namespace hindcast::programs
