#include "simulator/engine/flows.hpp"

#include <cmath>
#include <deque>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <vector>

namespace sg = simgrid::s4u;

namespace hindcast {

namespace {

struct Flow {
  // Kept until the place is used again: SimGrid is not done with it when it tells of its end.
  sg::CommPtr activity;
  Event at_end;
};

Time first_picosecond_after(double seconds) {
  const Time nearest = Time::from_seconds(seconds);
  return nearest.in_seconds() > seconds ? nearest : nearest + Time::ps(1);
}

sg::Host* host_of(const FlowHost* host) {
  return const_cast<sg::Host*>(reinterpret_cast<const sg::Host*>(host));  // SimGrid starts flows at hosts it may change
}

}  // namespace

class Flows::Pool {
 public:
  explicit Pool(Engine& engine) : engine_(engine) {
    sg::Activity::on_completion_cb([this](const sg::Activity& activity) { ended(activity); });
  }

  void start(const FlowHost* from, const FlowHost* to, Bytes bytes, const Event& at_end) {
    Flow& flow = unused();
    flow.at_end = at_end;
    flow.activity = sg::Comm::sendto_init(host_of(from), host_of(to));
    flow.activity->set_payload_size(bytes.count());
    flow.activity->set_data(&flow);
    flow.activity->start();
    ++engine_.flows_under_way_;
  }

 private:
  Flow& unused() {
    if (unused_.empty()) return flows_.emplace_back();
    Flow& flow = *unused_.back();
    unused_.pop_back();
    return flow;
  }

  void ended(const sg::Activity& activity) {
    auto& flow = *activity.get_data<Flow>();
    flow.at_end.at = later_of(first_picosecond_after(activity.get_finish_time()), engine_.now());
    --engine_.flows_under_way_;
    engine_.at(flow.at_end);
    unused_.push_back(&flow);
  }

  Engine& engine_;
  std::deque<Flow> flows_;
  std::vector<Flow*> unused_;
};

Flows::Flows(Engine& engine) : pool_(std::make_unique<Pool>(engine)) {
  engine.simgrid_clock_exact_ = true;
  sg::Engine::get_instance()->get_netzone_root()->get_network_model()->set_lat_factor_cb(
      [](double, const sg::Host*, const sg::Host*, const auto&, const auto&) { return 0.0; });
}

Flows::~Flows() = default;

const FlowHost* Flows::host(const std::string& name) {
  return reinterpret_cast<const FlowHost*>(sg::Host::by_name(name));
}

void Flows::start(const FlowHost* from, const FlowHost* to, Bytes bytes, EventOwner& owner, EventSink& sink,
                  std::uint64_t data) {
  pool_->start(from, to, bytes, Event{Time(), owner.next(EventKind::hardware), &sink, data});
}

}  // namespace hindcast
