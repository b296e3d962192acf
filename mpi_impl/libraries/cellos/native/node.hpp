// What there is once on a cell of the machine, for all processes that run on it: the system's buffers and the cache.
// Mostly that is one process.
#pragma once

#include <vector>

#include "mpi_impl/libraries/cellos/native/ring_buffer.hpp"
#include "mpi_impl/libraries/cellos/native/send_buffer.hpp"
#include "simulator/hardware/node/direct_mapped_cache.hpp"

namespace hindcast::cellos {

class Node {
 public:
  explicit Node(System& system);

  const std::vector<Cell*>& processes() const { return processes_; }
  void add(Cell& process) { processes_.push_back(&process); }

  // What the message controller, reading a broadcast's data, does not find in the cache.
  Bytes bytes_from_memory(const Broadcast& broadcast);
  // In handlers: there may be room in a buffer for what leaves the cell.
  void wake_those_without_send_room();

  RingBuffer ring;
  SendBuffer send_buffer;
  SendBuffer broadcast_buffer;
  SendBuffer host_buffer;  // for what goes to the host, by another net

 private:
  std::vector<Cell*> processes_;
  DirectMappedCache cache_;
  const void* last_source_ = nullptr;  // of the data that went through the cache last
  Bytes last_source_bytes_;
};

}  // namespace hindcast::cellos
