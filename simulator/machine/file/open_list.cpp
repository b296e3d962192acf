#include "simulator/machine/file/open_list.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace hindcast {

namespace {

struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  bool operator<(const Place& other) const { return std::pair(line, column) < std::pair(other.line, other.column); }
};

struct Open {
  char bracket;
  Place at;
  bool is_first_on_line;
};

// Goes through the text up to a place, and keeps what has been opened and not closed.
class Brackets {
 public:
  explicit Brackets(Place until) : until_(until) {}

  void read(std::string_view text) {
    for (const char c : text) {
      if (!(at_ < until_)) return;
      read(c);
      at_ = c == '\n' ? Place{at_.line + 1, 1} : Place{at_.line, at_.column + 1};
    }
  }
  // What a line begins with is a table's header, unless something is open from a line before.
  const Open* innermost_of_a_value() const {
    return open_.empty() || open_.front().is_first_on_line ? nullptr : &open_.back();
  }

 private:
  void read(char c) {
    const bool is_first_on_line = std::exchange(is_line_blank_, c == '\n' || (is_line_blank_ && c == ' '));
    if (c == '\n') {
      is_in_comment_ = false;
      quote_ = '\0';
    } else if (is_in_comment_) {
      return;
    } else if (quote_ != '\0') {
      const bool is_end = c == quote_ && !is_escaped_;
      is_escaped_ = c == '\\' && quote_ == '"' && !is_escaped_;
      if (is_end) quote_ = '\0';
    } else if (c == '"' || c == '\'') {
      quote_ = c;
    } else if (c == '#') {
      is_in_comment_ = true;
    } else if (c == '[' || c == '{') {
      open_.push_back({c, at_, is_first_on_line});
    } else if ((c == ']' || c == '}') && !open_.empty()) {
      open_.pop_back();
    }
  }

  const Place until_;
  Place at_;
  std::vector<Open> open_;
  char quote_ = '\0';
  bool is_escaped_ = false;
  bool is_in_comment_ = false;
  bool is_line_blank_ = true;  // so far
};

}  // namespace

std::string told_of_open_list(std::string_view text, std::uint32_t line, std::uint32_t column) {
  Brackets brackets({line, column});
  brackets.read(text);
  const Open* open = brackets.innermost_of_a_value();
  if (open == nullptr || open->bracket != '[') return {};
  return fmt::format("; the list that begins at {}:{} is still open here: is its ] missing?", open->at.line,
                     open->at.column);
}

}  // namespace hindcast
