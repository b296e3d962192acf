#include "mpi_impl/libraries/nexus/native/start_across_sites.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"
#include "simulator/machine/ways_between_sites.hpp"

namespace hindcast::nexus {

namespace {

// In the order of the first context on each.
std::vector<int> sites_of(const Machine& machine, const std::vector<int>& nodes) {
  std::vector<int> sites;
  for (const int node : nodes)
    if (const int site = machine.site_of(node); std::find(sites.begin(), sites.end(), site) == sites.end())
      sites.push_back(site);
  return sites;
}

}  // namespace

StartAcrossSites::StartAcrossSites(const Machine& machine, const std::vector<int>& nodes, bool is_taken)
    : is_taken_(is_taken) {
  const MachineFile& file = machine.parameters();
  const KeysOfChoice keys(file, is_taken);
  authentication_ = step_of(keys, "authentication at the sites", "start.authentication");
  creation_ = step_of(keys, "creation of the processes", "start.process_creation");
  const std::vector<int> sites = sites_of(machine, nodes);
  const std::string credentials = keys.choice("start.credentials", {"valid", "missing", "expired"});
  if (is_taken && credentials != "valid")
    file.refuse(
        "start.credentials",
        fmt::format("the credentials of whoever starts the program {}: {} would not let it in, and nothing has "
                    "been started",
                    credentials == "missing" ? "are missing" : "have expired", machine.site(sites.front()).name));
  ask(machine, sites, is_taken);
  if (!is_taken || sites.size() < 2) return;
  const WaysBetweenSites ways(file, read_sites(file));
  for (std::size_t i = 1; i < sites.size(); ++i) {
    const WideWay way = ways.wide_way(sites.front(), sites[i]);
    if (way.latency * 4 <= ways_.cost) continue;
    ways_ = {{"ways to the sites and back, at the start", texts_.keep(way.latency_key)}, way.latency * 4};
  }
}

// A machine's file says of each site what its I-POP does, or of none.
void StartAcrossSites::ask(const Machine& machine, const std::vector<int>& sites, bool is_taken) {
  const MachineFile& file = machine.parameters();
  for (const NamedTable& table : file.tables("site")) {
    const std::string key = table.prefix() + ".ipop";
    if (!file.has(key)) continue;
    const std::string does = file.choice(key, {"answers", "down", "refuses"});
    const bool is_asked =
        std::any_of(sites.begin(), sites.end(), [&](int site) { return machine.site(site).name == table.name; });
    if (!is_taken || !is_asked || does == "answers") continue;
    file.refuse(key, fmt::format("the I-POP of {} {}, and nothing has been started", table.name,
                                 does == "down" ? "does not answer" : "refuses whoever starts the program"));
  }
}

void StartAcrossSites::take_place() const {
  if (!is_taken_) return;
  Thread& thread = *Thread::current();
  for (const FixedStep* step : {&ways_, &authentication_, &creation_})
    if (step->cost > Time()) thread.spend(*step);
}

}  // namespace hindcast::nexus
