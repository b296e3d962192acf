// Packets that run a handler at their target.
#include <cstring>
#include <vector>

#include "mpi_impl/core/windows/packets/message_carrier.hpp"
#include "mpi_impl/core/windows/packets/work.hpp"
#include "mpi_impl/transport/target_handlers.hpp"

namespace hindcast::mpi {

void PacketMessage::put_together(const Packet& packet, const void* data) {
  bytes_.resize(sizeof packet + packet.described + packet.bytes);
  std::memcpy(bytes_.data(), &packet, sizeof packet);
  std::memset(bytes_.data() + sizeof packet, 0, packet.described);
  if (packet.bytes > 0) std::memcpy(bytes_.data() + sizeof packet + packet.described, data, packet.bytes);
}

namespace {

constexpr std::uint32_t number_of_window_packets = 1;

class HandlerCarrier final : public PacketCarrier, private TargetHandler {
 public:
  HandlerCarrier(Process& process, TargetHandlers& handlers) : process_(process), handlers_(handlers) {
    handlers.set_handler(number_of_window_packets, *this);
  }

  void send(int to, const Packet& packet, const void* data) override {
    PacketMessage message;  // its own: the thread may give way, and replies be made meanwhile
    message.put_together(packet, data);
    handlers_.send_to_handler(to, number_of_window_packets, message.data(), message.size());
  }
  void reply(int to, const Packet& packet, const void* data, Time at) override {
    reply_.put_together(packet, data);
    handlers_.reply_to_handler(to, number_of_window_packets, reply_.data(), reply_.size(), at);
  }

 private:
  void handle(const HandledMessage& message) override {
    const auto* bytes = static_cast<const std::byte*>(message.data);
    Packet packet;
    std::memcpy(&packet, bytes, sizeof packet);
    work_on(process_, packet, bytes + sizeof packet + packet.described, {message.at, nullptr});
  }

  Process& process_;
  TargetHandlers& handlers_;
  PacketMessage reply_;
};

}  // namespace

std::unique_ptr<PacketCarrier> make_packet_carrier(Process& process) {
  if (TargetHandlers* handlers = process.endpoint().target_handlers())
    return std::make_unique<HandlerCarrier>(process, *handlers);
  return std::make_unique<MessageCarrier>(process);
}

}  // namespace hindcast::mpi
