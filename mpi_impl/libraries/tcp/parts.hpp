// What is read from the file of a machine with TCP, and the networks that carry it. For this library and those that
// stand on it.
#pragma once

#include <deque>
#include <map>

#include "mpi_impl/libraries/common/link_failures.hpp"
#include "mpi_impl/libraries/common/memories_of_nodes.hpp"
#include "mpi_impl/libraries/tcp/native/host.hpp"
#include "simulator/machine/machine.hpp"

namespace hindcast::tcp {

// The hosts of a run. Between nodes of a site the site's network carries TCP, between sites the wide area, and between
// processes of a node its memory.
class Hosts {
 public:
  Hosts(Engine& engine, Machine& machine, const EndRun& end_run);

  Host& add(Rank& rank, int node);
  // What the processors of a node wait for at its memory; null if nobody else comes there.
  MemoryPort* memory_of(int node);

 private:
  Machine& machine_;
  KeptTexts texts_;
  MemoriesOfNodes memories_;
  const LinkFailures failures_;
  std::map<int, MemoryPort*> memory_ports_;  // by node
  System system_;
  std::deque<Host> hosts_;
};

}  // namespace hindcast::tcp
