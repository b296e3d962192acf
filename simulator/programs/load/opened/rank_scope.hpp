// What a rank has for the libraries that it opens: what its program, the libraries of its own, and libraries that it
// has opened for all others (RTLD_GLOBAL) define.
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
  // What is needed comes before who needs it.
  using Libraries = std::vector<std::unique_ptr<OpenedLibrary>>;

  RankScope(Loader& loader, std::size_t slot, const Libraries& opened)
      : loader_(loader), slot_(slot), opened_(opened) {}

  // The names that the rank's libraries have, and those by which the system's loader knows its copies of them.
  std::vector<Renaming> renamings() const;
  // A variable or function that comes before what a library finds in the libraries that it needs; null if none does.
  std::byte* address_of(const std::string& name) const;
  // Of an address that the system's loader has found.
  std::byte* in_rank(std::byte* address) const;

  struct ThreadVariable {
    ThreadVariables* block;
    std::uint64_t offset;
  };
  std::optional<ThreadVariable> thread_variable(const std::string& name) const;
  // Those to which the system's loader has given a number; null if they are not the rank's.
  ThreadVariables* thread_variables_of(std::size_t module) const;

 private:
  Loader& loader_;
  std::size_t slot_;
  const Libraries& opened_;
};

}  // namespace hindcast::programs
