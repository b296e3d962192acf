// What every thread was doing when a run could not go on: told rank by rank, with the cycle of waits if there is one.
#pragma once

#include <string>
#include <vector>

#include "simulator/engine/engine.hpp"

namespace hindcast {

// Of a run that ended early. Lines without a final newline; at most `ranks_max` ranks are told one by one.
std::string report_of(const Engine& engine, Ending ending, std::size_t ranks_max = 64);

// Ranks each of which waits for the next one, and the last for the first; empty if there are none.
std::vector<int> cycle_of_waits(const Engine& engine);

// "12.345 us": simulated time for people.
std::string to_text(Time time);

}  // namespace hindcast
