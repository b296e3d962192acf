// A timeline as a picture. It has to be read with 2 rows as with 64, so rows are lower where there are many. What is
// narrower than a pixel is not drawn by itself, but as a share of the column that it is in.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "commands/run/timeline.hpp"
#include "commands/run/timeline_columns.hpp"
#include "simulator/engine/report.hpp"

namespace hindcast {

namespace {

constexpr double left = 70, top = 62, width = 1130, right = 20, bottom = 12;
constexpr double narrowest = 1;        // that is drawn by itself; also a column's width
constexpr double least_share = 0.005;  // of a column
constexpr double letter_width = 5.6;
constexpr std::size_t messages_max = 4000;

struct Scale {
  Time end;
  double row_height;
  double x(Time time) const {
    return left + width * static_cast<double>(time.in_ps()) / static_cast<double>(end.in_ps());
  }
  double y(std::size_t row) const { return top + row_height * static_cast<double>(row); }
  double box_height() const { return row_height * 0.8; }
  Time shortest() const {
    return Time::ps(std::llround(std::ceil(static_cast<double>(end.in_ps()) * narrowest / width)));
  }
};

const char* class_of(TimelineRow::What what) {
  switch (what) {
    case TimelineRow::What::computation:
      return "c";
    case TimelineRow::What::work:
      return "l";
    case TimelineRow::What::wait:
      break;
  }
  return "w";
}

Time end_of(const std::vector<TimelineRow>& rows) {
  Time end = Time::ps(1);
  for (const TimelineRow& row : rows) {
    if (!row.spans.empty()) end = later_of(end, row.spans.back().end);
    if (!row.calls.empty()) end = later_of(end, row.calls.back().end);
  }
  return end;
}

// 1, 2 or 5 times a power of ten, so that there are four to ten of them.
Time interval_of_ticks(Time end) {
  const double rough = static_cast<double>(end.in_ps()) / 8;
  const double power = std::pow(10.0, std::floor(std::log10(std::max(rough, 1.0))));
  for (const double times : {1.0, 2.0, 5.0, 10.0})
    if (times * power >= rough) return Time::ps(std::max<std::int64_t>(1, std::llround(times * power)));
  return end;
}

std::string axis(const Scale& scale, std::size_t rows) {
  std::string text;
  const Time interval = interval_of_ticks(scale.end);
  for (Time tick; tick <= scale.end; tick += interval)
    text += fmt::format(
        "<path class='t' d='M{0:.2f} {1:.1f}V{2:.1f}'/><text x='{0:.2f}' y='{3:.1f}' "
        "text-anchor='middle'>{4}</text>\n",
        scale.x(tick), top - 4, scale.y(rows), top - 8, to_text(tick));
  return text;
}

std::string legend() {
  struct Entry {
    const char* kind;
    const char* text;
  };
  constexpr Entry entries[] = {
      {"c", "computes"}, {"k", "in a call"}, {"l", "works in it"}, {"w", "waits"}, {"n", "message"}};
  std::string text;
  double x = left + 330;
  for (const Entry& entry : entries) {
    text +=
        fmt::format("<rect class='{}' x='{:.0f}' y='10' width='14' height='10'/><text x='{:.0f}' y='19'>{}</text>\n",
                    entry.kind, x, x + 19, entry.text);
    x += 110;
  }
  return text;
}

std::string calls_of(const TimelineRow& row, std::size_t index, const Scale& scale) {
  const Time shortest = scale.shortest();
  std::string text;
  for (const TimelineRow::CallSpan& call : row.calls) {
    if (call.end - call.begin < shortest) continue;
    const double x = scale.x(call.begin), wide = scale.x(call.end) - x;
    text += fmt::format(
        "<rect class='k' x='{:.2f}' y='{:.1f}' width='{:.2f}' height='{:.1f}'><title>rank {}: {}, {} to "
        "{}</title></rect>\n",
        x, scale.y(index), wide, scale.box_height(), index, call.name, to_text(call.begin), to_text(call.end));
  }
  return text;
}

// Spans are drawn upon the call's box, but for its uppermost part.
double top_of_spans(const Scale& scale, std::size_t index) { return scale.y(index) + scale.box_height() * 0.35; }
double height_of_spans(const Scale& scale) { return scale.box_height() * 0.65; }

std::string spans_of(const TimelineRow& row, std::size_t index, const Scale& scale) {
  const Time shortest = scale.shortest();
  std::string text;
  for (const TimelineRow::Span& span : row.spans) {
    if (span.end - span.begin < shortest) continue;
    const double x = scale.x(span.begin), wide = scale.x(span.end) - x;
    text += fmt::format("<rect class='{}' x='{:.2f}' y='{:.1f}' width='{:.2f}' height='{:.1f}'/>\n",
                        class_of(span.what), x, top_of_spans(scale, index), wide, height_of_spans(scale));
  }
  return text;
}

std::string names_and_numbers(const std::map<std::string, int>& calls) {
  std::string text;
  for (const auto& [name, number] : calls) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, number);
  return text;
}

// What a column's time went to, one upon the other.
std::string shares_of(const TimelineColumn& column, double x, std::size_t index, const Scale& scale) {
  using Share = std::pair<TimelineRow::What, double>;
  std::string text;
  double y = top_of_spans(scale, index);
  for (const auto& [what, share] :
       {Share{TimelineRow::What::computation, column.computation}, Share{TimelineRow::What::work, column.work},
        Share{TimelineRow::What::wait, column.wait}}) {
    if (share < least_share) continue;
    const double height = height_of_spans(scale) * share;
    text += fmt::format("<rect class='{}' x='{:.0f}' y='{:.2f}' width='{}' height='{:.2f}'/>\n", class_of(what), x, y,
                        narrowest, height);
    y += height;
  }
  return text;
}

// What is too narrow, under all that is not: paler the less of a column is in calls. Those of a column in which none
// begins have come from the one before.
std::string columns_of(const TimelineRow& row, std::size_t index, const Scale& scale) {
  const auto count = static_cast<std::size_t>(width / narrowest);
  const auto columns = columns_of_short(row, scale.end, count, scale.shortest());
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const TimelineColumn& column = columns[i];
    const double x = left + narrowest * static_cast<double>(i);
    if (column.in_calls >= least_share)
      text += fmt::format(
          "<rect class='k' x='{:.0f}' y='{:.1f}' width='{}' height='{:.1f}' fill-opacity='{:.2f}'><title>rank "
          "{}{}{}</title></rect>\n",
          x, scale.y(index), narrowest, scale.box_height(), column.in_calls, index, column.calls.empty() ? "" : ": ",
          names_and_numbers(column.calls));
    text += shares_of(column, x, index, scale);
  }
  return text;
}

