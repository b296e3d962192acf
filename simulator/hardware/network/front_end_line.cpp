#include "simulator/hardware/network/front_end_line.hpp"

#include <fmt/format.h>

namespace hindcast {

FrontEndLine::FrontEndLine(Engine& engine, BroadcastBus& bus, const Channel& line, const std::string& table)
    : engine_(engine),
      bus_(bus),
      line_{line,
            {fmt::format("bytes on the {}'s line", table), table + ".line_bandwidth"},
            {fmt::format("way along the {}'s line", table), table + ".line_latency"}},
      waits_for_line_{fmt::format("wait for the {}'s line", table), ""} {}

void FrontEndLine::submit(Transfer& transfer) {
  transfer.since = engine_.now();
  Sender& sender = senders_[transfer.from];
  const bool is_only = sender.waiting.empty();
  sender.waiting.push(transfer);
  if (is_only) try_to_enter(sender);
}

void FrontEndLine::try_to_enter(Sender& sender) {
  Transfer& transfer = sender.waiting.front();
  const Time now = engine_.now();
  if (engine_.recorder() != nullptr && now > transfer.since)
    engine_.recorder()->in_hardware(transfer.from, Step{&waits_for_line_, transfer.message, transfer.since, now});
  if (transfer.room == nullptr || transfer.room->take(transfer, *this)) enter(sender);
}

void FrontEndLine::admit(Transfer& transfer) { enter(senders_.at(transfer.from)); }

void FrontEndLine::enter(Sender& sender) {
  const Transfer& transfer = sender.waiting.front();
  sender.from = transfer.from;
  sender.bytes = transfer.bytes;
  sender.message = transfer.message;
  sender.sink = this;
  sender.line = &line_;
  bus_.request(sender);
}

void FrontEndLine::granted(BusTransfer& turn) {
  bus_.start(turn);
  Transfer& transfer = static_cast<Sender&>(turn).waiting.front();
  transfer.since = engine_.now();
  transfer.injected = turn.injected;
  transfer.sink->entered(transfer);
}

void FrontEndLine::delivered(BusTransfer& turn) {
  auto& sender = static_cast<Sender&>(turn);
  Transfer& transfer = sender.waiting.pop();
  bus_.release();
  if (!sender.waiting.empty()) try_to_enter(sender);
  transfer.sink->arrived(transfer);
}

}  // namespace hindcast
