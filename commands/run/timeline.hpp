// The picture of hindcast run --timeline: a row a rank, and in it what the rank did when. As SVG.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "commands/run/output_file.hpp"
#include "commands/run/simulation.hpp"

namespace hindcast {

// What is drawn of a rank's first thread.
struct TimelineRow {
  enum class What : std::uint8_t { computation, work, wait };
  struct Span {
    What what;
    Time begin;
    Time end;
  };
  struct CallSpan {
    std::string name;
    Time begin;
    Time end;
  };
  std::vector<Span> spans;  // in order; those that follow each other and are alike are one
  std::vector<CallSpan> calls;
};
struct TimelineMessage {
  int sender = 0;
  int receiver = 0;
  Time sent;
  Time received;
};

TimelineRow::What what_of(const StepKind& kind);

std::string timeline_svg(const std::string& title, const std::vector<TimelineRow>& rows,
                         const std::vector<TimelineMessage>& messages);

class TimelineFile final : public RunObserver, private traces::Sink {
 public:
  // Throws if there can be no such file.
  explicit TimelineFile(const std::string& path) : file_("--timeline", path) {}

  traces::Sink& begins(const MachineFile& machine, const std::vector<int>& nodes) override;
  int ends(int status) override;

 private:
  void add(const traces::RecordedStep& step) override;
  void add_mark(const traces::RecordedStep& step);

  TimelineRow& row_of(const traces::RecordedStep& step);

  OutputFile file_;
  std::string machine_;
  std::vector<TimelineRow> rows_;
  std::vector<TimelineMessage> messages_;
  std::map<MessageId, TimelineMessage> on_the_way_;
};

}  // namespace hindcast
