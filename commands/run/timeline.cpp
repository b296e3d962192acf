#include "commands/run/timeline.hpp"

#include <fmt/format.h>

#include <string_view>

#include "simulator/programs/process/call_marks.hpp"

namespace hindcast {

namespace {

void add_span(TimelineRow& row, TimelineRow::What what, Time begin, Time end) {
  const bool goes_on = !row.spans.empty() && row.spans.back().what == what && row.spans.back().end == begin;
  if (goes_on)
    row.spans.back().end = end;
  else
    row.spans.push_back({what, begin, end});
}

}  // namespace

TimelineRow::What what_of(const StepKind& kind) {
  const std::string_view name = kind.name;
  if (is_wait(kind) || &kind == &step_wait_for_processor) return TimelineRow::What::wait;
  const bool is_the_programs = name.starts_with("computation") || name == "sleep";
  return is_the_programs ? TimelineRow::What::computation : TimelineRow::What::work;
}

traces::Sink& TimelineFile::begins(const MachineFile& machine, const std::vector<int>& nodes) {
  machine_ = machine.name();
  rows_.reserve(nodes.size());
  return *this;
}

// Of a rank that may have been born just now.
TimelineRow& TimelineFile::row_of(const traces::RecordedStep& step) {
  const auto rank = static_cast<std::size_t>(step.place.number);
  if (rank >= rows_.size()) rows_.resize(rank + 1);
  return rows_[rank];
}

// A call that its error handler has left, by longjmp, has no mark of its return.
void TimelineFile::add_mark(const traces::RecordedStep& step) {
  TimelineRow& row = row_of(step);
  if (const char* call = programs::name_of_call(*step.kind)) {
    if (step.amount == 0)
      row.calls.push_back({call, step.end, step.end});
    else if (!row.calls.empty())
      row.calls.back().end = step.end;
    return;
  }
  for (const MessageMarks* marks : {&marks_of_messages, &marks_of_library_messages}) {
    if (step.kind == &marks->sent) on_the_way_[step.message] = {step.place.number, step.peer, step.end, step.end};
    if (step.kind != &marks->received) continue;
    const auto found = on_the_way_.find(step.message);
    if (found == on_the_way_.end()) return;
    found->second.receiver = step.place.number;
    found->second.received = step.end;
    messages_.push_back(found->second);
    on_the_way_.erase(found);
  }
}

void TimelineFile::add(const traces::RecordedStep& step) {
  const bool is_drawn = step.place.kind == traces::Place::Kind::thread && step.place.thread == 0;
  if (!is_drawn) return;
  if (step.begin == step.end) return add_mark(step);
  add_span(row_of(step), what_of(*step.kind), step.begin, step.end);
}

int TimelineFile::ends(int status) {
  const std::string title = fmt::format("{}, {} ranks", machine_, rows_.size());
  return file_.write(timeline_svg(title, rows_, messages_), status);
}

}  // namespace hindcast
