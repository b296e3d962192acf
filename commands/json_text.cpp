#include "commands/json_text.hpp"

#include <fmt/format.h>

namespace hindcast {

std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\')
      quoted += fmt::format("\\{}", letter);
    else if (static_cast<unsigned char>(letter) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(letter));
    else
      quoted += letter;
  }
  return quoted + "\"";
}

}  // namespace hindcast
