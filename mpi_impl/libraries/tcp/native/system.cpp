#include "mpi_impl/libraries/tcp/native/system.hpp"

#include "mpi_impl/libraries/tcp/native/host.hpp"

namespace hindcast::tcp {

Time System::end_of_patience() const {
  if (costs_.gives_up == Time::never())
    end_run("a link has failed, and the machine's file does not say when TCP gives up (tcp.gives_up)");
  return engine_.now() + costs_.gives_up;
}

Segment& System::new_segment() {
  Segment& segment = segments_.take();
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
  if (loses(segment.from, segment.to, engine_.now()))
    segment.stream->lost();
  else
    segment.stream->delivered(segment);
  segments_.give_back(segment);
}

}  // namespace hindcast::tcp
