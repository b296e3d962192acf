// Packets as ordinary messages. A rank with a window always has a receive for the next one posted; what it works on is
// an activity in the background, so that it goes on in every call that makes progress.
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/packets/carrier.hpp"

namespace hindcast::mpi {

// A packet, the room that the description of its type takes, and its data.
class PacketMessage {
 public:
  void put_together(const Packet& packet, const void* data);
  const std::byte* data() const { return bytes_.get(); }
  Bytes size() const { return size_; }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  Bytes size_;
};

class MessageCarrier final : public PacketCarrier, private Activity, private Wait {
 public:
  explicit MessageCarrier(Process& process);

  void send(int to, const Packet& packet, const void* data) override;
  void reply(int to, const Packet& packet, const void* data, Time) override { send(to, packet, data); }
  void stop() override;

 private:
  // What is longer follows its packet in messages of its own, for which there is no room before they are expected.
  static constexpr std::size_t in_one_message_max = 1024;
  static constexpr std::size_t under_way_anyway = 16;
  // Data have tags of their own, as those of several threads may go at once. Higher ones are those of ports.
  static constexpr int packet_tag = 0;
  static constexpr int data_tag_max = 0x1fff;

  // Those of a window may be of several worlds, so it is one of the first world's, in which all receive.
  static constexpr std::uint32_t context = Process::context_of_first_world + 3;

  Time round_is_over_at() const override { return receive_.is_known() ? receive_.at() : Time::never(); }
  void go_on() override;
  BlockedOn describe() const override;

  struct Sent {
    explicit Sent(std::shared_ptr<const PacketMessage> of) : message(std::move(of)) {}
    const std::shared_ptr<const PacketMessage> message;
    SendOperation send;
    bool is_begun = false;  // the thread that has begun it looks at it no more
  };
  void send_part(int to, const std::shared_ptr<const PacketMessage>& message, std::size_t begin, std::size_t bytes,
                 int tag);
  void forget_what_has_gone();
  void forget_now_and_then();
  void expect(std::byte* place, std::size_t bytes, int source, int tag);
  void expect_packet();
  void expect_data();
  void end_receive();
  void work_on_packet(const std::byte* data);

  Process& process_;
  int last_data_tag_ = 0;
  std::list<Sent> under_way_;
  std::size_t under_way_max_ = under_way_anyway;  // before it looks which have gone
  ReceiveOperation receive_;
  alignas(16) std::byte first_[in_one_message_max];  // a packet, and its data if they are short
  Packet packet_;
  std::vector<std::byte> data_;  // of a long one
  std::byte* place_ = nullptr;   // where they go
  std::size_t received_ = 0;     // of them
  bool is_receiving_data_ = false;
};

}  // namespace hindcast::mpi
