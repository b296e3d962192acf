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

// Throws std::invalid_argument if two ranks are on one node, and says why they cannot be.
void refuse_shared_nodes(const std::vector<int>& node_of_rank, const std::string& why);

// The same of all ranks but the first, which the machine's front end is, by the name that people know it by. Throws
// also if there are no others.
std::vector<int> place_ranks_beside_front_end(const std::string& map, int ranks, int nodes,
                                              const std::string& front_end);

}  // namespace hindcast
