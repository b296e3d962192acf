// Which rank runs on which node.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"

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

// Whether the host is a rank: the key mpi.host of the machine's file, for which the flag --host is short, which changes
// it. Throws std::invalid_argument if the machine has none.
bool runs_with_host(MachineFile& file, bool is_asked_for);
constexpr const char* host_flag_text = "with the machine's host, as rank 0: short for --set mpi.host=yes";
// The same of all ranks but the first, which the host is. Throws also if there are no others.
std::vector<int> place_ranks_beside_host(const std::string& map, int ranks, int nodes);

}  // namespace hindcast
