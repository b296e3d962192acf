// MPI/AP: the layer matches, by the communicator's context, the source's rank in it and the tag. A message travels when
// it is sent, however long it is; a synchronous one asks for an acknowledgement.
#pragma once

#include "mpi_impl/libraries/ap3000/mpi/group_operations.hpp"
#include "mpi_impl/libraries/ap3000/native/node.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "mpi_impl/transport/local_costs.hpp"
#include "mpi_impl/transport/waiting_probes.hpp"

namespace hindcast::mpi {

// What MPI takes besides the layer's calls.
struct Ap3000Settings {
  FixedStep at_sender;
  FixedStep at_receiver;
  Ap3000GroupOperations::Costs in_collectives;
  LocalCosts local;
};

class Ap3000Endpoint final : public Endpoint, private ap3000::LibraryAbove {
 public:
  Ap3000Endpoint(ap3000::Node& node, const Ap3000Settings& settings)
      : Endpoint(settings.local), node_(node), settings_(settings), group_operations_(settings.in_collectives) {
    node.tell_of_all_others(*this);
  }

  GroupOperations* group_operations() override { return &group_operations_; }
  void send(SendOperation& send) override;
  void receive(ReceiveOperation& receive) override;
  void wait(Gate& gate, const Wait& why) override { gate.pass(why); }
  void wait_until(Time time, const Wait& why) override { Thread::current()->idle_until(time, why); }
  void poll(const Wait& why) override { node_.look(why); }
  void finish(SendOperation&) override {}
  void finish(ReceiveOperation& receive) override;
  bool probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) override;
  void forget_probe(Completion& completion) override { probes_.forget(completion); }
  bool take(const Pattern& pattern, TakenMessage& taken) override;
  void receive(ReceiveOperation& receive, const TakenMessage& taken) override;
  void cancel(SendOperation& send) override;
  void cancel(ReceiveOperation& receive) override;
  void release_buffer(SendOperation& send) override;
  bool is_at_rest() const override { return node_.is_at_rest(); }
  Bytes longest_message() const override { return node_.system().longest_message(); }
  const char* why_no_longer_message() const override { return "ap3000.system_buffer less ap3000.header_bytes"; }
  MessageId upcoming_message() const override { return node_.upcoming_message(); }

 private:
  void came_before_its_receive(const ap3000::Message& message) override;
  void recall_answered(void* send, bool was_in_time) override;

  ap3000::Node& node_;
  const Ap3000Settings settings_;
  Ap3000GroupOperations group_operations_;
  WaitingProbes probes_;
};

}  // namespace hindcast::mpi
