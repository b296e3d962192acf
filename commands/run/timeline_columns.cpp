#include "commands/run/timeline_columns.hpp"

#include <algorithm>
#include <utility>

namespace hindcast {

namespace {

class Columns {
 public:
  Columns(Time end, std::size_t count)
      : columns_(count), per_ps_(static_cast<double>(count) / static_cast<double>(end.in_ps())) {}

  void add(const TimelineRow::Span& span) {
    for_each_of(span.begin, span.end,
                [&](TimelineColumn& column, double part) { share_of(column, span.what) += part; });
  }
  void add(const TimelineRow::CallSpan& call) {
    for_each_of(call.begin, call.end, [](TimelineColumn& column, double part) { column.in_calls += part; });
    ++columns_[column_at(call.begin)].calls[call.name];
  }
  std::vector<TimelineColumn> take() { return std::move(columns_); }

 private:
  static double& share_of(TimelineColumn& column, TimelineRow::What what) {
    if (what == TimelineRow::What::computation) return column.computation;
    return what == TimelineRow::What::work ? column.work : column.wait;
  }

  double place_of(Time time) const { return static_cast<double>(time.in_ps()) * per_ps_; }
  std::size_t column_at(Time time) const {
    return std::min(columns_.size() - 1, static_cast<std::size_t>(place_of(time)));
  }
  template <typename Take>
  void for_each_of(Time begin, Time end, Take take) {
    const double from = place_of(begin), to = place_of(end);
    for (std::size_t index = column_at(begin); index < columns_.size(); ++index) {
      const auto column_begin = static_cast<double>(index);
      if (column_begin >= to) return;
      take(columns_[index], std::min(to, column_begin + 1) - std::max(from, column_begin));
    }
  }

  std::vector<TimelineColumn> columns_;
  const double per_ps_;
};

}  // namespace

std::vector<TimelineColumn> columns_of_short(const TimelineRow& row, Time end, std::size_t count, Time shortest) {
  Columns columns(end, count);
  for (const TimelineRow::Span& span : row.spans)
    if (span.end - span.begin < shortest) columns.add(span);
  for (const TimelineRow::CallSpan& call : row.calls)
    if (call.end - call.begin < shortest) columns.add(call);
  return columns.take();
}

}  // namespace hindcast
