// What of a timeline's row is too short to be drawn by itself: how much of each column of the picture it takes.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "commands/run/timeline.hpp"

namespace hindcast {

// Of the column's width, the shares that short spans and short calls take.
struct TimelineColumn {
  double computation = 0;
  double work = 0;
  double wait = 0;
  double in_calls = 0;
  std::map<std::string, int> calls;  // that begin here: how many by name
};

// The row from the beginning to `end` in so many columns. By itself is drawn what takes `shortest` or longer.
std::vector<TimelineColumn> columns_of_short(const TimelineRow& row, Time end, std::size_t count, Time shortest);

}  // namespace hindcast
