// MPL on one node: its lists of receives and of messages that have come before theirs, and what its calls do.
//
// Sending: the call's overhead, and that of the other protocol if the message is longer than a short one. A short
// message is in the adapter's memory when the call is over. A longer one the adapter reads from the program's memory.
// Receiving: the adapter writes what arrives for a posted receive to the program's memory, and what comes before its
// receive to the system's buffer, both without the processor. The call that ends the receive takes its overhead, and
// copies what lies in the system's buffer.
#pragma once

#include <vector>

#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/common/waiting.hpp"
#include "mpi_impl/libraries/mpl/native/requests.hpp"
#include "mpi_impl/libraries/mpl/native/system.hpp"
#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/unexpected.hpp"

namespace hindcast::mpl {

// Until a message has left.
class SendWait final : public Wait {
 public:
  SendWait(const char* call, int to) : call_(call), to_(to) {}
  BlockedOn describe() const override;

 private:
  const char* call_;
  int to_;  // a task
};

class Node : public NativePart<Node> {
 public:
  // `place` is where it is in the network.
  Node(System& system, Rank& rank, int place);
  ~Node() { detach(rank_, *this); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  static Node* of(const Rank& rank) { return native_part<Node>(rank); }

  System& system() { return system_; }
  const Costs& costs() const { return system_.costs(); }
  Rank& rank() { return rank_; }
  int place() const { return place_; }
  int task() const { return task_; }
  Requests& requests() { return requests_; }

  // --- on the rank's threads ---

  // The number that the next message gets.
  MessageId upcoming_message() const { return message_id(rank_.id, messages_sent_ + 1); }
  // For a library whose messages are made of several of MPL's.
  MessageId take_message_number() { return message_id(rank_.id, ++messages_sent_); }

  // Returns at once.
  void send(const Outgoing& outgoing);
  // The same, when the program may use its memory again.
  void send_and_wait(Outgoing outgoing, const Wait& why);

  // Returns at once.
  void post(Receive& receive, const matching::Key& pattern);
  // It has not taken a message.
  void withdraw(Receive& receive) { posted_.remove(receive); }
  // The first message of those which the pattern takes that have come before their receives, or null.
  const Message* find(const matching::Key& pattern) { return static_cast<const Message*>(unexpected_.find(pattern)); }
  // What is left for the processor to do once the message is there.
  void end_receive(Bytes left_to_copy, MessageId message);
  // Posts, waits and ends.
  void receive_and_wait(BufferReceive& receive, const matching::Key& pattern, const Wait& why);

  // What mpc_status takes, or another call that looks whether something has come; `why` is what for.
  void look(const Wait& why) { Thread::current()->spend(costs().status.kind, costs().status.cost, 0, 0, &why); }

  // In a handler.
  void arrived(Message& message);

 private:
  System& system_;
  Rank& rank_;
  const int place_;
  const int task_;
  std::uint64_t messages_sent_ = 0;
  matching::PostedReceives posted_;
  matching::Unexpected unexpected_;
  Requests requests_;
};

}  // namespace hindcast::mpl
