// The channel on Nexus. A control message is a remote service request, whose handler enters it into the device's queue.
// Data on the channel is another, whose handler moves it to where it is to go, if that is known by then.
#pragma once

#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "mpi_impl/libraries/mpich/mpi/channel.hpp"
#include "mpi_impl/libraries/nexus/native/context.hpp"

namespace hindcast::mpi {

// To the context of another rank. They are made for all others when a rank first sends.
struct GlobalPointer {
  nexus::Method* method = nullptr;  // that Nexus chooses; null: it is the context itself
};

// What MPICH on Nexus takes besides MPICH and Nexus.
struct NexusChannelCosts {
  FixedStep rest;     // of the overhead whose mechanism nobody has named, for each control message
  FixedStep pointer;  // what it takes to make a global pointer to another rank
  RatedStep copy;     // of data that has come before its place was known
  Bytes header;       // MPICH's, in a control message
};

class NexusChannel final : public Channel {
 public:
  NexusChannel(nexus::Context& context, const NexusChannelCosts& costs);

  MessageId upcoming_message() const override { return context_.upcoming_message(); }
  MessageId take_message_number() override { return context_.take_message_number(); }
  void choose(const ChannelChoice& choice) override;
  void send_control(int to, const ControlPacket& packet, const void* data, Bytes bytes) override;
  void send_channel(int to, MessageId message, const void* data, Bytes bytes, Completion& sent) override;
  void forget_sent(Completion&) override {}  // nothing is left of a request that has been sent
  bool is_control_available(const Wait& why) override;
  ControlMessage* receive_any_control(const Gate& gate, const Wait& why) override;
  void free_control(ControlMessage& message) override;
  void receive_from_channel(int from, MessageId message, ChannelReceive& receive) override;
  void end_receive(ChannelReceive& receive, MessageId message) override;
  void drop_from_channel(int from, MessageId message) override;

 private:
  struct Control : ControlMessage {
    std::vector<std::byte> payload;
  };

  void request(nexus::Outgoing& outgoing, const Wait& why);
  void make_pointers();
  nexus::Method* method_for(int to) const;
  void control_has_come(nexus::Message& message);
  void data_has_come(nexus::Message& message);

  nexus::Context& context_;
  const NexusChannelCosts& costs_;
  std::vector<GlobalPointer> pointers_;  // by rank
  ChannelChoice choice_;
  std::map<nexus::Method*, int> usual_every_;  // of methods that a choice has changed
  const std::size_t of_control_, of_data_;     // handlers
  std::deque<Control> controls_;
  std::vector<Control*> free_controls_;
  std::deque<Control*> queue_;
  std::unordered_map<MessageId, ChannelReceive*> expected_;  // null: nobody wants the data
  std::unordered_map<MessageId, std::vector<std::byte>> early_;
};

}  // namespace hindcast::mpi
