// Packets that run a handler at their target.
#include <cstring>
#include <vector>

#include "mpi_impl/core/windows/packets/message_carrier.hpp"
#include "mpi_impl/core/windows/packets/work.hpp"
#include "mpi_impl/transport/target_handlers.hpp"

namespace hindcast::mpi {

namespace {

constexpr std::uint32_t number_of_window_packets = 1;

class HandlerCarrier final : public PacketCarrier, private TargetHandler {
 public:
  HandlerCarrier(Process& process, TargetHandlers& handlers) : process_(process), handlers_(handlers) {
    handlers.set_handler(number_of_window_packets, *this);
  }

  void send(int to, const Packet& packet, const void* data) override {
    std::vector<std::byte> described;  // its own: the thread may give way, and replies be made meanwhile
    handlers_.send_to_handler(to, number_of_window_packets, parts_of(packet, data, described));
  }
  void reply(int to, const Packet& packet, const void* data, Time at) override {
    std::vector<std::byte> described;
    const TwoParts parts = parts_of(packet, data, described);
    if (packet.bytes == 0)
      handlers_.signal_to_handler(to, number_of_window_packets, parts, at);
    else
      handlers_.reply_to_handler(to, number_of_window_packets, parts, at);
  }

 private:
  // A packet whose target's type is described is put before the description first.
  static TwoParts parts_of(const Packet& packet, const void* data, std::vector<std::byte>& described) {
    if (packet.described == 0) return {&packet, Bytes(sizeof packet), data, Bytes(packet.bytes)};
    described.resize(sizeof packet + packet.described);
    std::memcpy(described.data(), &packet, sizeof packet);
    return {described.data(), Bytes(described.size()), data, Bytes(packet.bytes)};
  }

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
};

}  // namespace

std::unique_ptr<PacketCarrier> make_packet_carrier(Process& process) {
  if (TargetHandlers* handlers = process.endpoint().target_handlers())
    return std::make_unique<HandlerCarrier>(process, *handlers);
  return std::make_unique<MessageCarrier>(process);
}

}  // namespace hindcast::mpi
