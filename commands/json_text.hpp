// Text as JSON has it.
#pragma once

#include <string>
#include <string_view>

namespace hindcast {

// In quotes, with what cannot stand in them escaped.
std::string json_text(std::string_view text);

}  // namespace hindcast
