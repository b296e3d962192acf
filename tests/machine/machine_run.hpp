// Transfers over the networks of a machine, run to the end in a child process.
#pragma once

#include <string>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "tests/hardware/traffic.hpp"

namespace hindcast::test {

// Which network of the machine a pair of nodes has.
Network& network_between(Machine& machine, int from, int to);

// Each transfer goes over the network that its nodes have. A thread wakes at `wakes`, which changes nothing.
std::vector<Sent> run_on(const MachineFile& file, std::vector<Sent> sent, const std::vector<Time>& wakes = {},
                         const Buffers& buffers = {});

}  // namespace hindcast::test
