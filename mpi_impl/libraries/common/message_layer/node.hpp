// One node's end of a message layer: the lists of receives and of messages that have come before theirs, and what the
// calls of its process do.
//
// Sending: the call's work; then the hardware reads the program's memory, and the message leaves without the processor.
// Receiving: what arrives is matched without the processor. It goes to the program's memory or to the system's buffer
// (Costs::all_go_to_buffer), from which the call that ends the receive copies it.
#pragma once

#include <vector>

#include "mpi_impl/libraries/common/message_layer/system.hpp"
#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/unexpected.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::layer {

// A library on the layer, as its node tells it what happens. In handlers.
class LibraryAbove {
 public:
  // A message has come that no receive is posted for.
  virtual void came_before_its_receive(const Message& message) = 0;
  // A message waits for room at this node, which ends of receives make.
  virtual void room_is_short() {}
  // The answer to a recall with this note.
  virtual void recall_answered(void* /*note*/, bool /*was_in_time*/) {}

 protected:
  ~LibraryAbove() = default;
};

class Node {
 public:
  // `place` is where it is in the network.
  Node(System& system, Rank& rank, int place);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  System& system() { return system_; }
  const Costs& costs() const { return system_.costs(); }
  Rank& rank() { return rank_; }
  int number() const { return rank_.id; }
  int place() const { return place_; }
  // Who is told of messages in this context; without one, of those in all contexts that nobody else is told of.
  void tell(LibraryAbove& library, std::uint32_t context) { told_.push_back({context, &library}); }
  void tell_of_all_others(LibraryAbove& library) { told_of_others_ = &library; }

  // --- on the rank's threads ---

  // The number that the next send gets.
  MessageId upcoming_message() const { return message_id(rank_.id, messages_sent_ + 1); }
  // Takes the next number for a message that is going to be sent, so that other threads of the rank get others.
  MessageId take_number() { return message_id(rank_.id, ++messages_sent_); }
  // Returns at once, after what the call takes. The record is the message's for as long as it has the message's number.
  Message& send(const Outgoing& outgoing);
  // The same, and waits until the data has left.
  void send_and_wait(Outgoing outgoing, const Wait& why);
  // The program gets its memory back before the message has left, or does not want to know when it is acknowledged.
  void forget(Message& message);
  // Asks the receiver for the message back, if it may be. The library is told the answer, and nobody anything else. The
  // caller has settled.
  void recall(Message& message, void* note);
  static bool may_be_recalled(const Message& message) { return message.kind == MessageKind::data; }

  // Returns at once, after what the call takes.
  void post(Receive& receive, const matching::Key& pattern);
  // It has not taken a message.
  void withdraw(Receive& receive) { posted_.remove(receive); }
  // The first message of those which the pattern takes that have come before their receives, or null. That there is
  // none is known only to a thread that has settled.
  Message* find(const matching::Key& pattern) { return static_cast<Message*>(unexpected_.find(pattern)); }
  // It will not be found any more; a receive of its own takes it later.
  void set_aside(Message& message);
  void receive_set_aside(Message& message, Receive& receive);
  // After a receive has taken its message: what the call takes, null for the layer's own (Costs::receive), and the copy
  // of so many bytes of the message, which was sent with so many.
  virtual void end_receive(const FixedStep* call, Bytes left_to_copy, Bytes sent, MessageId message);
  void end_receive(Bytes left_to_copy, Bytes sent, MessageId message) {
    end_receive(nullptr, left_to_copy, sent, message);
  }

  // What a call costs that looks whether something has come; `why` is what for.
  void look(const Wait& why) { Thread::current()->spend(costs().probe.kind, costs().probe.cost, 0, 0, &why); }
  Message& wait_for_message(const matching::Key& pattern, const Wait& why);

  // --- in handlers ---

  void arrived(Message& message);
  // A message waits for room here.
  void room_is_short();
  void send_has_ended() { --open_sends_; }
  // Whether nothing that is under way points to this node's memory.
  bool is_at_rest() const { return open_sends_ == 0 && posted_.size() == 0; }

 protected:
  ~Node();

  // At its end: what nobody has received.
  void lose_what_has_come();

 private:
  struct Told {
    std::uint32_t context;
    LibraryAbove* library;
  };

  void match(Message& message);
  LibraryAbove* library_of(std::uint32_t context) const;
  void hand_over(Message& message, Receive& receive, Time at, bool was_waiting, EventOrder order);
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
  std::vector<Told> told_;
  LibraryAbove* told_of_others_ = nullptr;
};

}  // namespace hindcast::layer
