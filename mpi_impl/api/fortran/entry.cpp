#include "mpi_impl/api/fortran/entry.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace hindcast::mpi::fortran {

Text::Text(const char* begin, std::size_t length, LeadingBlanks leading) {
  const std::string_view given(begin, length);
  const std::size_t end = given.find_last_not_of(' ') + 1;  // 0 if there are only blanks
  const std::size_t first = leading == LeadingBlanks::kept ? 0 : given.find_first_not_of(' ');
  if (end > 0) text_ = given.substr(first, end - first);
}

Texts::Texts(const char* begin, std::size_t length, int count, int step) {
  for (int i = 0; i < count; ++i) texts_.emplace_back(begin + static_cast<std::size_t>(i * step) * length, length);
  for (const Text& text : texts_) pointers_.push_back(const_cast<char*>(text.c_str()));
  pointers_.push_back(nullptr);
}

Texts Texts::until_blank(const char* begin, std::size_t length, int step) {
  const auto is_blank = [&](int i) {
    return std::string_view(begin + static_cast<std::size_t>(i * step) * length, length).find_first_not_of(' ') ==
           std::string_view::npos;
  };
  int count = 0;
  while (!is_blank(count)) ++count;
  return Texts(begin, length, count, step);
}

void give_text(char* place, std::size_t length, const char* text) {
  const std::size_t used = std::min(length, std::strlen(text));
  std::memcpy(place, text, used);
  std::memset(place + used, ' ', length - used);
}

Addresses::Addresses(const int* integers, int count) {
  if (count > 0) addresses_.assign(integers, integers + count);
}

}  // namespace hindcast::mpi::fortran
