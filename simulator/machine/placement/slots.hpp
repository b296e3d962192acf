// Where ranks may be put: each processor of a node is a slot for one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hindcast {

// Nodes of one kind, counted from where those before end. A site of several kinds has one of these for each.
struct SlotsOfSite {
  std::string name;  // the site's
  int nodes;
  int processors;  // of each
};

class Slots {
 public:
  // Nodes of one processor.
  Slots(int nodes) : Slots(std::vector<SlotsOfSite>{{"", nodes, 1}}) {}
  explicit Slots(std::vector<SlotsOfSite> sites) : sites_(std::move(sites)) {}

  const std::vector<SlotsOfSite>& sites() const { return sites_; }
  int nodes() const {
    int sum = 0;
    for (const SlotsOfSite& site : sites_) sum += site.nodes;
    return sum;
  }
  std::int64_t count() const {
    std::int64_t sum = 0;
    for (const SlotsOfSite& site : sites_) sum += std::int64_t{site.nodes} * site.processors;
    return sum;
  }
  bool are_several_a_node() const {
    for (const SlotsOfSite& site : sites_)
      if (site.processors > 1) return true;
    return false;
  }

 private:
  std::vector<SlotsOfSite> sites_;
};

}  // namespace hindcast
