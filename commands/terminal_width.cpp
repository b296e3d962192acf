#include "commands/terminal_width.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <sstream>

namespace hindcast {

std::size_t width_of_output() {
  winsize size{};
  const bool is_terminal = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_terminal && size.ws_col > 0 ? size.ws_col : std::string::npos;
}

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  constexpr std::size_t least = 20;
  if (width < indent + least) return text;
  std::string lines;
  std::size_t used = 0;
  std::istringstream words(text);
  for (std::string word; words >> word; used += word.size() + 1) {
    if (used > 0 && indent + used + word.size() > width) {
      lines += "\n" + std::string(indent, ' ');
      used = 0;
    }
    lines += (used > 0 ? " " : "") + word;
  }
  return lines;
}

}  // namespace hindcast
