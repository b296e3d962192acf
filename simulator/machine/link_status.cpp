#include "simulator/machine/link_status.hpp"

namespace hindcast {

namespace {

bool is_entered_as_up(const MachineFile& file, const std::string& prefix) {
  const std::string key = prefix + ".status";
  return !file.has(key) || file.choice(key, {"up", "down"}) == "up";
}

bool falls_back(const MachineFile& file) {
  return file.has("machine.fallback") && file.choice("machine.fallback", {"none", "automatic"}) == "automatic";
}

}  // namespace

bool works(const MachineFile& file, const std::string& prefix) {
  const std::string key = prefix + ".works";
  return !file.has(key) || file.choice(key, {"yes", "no"}) == "yes";
}

bool is_taken(const MachineFile& file, const std::string& prefix) {
  const bool is_known_not_to_work = falls_back(file) && !works(file, prefix);
  return is_entered_as_up(file, prefix) && !is_known_not_to_work;
}

}  // namespace hindcast
