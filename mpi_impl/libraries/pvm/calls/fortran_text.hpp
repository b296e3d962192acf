// Texts as Fortran gives them: so many letters, and blanks to the end.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

inline std::string text_of(const char* letters, std::size_t length) {
  while (length > 0 && letters[length - 1] == ' ') --length;
  return {letters, length};
}

inline void give_text(const std::string& text, char* letters, std::size_t length) {
  std::memset(letters, ' ', length);
  std::memcpy(letters, text.data(), std::min(text.size(), length));
}

}  // namespace hindcast::pvm
