#include "mpi_impl/libraries/cellos/native/node.hpp"

#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

Node::Node(System& system)
    : ring(system, *this),
      send_buffer(system.costs().send_buffer),
      broadcast_buffer(system.costs().send_buffer),
      host_buffer(system.costs().send_buffer),
      cache_(system.costs().cache, system.costs().cache_line) {}

// Data that has not just been sent has just been written by the program, from its beginning to its end.
Bytes Node::bytes_from_memory(const Broadcast& broadcast) {
  const bool is_new = broadcast.source != last_source_ || broadcast.payload_bytes != last_source_bytes_;
  if (is_new) cache_.pass_over(broadcast.source, broadcast.payload_bytes);
  last_source_ = broadcast.source;
  last_source_bytes_ = broadcast.payload_bytes;
  return cache_.pass_over(broadcast.source, broadcast.payload_bytes);
}

void Node::wake_those_without_send_room() {
  for (Cell* process : processes_) process->wake_if_without_send_room();
}

}  // namespace hindcast::cellos
