// What the libraries that a rank opens find there: what is defined by its program, by its own libraries, and by those
// that it has opened for all others (RTLD_GLOBAL).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/programs/load/patched_copy.hpp"
#include "simulator/programs/process/thread_variables.hpp"

namespace hindcast::programs {

class Loader;
class OpenedLibrary;

class RankScope {
 public:
  // Libraries come before those that need them.
  using Libraries = std::vector<std::unique_ptr<OpenedLibrary>>;

  RankScope(Loader& loader, std::size_t slot, const Libraries& opened)
      : loader_(loader), slot_(slot), opened_(opened) {}

  // The names that the rank's libraries have, and those by which the system's loader knows its copies of them.
  std::vector<Renaming> renamings() const;
  // The variable or function that a library gets before it looks into the libraries that it needs; null if there is
  // none.
  std::byte* address_of(const std::string& name) const;
  // Where the rank has what the system's loader has found at this address.
  std::byte* in_rank(std::byte* address) const;

  struct ThreadVariable {
    ThreadVariables* block;
    std::uint64_t offset;
  };
  std::optional<ThreadVariable> thread_variable(const std::string& name) const;
  // The variables to which the system's loader has given this number; null if they are not the rank's.
  ThreadVariables* thread_variables_of(std::size_t module) const;

 private:
  Loader& loader_;
  std::size_t slot_;
  const Libraries& opened_;
};

}  // namespace hindcast::programs
