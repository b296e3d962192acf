#include "commands/run/shorthands.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "mpi_impl/libraries/common/library.hpp"

namespace hindcast {

void add_shorthands(CLI::App& command, Shorthands& given) {
  for (const Library* library : libraries())
    for (const Shorthand& shorthand : library->shorthands)
      command.add_flag_callback(
          shorthand.option, [&given, option = shorthand.option] { given.push_back(option); }, shorthand.meaning);
}

void apply_shorthands(const Shorthands& given, MachineFile& file) {
  for (const Library* library : libraries())
    for (const Shorthand& shorthand : library->shorthands) {
      if (std::find(given.begin(), given.end(), shorthand.option) == given.end()) continue;
      if (!file.has(shorthand.key))
        throw std::invalid_argument(fmt::format("{}: {} {}", shorthand.option, file.name(), shorthand.missing));
      file.set(shorthand.key + "=" + shorthand.value);
    }
}

}  // namespace hindcast
