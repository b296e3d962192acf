// The way from each site to each other, over the links between sites: the one of the least latency, and among those the
// one of the fewest links. Found once for every pair.
#pragma once

#include <vector>

#include "simulator/hardware/network/wide_area.hpp"
#include "simulator/machine/site.hpp"

namespace hindcast {

class WaysBetweenSites {
 public:
  // Throws MachineFileError if a site cannot be reached from another.
  WaysBetweenSites(const MachineFile& file, const std::vector<Site>& sites);

  const std::vector<SiteLink>& links() const { return links_; }

  // A link in the direction that it is named, or against it.
  struct Directed {
    int link;
    bool down;
  };
  const std::vector<Directed>& way(int from_site, int to_site) const;
  WideWay wide_way(int from_site, int to_site) const;

 private:
  struct Way {
    Time latency = Time::never();
    std::vector<Directed> links;
  };
  Way& at(int from, int to) { return ways_[static_cast<std::size_t>(from * sites_ + to)]; }
  const Way& at(int from, int to) const { return ways_[static_cast<std::size_t>(from * sites_ + to)]; }
  void try_direct(int from, int to, Directed link);
  void try_by(int between);

  const int sites_;
  const std::vector<SiteLink> links_;
  std::vector<Way> ways_;
};

}  // namespace hindcast
