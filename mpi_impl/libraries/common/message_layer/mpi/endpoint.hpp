// MPI on a message layer, which matches by the communicator's context, the source's rank in it and the tag. A message
// travels when it is sent, however long it is; a synchronous one asks for an acknowledgement.
#pragma once

#include <optional>

#include "mpi_impl/libraries/common/message_layer/node.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "mpi_impl/transport/local_costs.hpp"
#include "mpi_impl/transport/waiting_probes.hpp"

namespace hindcast::mpi {

// What MPI takes besides the layer's calls; none: no time.
struct LayerSettings {
  FixedStep send;
  std::optional<FixedStep> post;     // where a receive begins
  std::optional<FixedStep> receive;  // where it ends
  LocalCosts local;
};

class LayerEndpoint : public Endpoint, private layer::LibraryAbove {
 public:
  LayerEndpoint(layer::Node& node, const LayerSettings& settings)
      : Endpoint(settings.local), node_(node), settings_(settings) {
    node.tell_of_all_others(*this);
  }

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
  MessageId upcoming_message() const override { return node_.upcoming_message(); }

 private:
  void came_before_its_receive(const layer::Message& message) override;
  void recall_answered(void* send, bool was_in_time) override;
  void begin_receive();

  layer::Node& node_;
  const LayerSettings settings_;
  WaitingProbes probes_;
};

}  // namespace hindcast::mpi
