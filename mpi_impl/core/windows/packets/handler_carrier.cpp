// Packets that run a handler at their target.
#include <cstring>
#include <vector>

#include "mpi_impl/core/windows/packets/message_carrier.hpp"
#include "mpi_impl/core/windows/packets/work.hpp"
#include "mpi_impl/transport/target_handlers.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::mpi {

namespace {

void put_packet_together(const Packet& packet, const void* data, std::byte* message) {
  std::memcpy(message, &packet, sizeof packet);
  std::memset(message + sizeof packet, 0, packet.described);
  if (packet.bytes > 0) copy_bytes(message + sizeof packet + packet.described, data, packet.bytes);
}

}  // namespace

void PacketMessage::put_together(const Packet& packet, const void* data) {
  bytes_.resize(sizeof packet + packet.described + packet.bytes);
  put_packet_together(packet, data, bytes_.data());
}

namespace {

constexpr std::uint32_t number_of_window_packets = 1;
constexpr std::size_t short_max = 256;  // they need no memory of their own

class HandlerCarrier final : public PacketCarrier, private TargetHandler {
 public:
  HandlerCarrier(Process& process, TargetHandlers& handlers) : process_(process), handlers_(handlers) {
    handlers.set_handler(number_of_window_packets, *this);
  }

  void send(int to, const Packet& packet, const void* data) override {
    const std::size_t bytes = sizeof packet + packet.described + packet.bytes;
    if (bytes > short_max) {
      PacketMessage message;  // its own: the thread may give way, and replies be made meanwhile
      message.put_together(packet, data);
      return handlers_.send_to_handler(to, number_of_window_packets, message.data(), message.size());
    }
    alignas(16) std::byte message[short_max];
    put_packet_together(packet, data, message);
    handlers_.send_to_handler(to, number_of_window_packets, message, Bytes(bytes));
  }
  void reply(int to, const Packet& packet, const void* data, Time at) override {
    reply_.put_together(packet, data);
    if (packet.bytes == 0)
      handlers_.signal_to_handler(to, number_of_window_packets, reply_.data(), reply_.size(), at);
    else
      handlers_.reply_to_handler(to, number_of_window_packets, reply_.data(), reply_.size(), at);
  }

 private:
  HandlerWork work_on(const void* data, Bytes) const override {
    Packet packet;
    std::memcpy(&packet, data, sizeof packet);
    return cost_of_work_on(packet);
  }
  void handle(const HandledMessage& message) override {
    const auto* bytes = static_cast<const std::byte*>(message.data);
    Packet packet;
    std::memcpy(&packet, bytes, sizeof packet);
    mpi::work_on(process_, packet, bytes + sizeof packet + packet.described, {message.at, nullptr});
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
