#include "commands/run/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "commands/json_text.hpp"
#include "commands/run/timeline.hpp"
#include "simulator/programs/process/call_marks.hpp"
#include "traces/message_label.hpp"
#include "traces/message_path.hpp"

namespace hindcast {

namespace {

constexpr int first_node_process = 2'000'000;  // beyond all ranks, whose processes are from 1 on
constexpr Time a_ns = Time::ns(1);

// In microseconds, to the picosecond.
std::string trace_time(Time time) {
  constexpr std::int64_t ps_in_a_us = 1'000'000;
  return fmt::format("{}.{:06}", time.in_ps() / ps_in_a_us, time.in_ps() % ps_in_a_us);
}

const char* category_of(const StepKind& kind) {
  switch (what_of(kind)) {
    case TimelineRow::What::wait:
      return "wait";
    case TimelineRow::What::computation:
      return "computation";
    case TimelineRow::What::work:
      break;
  }
  return "work";
}

// What a viewer shows of a step that is pointed at.
std::string arguments_of(const traces::RecordedStep& step) {
  std::string text;
  const auto add = [&text](std::string_view key, const std::string& value) {
    text += fmt::format(R"({}"{}":{})", text.empty() ? "" : ",", key, value);
  };
  if (*step.kind->parameter != '\0') add("parameter", json_text(step.kind->parameter));
  if (step.amount != 0) add("amount", fmt::format("{}", step.amount));
  if (step.message != 0) add("message", json_text(traces::name_of(step.message)));
  if (step.is_service) add("work on an arrival", "true");
  return fmt::format(R"("args":{{{}}})", text);
}

bool is_end_in_hardware(const StepKind* kind) {
  return kind == &mark_of_put_data || kind == &marks_of_messages.received;
}

const MessageMarks* marks_with(const StepKind* kind) {
  for (const MessageMarks* marks : {&marks_of_messages, &marks_of_library_messages})
    if (kind == &marks->sent || kind == &marks->received) return marks;
  return nullptr;
}

}  // namespace

traces::Sink& TraceFile::begins(const MachineFile&, const std::vector<int>& nodes) {
  nodes_ = nodes;
  file_.add("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
  return *this;
}

void TraceFile::is_born(int rank, int node) {
  const auto place = static_cast<std::size_t>(rank);
  if (place >= nodes_.size()) nodes_.resize(place + 1);
  nodes_[place] = node;
}

void TraceFile::write_event(const std::string& event) {
  file_.add(is_first_ ? "" : ",\n");
  file_.add(event);
  is_first_ = false;
}

void TraceFile::write_moment(Track track, Time at, const char* name) {
  write_event(fmt::format(R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{}}})", track.process, track.row,
                          trace_time(at), json_text(name)));
}

TraceFile::Track TraceFile::track_of(const traces::Place& place, bool is_of_calls) {
  const bool is_hardware = place.kind == traces::Place::Kind::node;
  const Track track = is_hardware ? Track{first_node_process + place.number, 0}
                                  : Track{place.number + 1, 2 * place.thread + (is_of_calls ? 0 : 1)};
  if (!introduced_.contains(track)) introduce(track, place, is_of_calls);
  return track;
}

// With the names by which a viewer shows it, and in the order of ranks, then of nodes.
void TraceFile::introduce(Track track, const traces::Place& place, bool is_of_calls) {
  const auto near = introduced_.lower_bound({track.process, 0});
  const bool is_new_process = near == introduced_.end() || near->process != track.process;
  introduced_.insert(track);
  const auto tell = [&](std::string_view what, const std::string& argument) {
    write_event(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{{}}}}})", track.process, track.row,
                            what, argument));
  };
  if (is_new_process) {
    tell("process_name", fmt::format(R"("name":"{}")", process_name(place)));
    tell("process_sort_index", fmt::format(R"("sort_index":{})", track.process));
  }
  if (place.kind == traces::Place::Kind::node) return;
  const std::string of_thread = place.thread == 0 ? "" : fmt::format(" of thread {}", place.thread);
  tell("thread_name", fmt::format(R"("name":"{}{}")", is_of_calls ? "calls" : "steps", of_thread));
  tell("thread_sort_index", fmt::format(R"("sort_index":{})", track.row));
}

std::string TraceFile::process_name(const traces::Place& place) const {
  if (place.kind == traces::Place::Kind::node) return fmt::format("node {}", place.number);
  const auto rank = static_cast<std::size_t>(place.number);
  return rank < nodes_.size() ? fmt::format("rank {} on node {}", rank, nodes_[rank]) : fmt::format("rank {}", rank);
}

