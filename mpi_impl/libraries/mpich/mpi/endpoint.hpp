// MPI as MPICH's device for channels has it. A message of up to so many bytes is one control message: the envelope, and
// the data in one piece with it, which each end copies. A longer one is two: a control message with the envelope, and
// the data on the channel, which goes from memory to memory if its receive has been posted when the envelope is looked
// at.
//
// The device matches, on the rank's threads, and only in calls that make progress: those look for control messages.
#pragma once

#include <unordered_map>

#include "mpi_impl/libraries/mpich/mpi/choices.hpp"
#include "mpi_impl/libraries/mpich/mpi/context_order.hpp"
#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/unexpected.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "mpi_impl/transport/waiting_probes.hpp"

namespace hindcast::mpi {

struct MpichSettings {
  FixedStep send;       // MPICH's own work in a send
  FixedStep receive;    // and in a receive
  StepKind copy_in;     // of data to be in one piece with its envelope
  StepKind copy_out;    // and out of that piece
  StepKind copy_aside;  // of what no receive is posted for
  Bytes in_one_max;     // the longest message that is one control message
  LocalCosts local;
};

class MpichEndpoint final : public Endpoint {
 public:
  // All outlive it.
  MpichEndpoint(Rank& rank, Channel& channel, const MpichSettings& settings)
      : Endpoint(settings.local), rank_(rank), channel_(channel), settings_(settings) {}

  bool works_off_stack(Bytes) const override { return false; }
  void expect_several_threads() override;
  void send(SendOperation& send) override;
  void receive(ReceiveOperation& receive) override;
  void wait(Gate& gate, const Wait& why) override;
  void wait_until(Time time, const Wait& why) override { Thread::current()->idle_until(time, why); }
  void poll(const Wait& why) override;
  void finish(SendOperation&) override {}
  void finish(ReceiveOperation& receive) override;
  bool probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) override;
  void forget_probe(Completion& completion) override { probes_.forget(completion); }
  bool take(const Pattern& pattern, TakenMessage& taken) override;
  void receive(ReceiveOperation& receive, const TakenMessage& taken) override;
  void cancel(SendOperation& send) override;
  void cancel(ReceiveOperation& receive) override;
  void release_buffer(SendOperation& send) override;
  bool is_at_rest() const override { return posted_.size() == 0 && awaiting_answer_.empty(); }
  // Outlives it.
  void ask(Choices& choices) { choices_ = &choices; }
  MessageId upcoming_message() const override { return channel_.upcoming_message(); }

 private:
  void send_in_one(SendOperation& send, const ControlPacket& packet);
  void send_in_two(SendOperation& send, const ControlPacket& packet);
  bool has_gone(int rank) const;
  void send_packet(int to, ControlPacketKind kind, MessageId message);
  void handle(ControlMessage& message);
  void messages_have_come(ControlMessage& message);
  void message_has_come(ControlMessage& message);
  void choose_for(std::uint32_t context);
  void match(ControlMessage& message, ReceiveOperation& receive);
  void try_to_cancel(const ControlPacket& question);
  void answered(const ControlPacket& answer);

  Rank& rank_;
  Channel& channel_;
  const MpichSettings& settings_;
  Choices* choices_ = nullptr;  // null: the program has made none
  ContextOrder order_;
  matching::PostedReceives posted_;
  matching::Unexpected unexpected_;
  WaitingProbes probes_;
  // Sends that an answer of their receiver's ends, by their messages.
  std::unordered_map<MessageId, SendOperation*> awaiting_answer_;
};

}  // namespace hindcast::mpi
