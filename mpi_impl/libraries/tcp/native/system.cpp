#include "mpi_impl/libraries/tcp/native/system.hpp"

#include <cstdlib>
#include <memory>

#include "mpi_impl/libraries/tcp/native/host.hpp"

namespace hindcast::tcp {

void System::end_run(const std::string& line) const {
  end_run_(1, line);
  std::abort();  // it does not return
}

Segment& System::new_segment() {
  if (unused_segments_.empty()) unused_segments_.push_back(&segments_.emplace_back());
  Segment& segment = *std::construct_at(unused_segments_.back());
  unused_segments_.pop_back();
  segment.sink = this;
  return segment;
}

void System::record(int node, const StepKind& kind, Time begin, Time end, const Segment& segment) const {
  if (engine_.recorder() == nullptr || end <= begin) return;
  engine_.recorder()->in_hardware(node, Step{&kind, segment.message, begin, end, segment.payload});
}

void System::arrived(Transfer& transfer) {
  auto& segment = static_cast<Segment&>(transfer);
  const Time delivered = engine_.now() + costs_.delivery.cost;
  record(segment.to, costs_.delivery.kind, engine_.now(), delivered, segment);
  engine_.at(delivered, EventKind::hardware, segment.receiver->owner(), *this,
             reinterpret_cast<std::uint64_t>(&segment));
}

void System::fire(const Event& event) {
  auto& segment = *reinterpret_cast<Segment*>(event.data);
  segment.stream->delivered(segment);
  unused_segments_.push_back(&segment);
}

}  // namespace hindcast::tcp
