// Where a rank is in its program, to be told of later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace hindcast::programs {

class Loader;

// A file of a rank's, and an address in it.
using CodePlace = std::pair<std::string, std::uint64_t>;

// A place in a rank's program, or none. addr2line takes longer to tell of one than most calls take, so it is asked when
// somebody wants to know.
class ProgramPlace {
 public:
  using Texts = std::map<CodePlace, std::optional<std::string>>;

  ProgramPlace() = default;
  explicit ProgramPlace(Texts::value_type& known) : known_(&known) {}
  explicit operator bool() const { return known_ != nullptr; }
  // "main (prog.c:12)"; empty if there is none.
  const std::string& text() const;

 private:
  Texts::value_type* known_ = nullptr;
};

// Of a return address; none if it lies in no file of the rank's, or in Fortran's library.
ProgramPlace place_of_frame(const Loader& loader, std::size_t slot, const void* frame);

// Of the innermost return address of the calling rank that has one.
ProgramPlace place_of_caller();

}  // namespace hindcast::programs