// A call that its error handler has left, by longjmp, has no mark of its return. It is shown as a moment when the one
// that it was made in returns.
void TraceFile::add_call_mark(const traces::RecordedStep& step, const char* name) {
  const Track track = track_of(step.place, true);
  std::vector<OpenCall>& open = open_calls_[track];
  const bool begins = step.amount == 0;
  if (begins) return open.push_back({name, step.end});
  const auto found = std::find_if(open.rbegin(), open.rend(),
                                  [name](const OpenCall& call) { return std::string_view(call.name) == name; });
  if (found == open.rend()) return;
  const auto place = std::prev(found.base());
  for (auto inner = std::next(place); inner != open.end(); ++inner) write_moment(track, inner->begin, inner->name);
  write_call(track, *place, step.end);
  open.erase(place, open.end());
}

void TraceFile::write_call(Track track, const OpenCall& call, Time end) {
  write_event(fmt::format(R"({{"ph":"X","cat":"call","pid":{},"tid":{},"ts":{},"dur":{},"name":{}}})", track.process,
                          track.row, trace_time(call.begin), trace_time(end - call.begin), json_text(call.name)));
}

// An arrow's ends belong to the calls that are there. Viewers count in nanoseconds, take the call's end for none of its
// own, and may find the arrow before a call that begins with it: so the ends are one within the calls.
void TraceFile::add_message_end(const traces::RecordedStep& step, bool is_sent) {
  const Time at = is_sent ? step.end + a_ns : step.end - std::min(step.end, a_ns);
  write_arrow_end(step, track_of(step.place, true), is_sent ? R"("s")" : R"("f","bp":"e")", at);
}

// In hardware nothing is under way for an arrow to end in. Without "bp" it ends at what comes next in its row, which is
// a moment of its own.
void TraceFile::add_end_in_hardware(const traces::RecordedStep& step) {
  const Track track = track_of(step.place, false);
  write_arrow_end(step, track, R"("f")", step.end);
  write_moment(track, step.end, step.kind->name);
}

// `phase` is "s" where it begins, "f" where it ends.
void TraceFile::write_arrow_end(const traces::RecordedStep& step, Track track, std::string_view phase, Time at) {
  const std::string tag = step.label == nullptr ? "" : fmt::format(R"(,"tag":{})", step.label->tag);
  const std::string arguments = fmt::format(R"("message":{},"bytes":{},"peer":{}{})",
                                            json_text(traces::name_of(step.message)), step.amount, step.peer, tag);
  write_event(fmt::format(
      R"({{"ph":{},"cat":"message","name":"message","id":"{:#x}","pid":{},"tid":{},"ts":{},"args":{{{}}}}})", phase,
      step.message, track.process, track.row, trace_time(at), arguments));
}

void TraceFile::add_step(const traces::RecordedStep& step) {
  const Track track = track_of(step.place, false);
  if (step.begin == step.end) return write_moment(track, step.end, step.kind->name);
  write_event(fmt::format(R"({{"ph":"X","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"name":{},{}}})",
                          category_of(*step.kind), track.process, track.row, trace_time(step.begin),
                          trace_time(step.end - step.begin), json_text(step.kind->name), arguments_of(step)));
}

void TraceFile::add_hardware_step(const traces::RecordedStep& step) {
  const Track track = track_of(step.place, false);
  if (step.begin == step.end) return write_moment(track, step.end, step.kind->name);
  const std::string common = fmt::format(R"("cat":"hardware","id":{},"pid":{},"tid":0,"name":{})", ++overlapping_,
                                         track.process, json_text(step.kind->name));
  write_event(fmt::format(R"({{"ph":"b",{},"ts":{},{}}})", common, trace_time(step.begin), arguments_of(step)));
  write_event(fmt::format(R"({{"ph":"e",{},"ts":{}}})", common, trace_time(step.end)));
}

void TraceFile::add(const traces::RecordedStep& step) {
  last_ = step.end;
  if (step.place.kind == traces::Place::Kind::node)
    return is_end_in_hardware(step.kind) ? add_end_in_hardware(step) : add_hardware_step(step);
  const bool is_mark = step.begin == step.end;
  if (const char* call = is_mark ? programs::name_of_call(*step.kind) : nullptr) return add_call_mark(step, call);
  if (const MessageMarks* marks = is_mark ? marks_with(step.kind) : nullptr)
    return add_message_end(step, step.kind == &marks->sent);
  add_step(step);
}

// Of a run that fails, the call that a thread is in goes on to the end.
int TraceFile::ends(int status) {
  for (const auto& [track, calls] : open_calls_)
    for (const OpenCall& call : calls) {
      if (status != 0 && &call == &calls.back())
        write_call(track, call, last_);
      else
        write_moment(track, call.begin, call.name);
    }
  file_.add("\n]}\n");
  return file_.finish(status);
}

}  // namespace hindcast
