#include "simulator/machine/ways_between_sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace hindcast {

namespace {

// A connection of less than a byte in so long is slower than the simulator reckons with.
constexpr std::int64_t ps_per_byte_max = 4'000'000'000;

}  // namespace

WaysBetweenSites::WaysBetweenSites(const MachineFile& file, const std::vector<Site>& sites)
    : sites_(static_cast<int>(sites.size())), links_(read_site_links(file)), ways_(sites.size() * sites.size()) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    try_direct(links_[i].from, links_[i].to, {static_cast<int>(i), false});
    try_direct(links_[i].to, links_[i].from, {static_cast<int>(i), true});
  }
  for (int between = 0; between < sites_; ++between) try_by(between);
  for (int from = 0; from < sites_; ++from)
    for (int to = 0; to < sites_; ++to) {
      if (from == to) continue;
      if (at(from, to).links.empty())
        file.refuse(file.tables("site")[static_cast<std::size_t>(to)],
                    fmt::format("no [[link]] {}leads from site '{}' to it",
                                links_.size() < file.tables("link").size() ? "that is up " : "",
                                sites[static_cast<std::size_t>(from)].name));
      const WideWay way = wide_way(from, to);
      if (way.window > Bytes() &&
          2 * way.latency.in_ps() / ps_per_byte_max >= static_cast<std::int64_t>(way.window.count()))
        file.refuse(way.window_key, "less than 250 bytes a second: it is shorter than a round trip needs");
    }
}

void WaysBetweenSites::try_direct(int from, int to, Directed link) {
  const Time latency = links_[static_cast<std::size_t>(link.link)].latency;
  if (latency < at(from, to).latency) at(from, to) = {latency, {link}};
}

// Ways by sites that were tried before are known already.
void WaysBetweenSites::try_by(int between) {
  for (int from = 0; from < sites_; ++from)
    for (int to = 0; to < sites_; ++to) {
      const Way& first = at(from, between);
      const Way& second = at(between, to);
      if (from == to || from == between || to == between || first.links.empty() || second.links.empty()) continue;
      const Time latency = first.latency + second.latency;
      Way& known = at(from, to);
      const std::size_t links = first.links.size() + second.links.size();
      if (std::tuple(latency, links) >= std::tuple(known.latency, known.links.size())) continue;
      Way found{latency, first.links};
      found.links.insert(found.links.end(), second.links.begin(), second.links.end());
      known = std::move(found);
    }
}

const std::vector<WaysBetweenSites::Directed>& WaysBetweenSites::way(int from_site, int to_site) const {
  return at(from_site, to_site).links;
}

WideWay WaysBetweenSites::wide_way(int from_site, int to_site) const {
  WideWay way;
  Time longest;
  for (const Directed& directed : this->way(from_site, to_site)) {
    const SiteLink& link = links_[static_cast<std::size_t>(directed.link)];
    const bool is_first = way.latency_key.empty();
    way.latency += link.latency;
    if (is_first || link.latency > longest) way.latency_key = link.prefix + ".latency";
    longest = later_of(longest, link.latency);
    if (is_first || slower_of(link.bandwidth, way.bandwidth) != way.bandwidth) {
      way.bandwidth = link.bandwidth;
      way.bandwidth_key = link.prefix + ".bandwidth";
    }
    if (link.window > Bytes() && (way.window == Bytes() || link.window < way.window)) {
      way.window = link.window;
      way.window_key = link.prefix + ".window";
    }
  }
  return way;
}

}  // namespace hindcast
