// One node: the kernel's part of it, which is a message layer, what NX keeps of its process, and the calls that are
// made of several messages.
//
// Sending: the call's overhead; then the message processor reads the program's memory, and the message leaves without
// the processor. Receiving: the call's overhead; the message processor matches what arrives. What finds its receive
// goes straight to the program's memory. What comes before its receive goes to the system's buffer, and the call that
// ends the receive copies it out.
#pragma once

#include "mpi_impl/libraries/common/message_layer/node.hpp"
#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/nx/native/program.hpp"

namespace hindcast::nx {

// A program's messages are all in one context, which the layer gives to nobody.
constexpr std::uint32_t context_of_programs = UINT32_MAX;

class Node : public NativePart<Node>, public layer::Node {
 public:
  // The rank's `native` is this node from now on; `place` is where it is in the network. All nodes'
  // gsync goes by one context, which the layer has given.
  Node(layer::System& system, Rank& rank, int place, std::uint32_t context_of_gsync)
      : layer::Node(system, rank, place), context_of_gsync_(context_of_gsync) {
    attach(rank, *this);
  }
  ~Node() { detach(rank(), *this); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  static Node* of(const Rank& rank) { return native_part<Node>(rank); }

  Program& program() { return program_; }

  // On a thread of the rank's: returns when all nodes have called it.
  void gsync();

 private:
  std::uint32_t context_of_gsync_;
  Program program_;
};

}  // namespace hindcast::nx
