// What a parser of TOML does not say of text that it cannot read: that it was in the middle of a list there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hindcast {

// Nothing if no list is open at this place, which counts from 1.
std::string told_of_open_list(std::string_view text, std::uint32_t line, std::uint32_t column);

}  // namespace hindcast
