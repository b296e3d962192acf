#include "mpi_impl/libraries/ap3000/native/node.hpp"

namespace hindcast::ap3000 {

Node::Node(System& system, Rank& rank, int place) : layer::Node(system, rank, place), buffer_(system.buffer_at(place)) {
  attach(rank, *this);
  buffer_.serve(&rank);
}

// What nobody has received makes room for what comes for others on this node.
Node::~Node() {
  lose_what_has_come();
  buffer_.serve(nullptr);
  detach(rank(), *this);
}

void Node::end_receive(const FixedStep* call, Bytes left_to_copy, Bytes sent, MessageId message) {
  layer::Node::end_receive(call, left_to_copy, sent, message);
  buffer_.release_now(*Thread::current(), costs().header + sent);
}

}  // namespace hindcast::ap3000
