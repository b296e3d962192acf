// The channel on MPL. A control message is one of MPL's, received by mpc_brecv; data on the channel is another, by
// mpc_send and mpc_recv, whose type is the message's number.
#pragma once

#include <deque>
#include <vector>

#include "mpi_impl/libraries/mpich/mpi/channel.hpp"
#include "mpi_impl/libraries/mpl/native/node.hpp"

namespace hindcast::mpi {

class MplChannel final : public Channel {
 public:
  struct Contexts {
    std::uint32_t control;
    std::uint32_t data;
  };

  // `nodes` are those of all ranks, by their numbers; it may grow until the run begins.
  MplChannel(mpl::Node& node, const std::vector<mpl::Node*>& nodes, Contexts contexts, Bytes header)
      : node_(node), nodes_(nodes), contexts_(contexts), header_(header) {}

  MessageId upcoming_message() const override { return node_.upcoming_message(); }
  MessageId take_message_number() override { return node_.take_message_number(); }
  void send_control(int to, const ControlPacket& packet, const void* data, Bytes bytes) override;
  void send_channel(int to, MessageId message, const void* data, Bytes bytes, Completion& sent) override;
  void forget_sent(Completion& sent) override { node_.system().forget_sent(sent); }
  bool is_control_available(const Wait& why) override;
  ControlMessage* receive_any_control(const Gate& gate, const Wait& why) override;
  void free_control(ControlMessage& message) override;
  void receive_from_channel(int from, MessageId message, ChannelReceive& receive) override;
  void end_receive(ChannelReceive& receive, MessageId message) override {
    node_.end_receive(receive.left_to_copy, message);
  }
  void drop_from_channel(int from, MessageId message) override { receive_data(from, message, nullptr); }

 private:
  struct Control : ControlMessage {
    mpl::Message* carried = nullptr;  // null: the record is free
  };
  // Gives its place back when it has its message.
  class Data final : public mpl::Receive {
   public:
    explicit Data(MplChannel& channel) : channel_(channel) {}
    ChannelReceive* receive = nullptr;  // null: the data is thrown away

   private:
    void take(mpl::Message& message, const Match& match) override;
    MplChannel& channel_;
  };

  int task_of(int rank) const { return nodes_[static_cast<std::size_t>(rank)]->task(); }
  matching::Key any_control() const { return {contexts_.control, matching::Key::any, matching::Key::any}; }
  matching::Key key_of_data(int from, MessageId message) const;
  void receive_data(int from, MessageId message, ChannelReceive* receive);

  mpl::Node& node_;
  const std::vector<mpl::Node*>& nodes_;
  const Contexts contexts_;
  const Bytes header_;
  std::deque<Control> controls_;
  std::vector<Control*> free_controls_;
  std::deque<Data> data_;
  std::vector<Data*> free_data_;
};

}  // namespace hindcast::mpi
