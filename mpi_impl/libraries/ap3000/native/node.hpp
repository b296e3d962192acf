// One node's end of the message layer.
//
// Sending: the call's work; then the message controller reads the program's memory over the SBus. A call that blocks
// waits for that, so that it keeps the processor for as long as both take. Receiving: whatever arrives is written to
// the system's buffer, without the processor. The call that ends a receive does its work after that, copies the data to
// the program's memory, and the buffer has its room again.
#pragma once

#include "mpi_impl/libraries/ap3000/native/system.hpp"
#include "mpi_impl/libraries/common/message_layer/node.hpp"
#include "mpi_impl/libraries/common/native.hpp"

namespace hindcast::ap3000 {

class Node : public NativePart<Node>, public layer::Node {
 public:
  // `place` is where it is in the network.
  Node(System& system, Rank& rank, int place);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  static Node* of(const Rank& rank) { return native_part<Node>(rank); }

  using layer::Node::end_receive;
  void end_receive(const FixedStep* call, Bytes left_to_copy, Bytes sent, MessageId message) override;

  // Whether messages wait for room here.
  bool is_room_short() const { return buffer_.has_waiting(); }

 private:
  SystemBuffer& buffer_;
};

}  // namespace hindcast::ap3000
