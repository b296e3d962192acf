#include "mpi_impl/libraries/mpich/mpi/mpl_channel.hpp"

#include <utility>

namespace hindcast::mpi {

namespace {

// Of records that are used again.
template <typename Record, typename... Arguments>
Record& take_record(std::deque<Record>& all, std::vector<Record*>& free, Arguments&&... arguments) {
  if (free.empty()) return all.emplace_back(std::forward<Arguments>(arguments)...);
  Record& record = *free.back();
  free.pop_back();
  return record;
}

}  // namespace

// --- sending ---

void MplChannel::send_control(int to, const ControlPacket& packet, const void* data, Bytes bytes) {
  const int task = task_of(to);
  mpl::Outgoing outgoing{task, {contexts_.control, node_.task(), 0}, data, bytes};
  outgoing.message = packet.message;
  outgoing.prefix.set(packet, header_);
  Completion sent;
  outgoing.sent = &sent;
  node_.send(outgoing);
  wait_for(sent, mpl::SendWait("MPID_SendControl", task));
}

// Types are shorter than numbers of messages; that two of one sender's that are under way are alike would take 2^31 of
// them.
matching::Key MplChannel::key_of_data(int from, MessageId message) const {
  constexpr MessageId type_bits = 0x7fffffff;
  return {contexts_.data, from, static_cast<std::int32_t>(message & type_bits)};
}

void MplChannel::send_channel(int to, MessageId message, const void* data, Bytes bytes, Completion& sent) {
  mpl::Outgoing outgoing{task_of(to), key_of_data(node_.task(), message), data, bytes, &sent};
  outgoing.message = message;
  node_.send(outgoing);
}

// --- receiving ---

bool MplChannel::is_control_available(const Wait& why) {
  node_.look(why);
  if (node_.find(any_control()) != nullptr) return true;
  Thread::current()->settle(&why);
  return node_.find(any_control()) != nullptr;
}

// What comes while the call begins is there when it has begun.
ControlMessage* MplChannel::receive_any_control(const Gate& gate, const Wait& why) {
  Thread& thread = *Thread::current();
  mpl::MessageReceive receive;
  node_.post(receive, any_control());
  if (!receive.over.is_known()) thread.settle(&why);
  Gate arrival(thread);
  arrival.add(receive.over);
  if (!arrival.is_open() && !gate.is_open()) thread.wait(why);
  if (!receive.over.is_known()) {
    node_.withdraw(receive);
    return nullptr;
  }
  thread.idle_until(receive.over.at(), why);
  node_.end_receive(receive.left_to_copy, receive.over.message);
  Control& control = take_record(controls_, free_controls_);
  control.carried = receive.message;
  control.packet = receive.message->prefix.get<ControlPacket>();
  control.data = receive.message->payload;
  return &control;
}

void MplChannel::free_control(ControlMessage& message) {
  auto& control = static_cast<Control&>(message);
  node_.system().free_message(*std::exchange(control.carried, nullptr));
  free_controls_.push_back(&control);
}

void MplChannel::receive_from_channel(int from, MessageId message, ChannelReceive& receive) {
  receive_data(from, message, &receive);
}

void MplChannel::receive_data(int from, MessageId message, ChannelReceive* receive) {
  Data& data = take_record(data_, free_data_, *this);
  data.receive = receive;
  node_.post(data, key_of_data(task_of(from), message));
}

void MplChannel::Data::take(mpl::Message& message, const Match& match) {
  ChannelReceive* const to = std::exchange(receive, nullptr);
  channel_.free_data_.push_back(this);
  if (to != nullptr) {
    to->left_to_copy = match.is_in_buffer ? message.payload_bytes : Bytes();
    to->land(message.payload, message.payload_bytes, match.at);
  }
  channel_.node_.system().free_message(message);
}

}  // namespace hindcast::mpi
