// A kind of node, or a sort of network, that another machine has already: `as = "ideal"` in a table stands for the keys
// of that machine's, with their values, kinds and sources. What the table says itself goes before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulator/machine/file/machine_file.hpp"

namespace hindcast {

// `sort` is the table's, "node" or "network"; `as` names a machine whose nodes are all alike, or, as "cluster.smp", one
// of its tables with names. The keys are the table's: "node.mine.poll". Throws MachineFileError if there is no such
// thing.
std::vector<Parameter> parameters_as(const NamedTable& table, const std::string& as);

}  // namespace hindcast
