#include "mpi_impl/libraries/pvm/native/daemons.hpp"

#include <algorithm>

namespace hindcast::pvm {

namespace {

constexpr StepKind daemons_work{"daemon's work on a fragment", "pvm.fragment_work"};

}  // namespace

void Daemons::carry(int from, int to, Bytes bytes, Deed done, std::optional<Bytes> fragment_max) {
  const std::uint64_t most = fragment_max.value_or(costs_.fragment).count();
  const std::uint64_t fragments = std::max<std::uint64_t>(1, (bytes.count() + most - 1) / most);
  auto* shipment = new Shipment{from, to, fragments, std::move(done)};
  std::uint64_t left = bytes.count();
  for (std::uint64_t i = 0; i < fragments; ++i) {
    auto* fragment = new Fragment;
    fragment->shipment = shipment;
    fragment->from = daemons_[static_cast<std::size_t>(from)].node;
    fragment->to = daemons_[static_cast<std::size_t>(to)].node;
    fragment->bytes = costs_.fragment_header + Bytes(std::min(left, most));
    fragment->sink = this;
    left -= std::min(left, most);
    agenda_.at(work(from, fragment->bytes), [this, fragment] { send_on(*fragment); });
  }
}

Time Daemons::work(int host, Bytes bytes) {
  Daemon& daemon = daemons_[static_cast<std::size_t>(host)];
  const Time begin = later_of(engine_.now(), daemon.free_at);
  daemon.free_at = begin + costs_.fragment_work + costs_.fragment_copy.time_for(bytes);
  if (Recorder* recorder = engine_.recorder())
    recorder->in_hardware(daemon.node,
                          {.kind = &daemons_work, .begin = begin, .end = daemon.free_at, .amount = bytes.count()});
  return daemon.free_at;
}

void Daemons::send_on(Fragment& fragment) {
  if (fragment.shipment->from == fragment.shipment->to) return finish(fragment);
  network_.submit(fragment);
}

void Daemons::arrived(Transfer& transfer) {
  auto& fragment = static_cast<Fragment&>(transfer);
  agenda_.at(work(fragment.shipment->to, fragment.bytes), [this, &fragment] { finish(fragment); });
}

void Daemons::finish(Fragment& fragment) {
  Shipment* shipment = fragment.shipment;
  delete &fragment;
  if (--shipment->fragments_left > 0) return;
  shipment->done();
  delete shipment;
}

}  // namespace hindcast::pvm
