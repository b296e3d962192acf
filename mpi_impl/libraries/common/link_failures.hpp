// Links between sites that fail in mid-run (`fails_at` of a [[link]]), or do not work from the beginning (`works`):
// what would come over one of them after that is lost, and ways stay as they are.
#pragma once

#include <map>
#include <utility>

#include "simulator/machine/machine.hpp"

namespace hindcast {

class LinkFailures {
 public:
  explicit LinkFailures(const Machine& machine);

  // Whether what comes from a node to another at this time is lost.
  bool lose(int from_node, int to_node, Time at) const;

 private:
  const Machine& machine_;
  std::map<std::pair<int, int>, Time> failing_;  // from when on, by the sites of ways that fail
};

}  // namespace hindcast
