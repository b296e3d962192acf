// Which rank runs on which node.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "simulator/machine/placement/slots.hpp"

namespace hindcast {

// Says how many ranks to put on a node. Whether a node can run several is for others to say.
class TooFewNodes : public std::invalid_argument {
 public:
  TooFewNodes(const std::string& fact, const std::string& advice, int most_alone, bool are_to_share_nodes = false)
      : std::invalid_argument(fact + "; " + advice),
        fact_(fact),
        most_alone_(most_alone),
        are_to_share_nodes_(are_to_share_nodes) {}

  const std::string& fact() const { return fact_; }  // without advice
  int most_alone() const { return most_alone_; }     // ranks, if each has a node of its own
  // Whether the placement puts several ranks on a node, however few there are.
  bool are_to_share_nodes() const { return are_to_share_nodes_; }

 private:
  std::string fact_;
  int most_alone_;
  bool are_to_share_nodes_;
};

// `map` is one of
//   slot              a rank on each processor of the first node, then of the next
//   node              a rank on each node, then a second where there is another processor, and so on
//   block, block:K    K consecutive ranks on each node (1 unless given), however many processors it has
//   cyclic:N          dealt out to N nodes in turn
//   reverse           the first rank on the last node of as many as there are ranks
//   random:SEED       one on each of as many nodes, shuffled; the same for the same seed
//   3,0,2             these nodes, one for each rank
//   a file's path     those that stand in it (map_file.hpp)
// Throws std::invalid_argument if it is none of them, asks for a node that is not there, or is `slot` or `node` and
// there are more ranks than slots.
std::vector<int> place_ranks(const std::string& map, int ranks, const Slots& slots);

// Where nobody says otherwise: `slot` if nodes have several processors, else `block`.
std::string usual_map(const Slots& slots);

// Throws std::invalid_argument if two ranks are on one node, and says why they cannot be, and what to do.
void refuse_shared_nodes(const std::vector<int>& node_of_rank, const std::string& why, const std::string& advice);

// The same of all ranks but the first, which the machine's front end is, by the name that people know it by. Throws
// also if there are no others.
std::vector<int> place_ranks_beside_front_end(const std::string& map, int ranks, const Slots& slots,
                                              const std::string& front_end);

}  // namespace hindcast
