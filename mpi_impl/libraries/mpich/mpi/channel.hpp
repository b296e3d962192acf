// The channel interface of MPICH: the few functions that its device for channels is built on, which move control
// messages and data between two ranks. Their names are those of the interface; what each takes is the channel's.
//
// A control message has a packet, and may have data in one piece with it. Other data goes by itself, on the channel,
// and the receiver says where to before or after it has come.
#pragma once

#include "mpi_impl/matching/index.hpp"
#include "mpi_impl/transport/operation.hpp"
#include "simulator/engine/thread.hpp"

namespace hindcast::mpi {

enum class ControlPacketKind : std::uint8_t {
  with_data,  // a message's envelope, and its data in one piece with it
  envelope,   // a message's envelope: its data is on the channel
  matched,    // a receive has taken the message, which its sender wants to know
  cancel,     // asks for a message back
  cancelled,  // it has been taken back
  too_late    // it has not
};

// What travels in a control message besides data. On the wire it has the machine's mpi.header_bytes.
struct ControlPacket {
  ControlPacketKind kind;
  bool is_answered = false;  // by a packet `matched`
  std::int32_t from = 0;     // a rank of the engine's
  Envelope envelope;
  std::uint64_t bytes = 0;  // of the message's data
  MessageId message = 0;    // of whose message it is, or which it answers
  std::uint32_t place = 0;  // of a message: its number among those of its sender in its context
};

// One that has come, from when it is received until it is freed.
struct ControlMessage : matching::Item {
  ControlPacket packet;
  const void* data = nullptr;  // in one piece with the packet
};

// Where data goes that comes on a channel.
class ChannelReceive {
 public:
  // In a handler, or by the thread that begins to receive: the payload is the channel's again when this returns.
  virtual void land(const void* payload, Bytes bytes, Time at) = 0;

  Bytes left_to_copy;  // by the processor, at the end: what came before it was received
  bool is_begun = false;

 protected:
  ~ChannelReceive() = default;
};

// What a program has chosen for the messages of a communicator, where the channel has a choice.
struct ChannelChoice {
  const char* method = nullptr;      // null: the channel chooses
  Bytes buffer;                      // of connections; none: the usual one
  int tcp_every = 0, mpl_every = 0;  // how often these are polled; 0: as usual
};

// One rank's end. All but handlers are called on the rank's threads, and charge them what they take.
class Channel {
 public:
  virtual ~Channel() = default;
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // The number of the next message, of all that the rank sends by the channel or what it stands on.
  virtual MessageId upcoming_message() const = 0;
  virtual MessageId take_message_number() = 0;

  // For what is sent from now on, and for polls.
  virtual void choose(const ChannelChoice&) {}

  // MPID_SendControl: returns when the data is not needed any more.
  virtual void send_control(int to, const ControlPacket& packet, const void* data, Bytes bytes) = 0;
  // MPID_SendChannel: data of this message. `sent` completes when the data is not needed any more.
  virtual void send_channel(int to, MessageId message, const void* data, Bytes bytes, Completion& sent) = 0;
  // The data is handed back before: what is left is captured, and nobody told.
  virtual void forget_sent(Completion& sent) = 0;

  // MPID_ControlMsgAvail: looks once whether a control message has come by the end of the look.
  virtual bool is_control_available(const Wait& why) = 0;
  // MPID_RecvAnyControl: waits for the first that comes. Null: the gate has opened, or the thread was woken for
  // something else. The thread has settled.
  virtual ControlMessage* receive_any_control(const Gate& gate, const Wait& why) = 0;
  virtual void free_control(ControlMessage& message) = 0;

  // MPID_RecvFromChannel: the data of a message, from a rank. Returns at once.
  virtual void receive_from_channel(int from, MessageId message, ChannelReceive& receive) = 0;
  // Once it has landed: what is left to do.
  virtual void end_receive(ChannelReceive& receive, MessageId message) = 0;
  // The data of a message that nobody will receive.
  virtual void drop_from_channel(int from, MessageId message) = 0;
};

}  // namespace hindcast::mpi
