#include "tests/machine/changed_machine.hpp"

#include <fstream>
#include <simgrid/s4u.hpp>
#include <sstream>
#include <stdexcept>

#include "simulator/machine/file/machine_search.hpp"

namespace sg = simgrid::s4u;

namespace hindcast::test {

MachineFile changed(const std::string& machine, const std::vector<std::string>& settings) {
  MachineFile file = load_machine(machine);
  for (const std::string& setting : settings) file.set(setting);
  return file;
}

MachineFile rewritten(const std::string& machine, const std::vector<Replacement>& replacements) {
  std::ifstream stream(load_machine(machine).path());
  std::ostringstream read;
  read << stream.rdbuf();
  std::string text = read.str();
  for (const Replacement& replacement : replacements) {
    const std::size_t at = text.find(replacement.from);
    if (at == std::string::npos) throw std::logic_error("not in the file: " + replacement.from);
    text.replace(at, replacement.from.size(), replacement.to);
  }
  return MachineFile::parse(text, "mine.toml");
}

Route route_to(const std::string& from, const std::string& to) {
  Route route;
  std::vector<sg::Link*> links;
  sg::Host::by_name(from)->route_to(sg::Host::by_name(to), links, &route.latency);
  for (const sg::Link* link : links) route.links.push_back(link->get_name());
  return route;
}

}  // namespace hindcast::test
