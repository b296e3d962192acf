#include "commands/run/profile/call_profile.hpp"

#include <algorithm>
#include <string_view>

#include "commands/run/timeline.hpp"
#include "simulator/programs/process/call_marks.hpp"

namespace hindcast {

CallProfile::Row& CallProfile::row_of(const Progress& thread) {
  return thread.open.empty() ? outside_ : rows_[thread.open.back().name];
}

void CallProfile::take_off(Progress& thread, Time took) {
  thread.open.pop_back();
  (thread.open.empty() ? thread.in_calls : thread.open.back().in_others) += took;
}

void CallProfile::close_innermost(int rank, Progress& thread, Time end) {
  const OpenCall call = thread.open.back();
  const Time whole = end - call.begin;
  Row& row = rows_[call.name];
  row.time += whole - call.in_others;
  row.time_of_rank[rank] += whole - call.in_others;
  row.longest = later_of(row.longest, whole);
  take_off(thread, whole);
}

// A call that its error handler has left, by longjmp, has no mark of its return. It seems to have made all calls that
// come after it; when it was left is not known, so that it takes no time.
void CallProfile::forget_innermost(Progress& thread) { take_off(thread, thread.open.back().in_others); }

void CallProfile::call_returns(int rank, Progress& thread, const char* name, Time end) {
  const auto is_it = [name](const OpenCall& call) { return std::string_view(call.name) == name; };
  if (std::none_of(thread.open.begin(), thread.open.end(), is_it)) return;
  while (!is_it(thread.open.back())) forget_innermost(thread);
  close_innermost(rank, thread, end);
}

bool CallProfile::is_there_from_the_beginning(const traces::Place& place) const {
  return place.thread == 0 && place.number < first_ranks_;
}

void CallProfile::add(const traces::RecordedStep& step) {
  if (step.place.kind != traces::Place::Kind::thread) return;
  const int rank = step.place.number;
  const auto [found, is_new] = threads_.try_emplace({rank, step.place.thread});
  Progress& thread = found->second;
  if (is_new && !is_there_from_the_beginning(step.place)) thread.begin = step.begin;
  thread.end = later_of(thread.end, step.end);
  if (const char* name = programs::name_of_call(*step.kind)) {
    thread.is_in_call = step.amount == 0;
    if (!thread.is_in_call) return call_returns(rank, thread, name, step.end);
    thread.open.push_back({name, step.end, {}});
    ++row_of(thread).calls;
  } else if (step.kind == &marks_of_messages.sent || step.kind == &marks_of_library_messages.sent) {
    Row& row = row_of(thread);
    ++row.messages;
    row.bytes += step.amount;
  } else if (what_of(*step.kind) == TimelineRow::What::wait) {
    row_of(thread).waits += step.end - step.begin;
  }
}

void CallProfile::finish() {
  for (auto& [id, thread] : threads_) {
    const int rank = id.first;
    if (thread.is_in_call) close_innermost(rank, thread, thread.end);
    while (!thread.open.empty()) forget_innermost(thread);
    const Time whole = thread.end - thread.begin;
    time_ += whole;
    time_of_rank_[rank] += whole;
    outside_.time += whole - thread.in_calls;
    outside_.time_of_rank[rank] += whole - thread.in_calls;
  }
}

std::vector<CallProfile::Row> CallProfile::rows() const {
  std::vector<Row> rows;
  for (const auto& [name, row] : rows_) {
    rows.push_back(row);
    rows.back().name = name;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.time > b.time; });
  return rows;
}

}  // namespace hindcast
