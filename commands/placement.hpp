// Which rank runs on which node.
#pragma once

#include <string>
#include <vector>

namespace hindcast {

// `map` is one of
//   block, block:K    K consecutive ranks on each node (1 unless given)
//   cyclic:N          dealt out to N nodes in turn
//   reverse           the first rank on the last node of as many as there are ranks
//   random:SEED       one on each of as many nodes, shuffled; the same for the same seed
//   3,0,2             these nodes, one for each rank
// Throws std::invalid_argument if it is none of them, or asks for a node that is not there.
std::vector<int> place_ranks(const std::string& map, int ranks, int nodes);

}  // namespace hindcast
