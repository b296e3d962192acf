// What the functions that Fortran calls are made of. Fortran passes addresses, texts without an end and their lengths,
// and handles that are C's. Constants such as MPI_BOTTOM have the addresses that C has given them (constants.py).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "mpi_impl/api/entry.hpp"

namespace hindcast::mpi::fortran {

// Who calls by mpi_f08 need not ask for the error code.
inline void give(int* ierror, int code) {
  if (ierror != nullptr) *ierror = code;
}

// Those before a text are its own where it is a name or says what an error is.
enum class LeadingBlanks : std::uint8_t { left_out, kept };

// Without the blanks around it, and with an end.
class Text {
 public:
  Text(const char* begin, std::size_t length, LeadingBlanks leading = LeadingBlanks::left_out);
  const char* c_str() const { return text_.c_str(); }

 private:
  std::string text_;
};

// What an array of texts of one length holds, as C has it: every `step`th of them. A list of arguments ends at the
// first blank one.
class Texts {
 public:
  Texts(const char* begin, std::size_t length, int count, int step = 1);
  static Texts until_blank(const char* begin, std::size_t length, int step = 1);
  char** data() { return pointers_.data(); }

 private:
  std::vector<Text> texts_;
  std::vector<char*> pointers_;  // the last is null
};

// The longest that any call gives; error strings and names are shorter.
constexpr std::size_t longest_text = MPI_MAX_INFO_VAL;
// Blanks fill the rest; what does not fit is cut off.
void give_text(char* place, std::size_t length, const char* text);

// Addresses that MPI-1 keeps in default integers.
class Addresses {
 public:
  Addresses(const int* integers, int count);
  const MPI_Aint* data() const { return addresses_.data(); }

 private:
  std::vector<MPI_Aint> addresses_;
};

// Places in arrays.
inline void count_from_one(int* indices, int count) {
  for (int i = 0; i < count; ++i)
    if (indices[i] != MPI_UNDEFINED) ++indices[i];
}

}  // namespace hindcast::mpi::fortran
