// A kind of node that a machine has: how many processors, what they take, and their way to the memory that they share.
#pragma once

#include <string>

#include "simulator/hardware/node/memory_port.hpp"
#include "simulator/hardware/node/processor.hpp"
#include "simulator/machine/file/keys_of_choice.hpp"

namespace hindcast {

struct NodeKind {
  std::string name;    // the machine's, if it has one kind without a name
  std::string prefix;  // of its keys: "node.thin", or "processor"
  int processors = 1;
  Processor processor;
  // Of several processors.
  Bandwidth memory_port_bandwidth;
  MemoryPort::Sharing memory_sharing = MemoryPort::Sharing::in_turn;
  Bytes memory_waits_from;  // shorter copies wait for nobody
  // Whether ranks take turns where there are more of them than processors, and how. Else each has a processor.
  bool takes_turns = false;
  Time time_slice;
  Time task_switch;
};

// What a processor takes, of a table of the file's.
Processor read_processor(const KeysOfChoice& keys, const std::string& table);

// Of [[node]], or of [processor] if there are none.
std::vector<NodeKind> read_node_kinds(const MachineFile& file);

}  // namespace hindcast
