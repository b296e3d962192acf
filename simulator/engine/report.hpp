// What every thread was doing when a run could not go on: told rank by rank, with the cycle of waits if there is one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "simulator/engine/engine.hpp"

namespace hindcast {

// What the layers above know of a thread that waits, for people; nothing of what is not known.
struct KnownOfThreads {
  std::function<std::string(const Thread&)> place;  // in its program: "main (prog.c:12)"
  std::function<std::string(const Thread&)> call;   // of the program's, in which it waits: "MPI_Barrier"
};

// Of a run that ended early. Lines without a final newline; at most `ranks_max` ranks are told one by one.
std::string report_of(const Engine& engine, Ending ending, const KnownOfThreads& known = {},
                      std::size_t ranks_max = 64);

// Of a run in which threads look again and again for what does not come.
std::string warning_of_idle_polls(const Engine& engine);

// Ranks each of which waits for the next one, and the last for the first; empty if there are none.
std::vector<int> cycle_of_waits(const Engine& engine);

// "12.345 us": simulated time for people.
std::string to_text(Time time);

}  // namespace hindcast
