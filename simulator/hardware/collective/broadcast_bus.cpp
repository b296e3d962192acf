#include "simulator/hardware/collective/broadcast_bus.hpp"

#include <cassert>

namespace hindcast {

namespace {

// Our events carry nothing, or the transfer that has been delivered.
constexpr std::uint64_t arbitration = 0;

const StepKind waits_for_bus{"wait for the broadcast bus", ""};
const StepKind waits_for_receivers{"wait for the receivers of a broadcast", ""};

}  // namespace

void BroadcastBus::request(BusTransfer& transfer) {
  transfer.requested = engine_.now();
  auto place = waiting_.end();
  while (place != waiting_.begin() && (*std::prev(place))->requested == engine_.now() &&
         (*std::prev(place))->from > transfer.from)
    --place;
  waiting_.insert(place, &transfer);
  arbitrate();
}

// Who asks at this instant has asked when the hardware's events of it come.
void BroadcastBus::arbitrate() {
  if (granted_ != nullptr || waiting_.empty() || is_arbitrating_) return;
  is_arbitrating_ = true;
  engine_.at(engine_.now(), EventKind::hardware, owner_, *this, arbitration);
}

void BroadcastBus::fire(const Event& event) {
  if (event.data == arbitration) return grant();
  auto& transfer = *reinterpret_cast<BusTransfer*>(event.data);
  transfer.sink->delivered(transfer);
}

void BroadcastBus::grant() {
  is_arbitrating_ = false;
  granted_ = waiting_.front();
  waiting_.pop_front();
  granted_->granted = engine_.now();
  record(*granted_, waits_for_bus, granted_->requested, granted_->granted);
  granted_->sink->granted(*granted_);
}

void BroadcastBus::start(BusTransfer& transfer) {
  assert(&transfer == granted_ && transfer.bytes > transfer.slow_bytes);
  const Time now = engine_.now();
  const LineToBus* line = transfer.line;
  const Bandwidth pace = line != nullptr ? slower_of(bandwidth_, line->channel.bandwidth) : bandwidth_;
  const Bytes quick_bytes(transfer.bytes.count() - transfer.slow_bytes.count());
  const Time quickly = pace.time_for(quick_bytes);
  const Time slowly = slower_of(pace, transfer.slow_rate).time_for(transfer.slow_bytes);
  transfer.injected = now + quickly + slowly;
  const Time passed = transfer.injected + latency_;
  const Time delivery = line != nullptr ? passed + line->channel.latency : passed;
  record(transfer, waits_for_receivers, transfer.granted, now);
  record(transfer, pace == bandwidth_ ? bytes_ : line->bytes, now, transfer.injected, transfer.bytes.count());
  record(transfer, way_, transfer.injected, passed);
  if (line != nullptr) record(transfer, line->way, passed, delivery);
  engine_.at(delivery, EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(&transfer));
}

void BroadcastBus::release() {
  assert(granted_ != nullptr);
  granted_ = nullptr;
  arbitrate();
}

void BroadcastBus::record(const BusTransfer& transfer, const StepKind& kind, Time begin, Time end,
                          std::uint64_t amount) const {
  if (engine_.recorder() != nullptr && end > begin)
    engine_.recorder()->in_hardware(transfer.from, Step{&kind, transfer.message, begin, end, amount});
}

}  // namespace hindcast
