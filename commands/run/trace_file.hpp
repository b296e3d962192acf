// The file of hindcast run --trace: every call, every step and every message, as viewers of traces read them (the trace
// events of Chrome's, in JSON, which Perfetto takes too).
//
// A rank is a process with two tracks a thread, one of its calls and one of the steps in them; a node's hardware is a
// process whose steps may overlap. A message is an arrow from the call that sends it to the one that receives it or, if
// no call does, to the hardware that brings its data to its place.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/run/output_file.hpp"
#include "commands/run/simulation.hpp"

namespace hindcast {

class TraceFile final : public RunObserver, private traces::Sink {
 public:
  // Throws if there can be no such file.
  explicit TraceFile(const std::string& path) : file_("--trace", path) {}

  traces::Sink& begins(const MachineFile& machine, const std::vector<int>& nodes) override;
  void is_born(int rank, int node) override;
  int ends(int status) override;

 private:
  // As viewers have it: of a process, here a rank or a node, a row.
  struct Track {
    int process = 0;
    int row = 0;
    friend auto operator<=>(const Track&, const Track&) = default;
  };
  struct OpenCall {
    const char* name;
    Time begin;
  };

  void add(const traces::RecordedStep& step) override;
  void add_call_mark(const traces::RecordedStep& step, const char* name);
  void add_step(const traces::RecordedStep& step);
  void add_hardware_step(const traces::RecordedStep& step);
  void add_message_end(const traces::RecordedStep& step, bool is_sent);
  void add_end_in_hardware(const traces::RecordedStep& step);

  Track track_of(const traces::Place& place, bool is_of_calls);
  void introduce(Track track, const traces::Place& place, bool is_of_calls);
  std::string process_name(const traces::Place& place) const;
  void write_event(const std::string& event);
  void write_call(Track track, const OpenCall& call, Time end);
  void write_arrow_end(const traces::RecordedStep& step, Track track, std::string_view phase, Time at);
  void write_moment(Track track, Time at, const char* name);

  OutputFile file_;
  std::vector<int> nodes_;  // of the ranks
  std::set<Track> introduced_;
  std::map<Track, std::vector<OpenCall>> open_calls_;
  std::uint64_t overlapping_ = 0;  // steps that may
  Time last_;                      // at which a step has ended: they come in this order
  bool is_first_ = true;
};

}  // namespace hindcast
