// "did you mean ...?": the name that somebody who mistyped one probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hindcast {

// Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `names` if it is near enough to be meant; empty if none is.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace hindcast
