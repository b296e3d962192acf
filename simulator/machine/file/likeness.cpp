#include "simulator/machine/file/likeness.hpp"

#include <fmt/format.h>

#include "simulator/machine/file/machine_search.hpp"

namespace hindcast {

namespace {

// Of the other machine's tables.
std::string prefix_of(const std::string& sort, const std::string& kind) {
  if (!kind.empty()) return fmt::format("{}.{}.", sort, kind);
  return sort == "node" ? "processor." : "network.";
}

// Machines that are as each other would be read for ever.
class Reading {
 public:
  static MachineFile load(const std::string& machine) {
    const Reading reading;
    return load_machine(machine);
  }

 private:
  static constexpr int deepest = 3;

  Reading() {
    if (machines_being_read == deepest) throw MachineFileError("machines are as each other too often, or in a circle");
    ++machines_being_read;
  }
  ~Reading() { --machines_being_read; }

  static inline int machines_being_read = 0;
};

}  // namespace

std::vector<Parameter> parameters_as(const NamedTable& table, const std::string& as) {
  if (table.sort != "node" && table.sort != "network")
    throw MachineFileError("only a [[node]] or a [[network]] can be as another machine's");
  const std::size_t dot = as.find('.');
  const std::string machine = as.substr(0, dot);
  const std::string prefix = prefix_of(table.sort, dot != std::string::npos ? as.substr(dot + 1) : "");
  const MachineFile other = Reading::load(machine);
  std::vector<Parameter> found;
  for (const Parameter& parameter : other.parameters()) {
    // How a machine's one network lies stands with the machine.
    const bool is_topology = prefix == "network." && parameter.key == "machine.topology";
    if (!parameter.key.starts_with(prefix) && !is_topology) continue;
    Parameter& own = found.emplace_back(parameter);
    own.key = fmt::format("{}.{}", table.prefix(), parameter.key.substr(parameter.key.rfind('.') + 1));
    own.source =
        parameter.source.empty() ? fmt::format("as {}", machine) : fmt::format("as {}: {}", machine, parameter.source);
    own.is_asked_for = false;
  }
  if (found.empty())
    throw MachineFileError(
        fmt::format("'{}' has no [{}]{}", machine, prefix.substr(0, prefix.size() - 1),
                    dot != std::string::npos ? "" : fmt::format("; name one of several, as \"{}.NAME\"", machine)));
  return found;
}

}  // namespace hindcast
