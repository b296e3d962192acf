// One node: the kernel's lists of receives and of messages that have come before theirs, and the calls of its process.
//
// Sending: the call's overhead; then the message processor reads the program's memory, and the message leaves without
// the processor. Receiving: the call's overhead; the message processor matches what arrives. What finds its receive
// goes straight to the program's memory. What comes before its receive goes to the system's buffer, and the call that
// ends the receive copies it out.
#pragma once

#include <vector>

#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/common/waiting.hpp"
#include "mpi_impl/libraries/nx/native/program.hpp"
#include "mpi_impl/libraries/nx/native/system.hpp"
#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/unexpected.hpp"

namespace hindcast::nx {

// A library that is built on NX, as its node tells it what happens. In handlers.
class LibraryAbove {
 public:
  // A message has come that no receive is posted for.
  virtual void came_before_its_receive(const Message& message) = 0;
  // The answer to a recall with this note.
  virtual void recall_answered(void* note, bool was_in_time) = 0;

 protected:
  ~LibraryAbove() = default;
};

class Node : public NativePart<Node> {
 public:
  // The rank's `native` is this node from now on; `place` is where it is in the network.
  Node(System& system, Rank& rank, int place);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  static Node* of(const Rank& rank) { return native_part<Node>(rank); }

  System& system() { return system_; }
  const Costs& costs() const { return system_.costs(); }
  int number() const { return rank_.id; }
  int place() const { return place_; }
  Program& program() { return program_; }
  void set_library(LibraryAbove& library) { library_ = &library; }

  // --- on the rank's threads ---

  // The number that the next send gets.
  MessageId upcoming_message() const { return message_id(rank_.id, messages_sent_ + 1); }
  // Returns at once. The record is the message's for as long as it has the message's number.
  Message& send(const Outgoing& outgoing);
  // The program gets its memory back before the message has left, or does not want to know when it is acknowledged.
  void forget(Message& message);
  // Asks the receiver for the message back, if it may be. The library is told the answer, and nobody anything else. The
  // caller has settled.
  void recall(Message& message, void* note);
  static bool may_be_recalled(const Message& message) { return message.kind == MessageKind::data; }

  // Returns at once.
  void post(Receive& receive, const matching::Key& pattern);
  // It has not taken a message.
  void withdraw(Receive& receive) { posted_.remove(receive); }
  // The first message of those which the pattern takes that have come before their receives, or null.
  Message* find(const matching::Key& pattern) { return static_cast<Message*>(unexpected_.find(pattern)); }
  // It will not be found any more; a receive of its own takes it later.
  void set_aside(Message& message);
  void receive_set_aside(Message& message, Receive& receive);

  // What a call costs that looks whether something has come; `why` is what for.
  void look(const Wait& why) { Thread::current()->spend(costs().probe.kind, costs().probe.cost, 0, 0, &why); }
  Message& wait_for_message(const matching::Key& pattern, const Wait& why);
  void copy_out(Bytes bytes, MessageId message);
  // Returns when all nodes have called it.
  void gsync();

  // --- in handlers ---

  void arrived(Message& message);
  void send_has_ended() { --open_sends_; }
  // Whether nothing that is under way points to this node's memory.
  bool is_at_rest() const { return open_sends_ == 0 && posted_.size() == 0; }

 private:
  void match(Message& message);
  void hand_over(Message& message, Receive& receive, const Match& match, EventOrder order);
  void answer_recall(Message& recall);
  void recall_answered(Message& recall);
  void address(Message& message, int to, Bytes payload);
  void start(Message& message, Time at, EventOrder order);

  System& system_;
  Rank& rank_;
  const int place_;
  EventOwner owner_;
  std::uint64_t messages_sent_ = 0;
  int open_sends_ = 0;
  matching::PostedReceives posted_;
  matching::Unexpected unexpected_;
  std::vector<Thread*> probing_;  // threads that wait for a message without receiving it
  LibraryAbove* library_ = nullptr;
  Program program_;
};

}  // namespace hindcast::nx
