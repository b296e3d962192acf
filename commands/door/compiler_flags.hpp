// What compiler wrappers add to what the user gives (docs/programs.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "commands/door/compiler.hpp"

namespace hindcast {

using Words = std::vector<std::string>;

class CompilerFlags {
 public:
  CompilerFlags(Language language, const std::string& compiler);

  std::string include_folder() const { return prefix_ / "include"; }
  std::string library_folder() const { return prefix_ / "lib"; }
  // Where -lstdc++ is the archive.
  std::string private_library_folder() const { return prefix_ / "lib" / "hindcast"; }

  Words to_compile() const;
  Words to_link_program(bool with_usual_linker = true) const;
  Words to_link_library() const;
  Words to_link_by_cmake() const;

 private:
  Words libraries() const;

  Language language_;
  bool is_gnu_;
  std::filesystem::path prefix_;
};

}  // namespace hindcast
