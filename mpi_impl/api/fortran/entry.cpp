#include "mpi_impl/api/fortran/entry.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace hindcast::mpi::fortran {

Text::Text(const char* begin, std::size_t length) {
  const std::string_view given(begin, length);
  const std::size_t first = given.find_first_not_of(' ');
  if (first != std::string_view::npos) text_ = given.substr(first, given.find_last_not_of(' ') + 1 - first);
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