// Where there is room for them.
std::string names_of_calls(const TimelineRow& row, std::size_t index, const Scale& scale) {
  constexpr double smallest_row = 16;
  std::string text;
  if (scale.row_height < smallest_row) return text;
  for (const TimelineRow::CallSpan& call : row.calls)
    if (scale.x(call.end) - scale.x(call.begin) > letter_width * static_cast<double>(call.name.size()) + 4)
      text += fmt::format("<text class='i' x='{:.2f}' y='{:.1f}'>{}</text>\n", scale.x(call.begin) + 2,
                          scale.y(index) + scale.box_height() * 0.33, call.name);
  return text;
}

std::string messages_between(const std::vector<TimelineMessage>& messages, const Scale& scale) {
  if (messages.empty() || messages.size() > messages_max) return {};
  constexpr double easily_seen = 200, faintest = 0.15;
  const double opacity = std::clamp(easily_seen / static_cast<double>(messages.size()), faintest, 1.0);
  std::string text = fmt::format("<g opacity='{:.2f}'>\n", opacity);
  for (const TimelineMessage& message : messages)
    text += fmt::format("<path class='m' d='M{:.2f} {:.1f}L{:.2f} {:.1f}'/>\n", scale.x(message.sent),
                        scale.y(static_cast<std::size_t>(message.sender)) + scale.box_height() / 2,
                        scale.x(message.received),
                        scale.y(static_cast<std::size_t>(message.receiver)) + scale.box_height() / 2);
  return text + "</g>\n";
}

}  // namespace

std::string timeline_svg(const std::string& title, const std::vector<TimelineRow>& rows,
                         const std::vector<TimelineMessage>& messages) {
  constexpr double tallest = 34, lowest = 11, together = 700;
  const double row_height = std::clamp(together / static_cast<double>(rows.size()), lowest, tallest);
  const Scale scale{end_of(rows), row_height};
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} {1:.0f}'>\n"
      "<style>text{{font:10px sans-serif;fill:#222}}.i{{font-size:9px}}.h{{font-size:13px}}"
      ".c{{fill:#009e73}}.k{{fill:#cfe6f5}}.l{{fill:#0072b2}}.w{{fill:#e69f00}}.n{{fill:#555}}"
      ".m{{stroke:#555;stroke-width:.5;fill:none}}.t{{stroke:#ccc;stroke-width:.5}}</style>\n"
      "<rect width='100%' height='100%' fill='#fff'/>\n<text class='h' x='{2:.0f}' y='19'>{3}</text>\n",
      left + width + right, scale.y(rows.size()) + bottom, left, title);
  text += legend() + axis(scale, rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    text += fmt::format("<text x='{:.0f}' y='{:.1f}' text-anchor='end'>rank {}</text>\n", left - 6,
                        scale.y(row) + scale.box_height() * 0.75, row);
    text += columns_of(rows[row], row, scale) + calls_of(rows[row], row, scale) + spans_of(rows[row], row, scale) +
            names_of_calls(rows[row], row, scale);
  }
  return text + messages_between(messages, scale) + "</svg>\n";
}

}  // namespace hindcast
