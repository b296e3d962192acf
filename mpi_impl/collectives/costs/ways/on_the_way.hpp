// What formulas say of each message on a way through a group of ranks, on which who waits for whom depends on more than
// the level of a tree or the round.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

namespace hindcast::mpi {

struct WhereOnTheWay {
  int ranks;  // whose data a message has: in a tree, those of the part at its lower end
  int steps;  // from a tree's root; or the rounds before this one
};

// May be null, and 0 then.
using OnTheWay = std::function<double(const WhereOnTheWay&)>;
inline double value_at(const OnTheWay& value, const WhereOnTheWay& where) { return value ? value(where) : 0; }

inline double latest(const std::vector<double>& times) { return *std::max_element(times.begin(), times.end()); }

}  // namespace hindcast::mpi
