#include "mpi_impl/core/windows/packets/message_carrier.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "mpi_impl/core/windows/packets/work.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

void PacketMessage::put_together(const Packet& packet, const void* data) {
  size_ = Bytes(sizeof packet + packet.described + packet.bytes);
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(size_.count());
  std::memcpy(bytes_.get(), &packet, sizeof packet);
  std::byte* const described = bytes_.get() + sizeof packet;
  std::memset(described, 0, packet.described);
  if (packet.bytes > 0) copy_bytes(described + packet.described, data, packet.bytes);
}

MessageCarrier::MessageCarrier(Process& process) : Activity(*Thread::current()), process_(process) {
  serves_others_ = true;
  process.endpoint().serve_others(true);
  expect_packet();
  process.background.add(*this);
}

void MessageCarrier::stop() {
  Thread::current()->settle();
  process_.endpoint().cancel(receive_);
  process_.background.make_progress();
  for (; !under_way_.empty(); under_way_.pop_front()) {
    wait_for(process_, under_way_.front().send, *this);
    end_send(process_, under_way_.front().send);
  }
  process_.endpoint().serve_others(false);
}

BlockedOn MessageCarrier::describe() const { return {"MPI", "for what other ranks do to its windows", {}}; }

// --- sending ---

void MessageCarrier::send(int to, const Packet& packet, const void* data) {
  forget_now_and_then();
  const auto message = std::make_shared<PacketMessage>();
  Packet numbered = packet;
  numbered.data_tag = last_data_tag_ = last_data_tag_ % data_tag_max + 1;
  message->put_together(numbered, data);
  const std::size_t bytes = message->size().count();
  if (bytes <= in_one_message_max) return send_part(to, message, 0, bytes, packet_tag);
  send_part(to, message, 0, sizeof packet, packet_tag);
  for (std::size_t sent = sizeof packet; sent < bytes;) {
    const std::size_t next = std::min<std::size_t>(process_.longest_message.count(), bytes - sent);
    send_part(to, message, sent, next, numbered.data_tag);
    sent += next;
  }
}

void MessageCarrier::send_part(int to, const std::shared_ptr<const PacketMessage>& message, std::size_t begin,
                               std::size_t bytes, int tag) {
  Sent& sent = under_way_.emplace_back(message);
  SendOperation& send = sent.send;
  send.data = message->data() + begin;
  send.bytes = Bytes(bytes);
  send.envelope = {context, process_.world_rank(), tag};
  send.destination = to;
  process_.endpoint().send(send);
  sent.is_begun = true;
}

// Which of them are left takes memory, but no time: with more under way it looks less often.
void MessageCarrier::forget_now_and_then() {
  if (under_way_.size() < under_way_max_) return;
  forget_what_has_gone();
  under_way_max_ = std::max(under_way_anyway, 2 * under_way_.size());
}

void MessageCarrier::forget_what_has_gone() {
  const Time now = Thread::current()->clock();
  std::list<Sent> gone;  // by this thread alone, as others may come here while it gives way
  for (auto sent = under_way_.begin(); sent != under_way_.end();) {
    const auto next = std::next(sent);
    if (sent->is_begun && sent->send.holds_at(now)) gone.splice(gone.end(), under_way_, sent);
    sent = next;
  }
  for (Sent& sent : gone) end_send(process_, sent.send);
}

// --- receiving ---

void MessageCarrier::expect(std::byte* place, std::size_t bytes, int source, int tag) {
  new (&receive_) ReceiveOperation;
  receive_.is_nonblocking = true;
  receive_.data = place;
  receive_.capacity = Bytes(bytes);
  receive_.pattern = {context, source, tag};
  gate_.add(receive_);
  process_.endpoint().receive(receive_);
}

void MessageCarrier::expect_packet() {
  is_receiving_data_ = false;
  expect(first_, sizeof first_, Pattern::any, packet_tag);
}

// Data of a put go to the window themselves if they lie together there.
void MessageCarrier::expect_data() {
  const bool goes_straight = packet_.kind == PacketKind::put && packet_.lies_together;
  if (received_ == 0 && !goes_straight) data_.resize(packet_.described + packet_.bytes);
  place_ = goes_straight ? packet_.address : data_.data();
  const std::size_t left = packet_.described + packet_.bytes - received_;
  is_receiving_data_ = true;
  expect(place_ + received_, std::min<std::size_t>(left, process_.longest_message.count()), receive_.envelope.source,
         packet_.data_tag);
}

void MessageCarrier::end_receive() {
  process_.endpoint().finish(receive_);
  if (is_receiving_data_) {
    received_ += receive_.received().count();
  } else {
    std::memcpy(&packet_, first_, sizeof packet_);
    received_ = receive_.received().count() - sizeof packet_;
  }
}

void MessageCarrier::go_on() {
  if (receive_.cancelled) return end_.complete(Thread::current()->clock());
  end_receive();
  if (received_ < packet_.described + packet_.bytes) return expect_data();
  work_on_packet(is_receiving_data_ ? place_ : first_ + sizeof packet_);
  expect_packet();
}

void MessageCarrier::work_on_packet(const std::byte* data) {
  Thread& thread = *Thread::current();
  work_on(process_, packet_, data + packet_.described, {thread.clock(), &thread});
}

}  // namespace hindcast::mpi
