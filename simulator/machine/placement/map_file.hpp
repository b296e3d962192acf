// --map FILE: a line for each rank, with the number of its node or, as SITE:NUMBER, one of a site's.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/placement/slots.hpp"

namespace hindcast {

bool is_map_file(const std::string& map);

// Throws std::invalid_argument if a line is wrong, or if there is not one for each rank.
std::vector<int> place_by_file(const std::string& path, int ranks, const Slots& slots);

}  // namespace hindcast
