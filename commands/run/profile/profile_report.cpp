#include "commands/run/profile/profile_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

#include "simulator/machine/machine.hpp"

namespace hindcast {

namespace {

constexpr std::size_t profile_columns = 11;
using ProfileLine = std::array<std::string, profile_columns>;
ProfileLine profile_heads() {
  return {"",        "calls",         "time a rank",  "share",    "waiting", "mean",
          "longest", "least in rank", "most in rank", "messages", "bytes"};
}

// Three digits, or all that stand before the point.
std::string three_digits(double value) {
  constexpr double four_digits = 999.5;
  return value < four_digits ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

using Units = std::array<const char*, 5>;

std::string with_unit(double value, double step, const Units& units) {
  std::size_t unit = 0;
  for (; value >= step && unit + 1 < units.size(); ++unit) value /= step;
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string short_text(Time time) {
  if (time == Time()) return "0";
  return with_unit(static_cast<double>(time.in_ps()), 1e3, Units{"ps", "ns", "us", "ms", "s"});
}

std::string short_text(std::uint64_t bytes) {
  if (bytes == 0) return "0";
  return with_unit(static_cast<double>(bytes), 1024, Units{"B", "KiB", "MiB", "GiB", "TiB"});
}

std::string share_of(Time part, Time whole) {
  if (whole == Time()) return "";
  return fmt::format("{:.1f} %", 100 * part.in_seconds() / whole.in_seconds());
}

std::string of_rank(const std::pair<const int, Time>& rank) {
  return fmt::format("{} ({})", short_text(rank.second), rank.first);
}

Time a_part(Time time, std::uint64_t parts) { return Time::ps(time.in_ps() / static_cast<std::int64_t>(parts)); }

ProfileLine profile_line(const CallProfile::Row& row, const CallProfile& profile) {
  const auto by_time = [](const auto& one, const auto& other) { return one.second < other.second; };
  // A rank that has made no such call has been in none.
  std::map<int, Time> of_all = row.time_of_rank;
  for (const auto& [rank, time] : profile.time_of_rank()) of_all.try_emplace(rank);
  const auto [least, most] = std::minmax_element(of_all.begin(), of_all.end(), by_time);
  ProfileLine line = {row.name,
                      "",
                      short_text(a_part(row.time, of_all.size())),
                      share_of(row.time, profile.time()),
                      share_of(row.waits, row.time),
                      "",
                      "",
                      of_rank(*least),
                      of_rank(*most),
                      fmt::format("{}", row.messages),
                      short_text(row.bytes)};
  if (row.calls == 0) return line;
  line[1] = fmt::format("{}", row.calls);
  line[5] = short_text(a_part(row.time, row.calls));
  line[6] = short_text(row.longest);
  return line;
}

}  // namespace

std::string profile_table(const CallProfile& profile) {
  std::string without_time;
  std::vector<ProfileLine> lines = {profile_heads()};
  for (const CallProfile::Row& row : profile.rows())
    if (row.time != Time() || row.messages > 0)
      lines.push_back(profile_line(row, profile));
    else
      without_time += fmt::format("{} {} ({})", without_time.empty() ? "" : ",", row.name, row.calls);
  lines.push_back(profile_line(profile.outside(), profile));
  lines.back().front() = "outside of calls";
  std::array<std::size_t, profile_columns> widths{};
  for (const ProfileLine& line : lines)
    for (std::size_t i = 0; i < profile_columns; ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const ProfileLine& line : lines) {
    text += fmt::format("  {:<{}}", line.front(), widths.front());
    for (std::size_t i = 1; i < profile_columns; ++i) text += fmt::format("  {:>{}}", line[i], widths[i]);
    text += '\n';
  }
  if (!without_time.empty()) text += fmt::format("  calls that took no time:{}\n", without_time);
  return text;
}

traces::Sink& ProfileReport::begins(const MachineFile& machine, const std::vector<int>& nodes) {
  machine_ = machine.name();
  profile_.begin(nodes.size());
  return profile_;
}

int ProfileReport::ends(int status) {
  profile_.finish();
  const std::size_t ranks = profile_.time_of_rank().size();
  if (ranks == 0) return status;
  fmt::print(stderr, "hindcast: profile of {} rank{} on {}, {} each on the average{}\n{}", ranks, ranks == 1 ? "" : "s",
             machine_, short_text(a_part(profile_.time(), ranks)),
             profile_.threads() > ranks ? ", the times of its threads added" : "", profile_table(profile_));
  return status;
}

}  // namespace hindcast
