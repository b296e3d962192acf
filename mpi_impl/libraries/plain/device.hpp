// MPI on a machine without peculiarities: the library matches, short messages travel when they are sent, and long ones
// when the receiver has said that their receive is posted.
#pragma once

#include <list>
#include <vector>

#include "mpi_impl/libraries/common/waiting_probes.hpp"
#include "mpi_impl/libraries/plain/message.hpp"
#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/unexpected.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::mpi {

class alignas(64) PlainDevice final : public Device {
 public:
  PlainDevice(PlainMachine& machine, Rank& rank, int node);

  void send(SendOperation& send) override;
  void receive(ReceiveOperation& receive) override;
  void wait(Gate& gate, const Wait& why) override;
  void wait_until(Time time, const Wait& why) override;
  void poll(const Wait& why) override;
  void finish(SendOperation& send) override;
  void finish(ReceiveOperation& receive) override;
  bool probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) override;
  void forget_probe(Completion& completion) override;
  bool take(const Pattern& pattern, TakenMessage& taken) override;
  void receive(ReceiveOperation& receive, const TakenMessage& taken) override;
  void cancel(SendOperation& send) override;
  void cancel(ReceiveOperation& receive) override;
  void release_buffer(SendOperation& send) override;
  MessageId upcoming_message() const override { return message_id(rank_number_, messages_sent_ + 1); }
  void read_clock() override { costs().local.spend_clock_read(); }
  void copy(Bytes bytes, MessageId message) override { costs().local.spend_copy(step_copy, bytes, message); }
  void combine(std::uint64_t operations) override { costs().local.spend_combine(operations); }

  // In a handler: a transfer to this rank has arrived.
  void arrived(Message& message);
  // It arrives soon, and the device is there itself.
  void fetch(const Message& message, const Thread& thread, FetchLevel level) const;

 private:
  const PlainCosts& costs() const { return machine_.costs(); }
  Thread& library_thread() { return rank_.main_thread(); }

  void make_progress(Thread& thread);
  void work_on(Message& message, Time start, Time end);
  void match(Message& message, Time start, Time end);
  bool is_eager(const SendOperation& send) const {
    return send.bytes <= costs().eager_limit && send.mode != SendMode::synchronous;
  }
  // Its payload is copied at once, into the record of the message.
  bool is_short(const SendOperation& send) const {
    return send.bytes.count() <= Message::short_bytes_max && is_eager(send);
  }
  // `order` is of what it starts; 0 is none yet.
  void accept(Message& message, ReceiveOperation& receive, Time at, bool was_unexpected, EventOrder order);
  void send_data(Message& clear, Time at);
  void try_to_cancel(Message& question, Time at);
  void answer_cancel(Message& answer, Time at);
  void start(Message& message, Time at, EventOrder order);
  void start_reply(Message& message, Time at);
  void address(Message& message, int to_rank, Bytes payload);

  PlainMachine& machine_;  // this and the first posted receives are what an arrival looks at
  matching::PostedReceives posted_;
  std::uint64_t messages_sent_ = 0;
  matching::Unexpected unexpected_;
  const int rank_number_;
  int node_;
  Rank& rank_;
  EventOwner owner_;
  std::vector<Message*> deferred_;  // arrived, and not yet worked on
  WaitingProbes probes_;
};

}  // namespace hindcast::mpi
