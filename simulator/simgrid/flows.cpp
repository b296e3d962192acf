#include "simulator/engine/flows.hpp"

#include <cassert>
#include <cmath>
#include <deque>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <vector>

namespace sg = simgrid::s4u;

namespace hindcast {

struct Flow {
  // Kept until the place is used again: SimGrid is not done with it when it tells of its end.
  sg::CommPtr activity;
  Event at_end;
};

namespace {

Time first_picosecond_after(double seconds) {
  const Time nearest = Time::from_seconds(seconds);
  return nearest.in_seconds() > seconds ? nearest : nearest + Time::ps(1);
}

sg::Host* host_of(const FlowNode* node) {
  return const_cast<sg::Host*>(reinterpret_cast<const sg::Host*>(node));  // SimGrid starts flows at hosts it may change
}

}  // namespace

// What sets the rate of a message to a mailbox: s4u::Comm::set_rate() has no effect on one between two hosts. SimGrid's
// library has this, its headers do not.
extern "C" void set_rate(simgrid::kernel::activity::ActivityImpl* comm,
                         double bytes_per_second) __asm__("_ZN7simgrid6kernel8activity8CommImpl8set_rateEd");

class Flows::Pool {
 public:
  Pool(Engine& engine, simgrid::kernel::resource::Model& model) : engine_(engine), model_(model) {
    sg::Activity::on_completion_cb([this](const sg::Activity& activity) { ended(activity); });
  }

  void start(const FlowNode* from, const FlowNode* to, Bytes bytes, Rate bound, const Event& at_end) {
    Flow& flow = unused();
    flow.at_end = at_end;
    flow.activity = sg::Comm::sendto_init(host_of(from), host_of(to));
    flow.activity->set_payload_size(bytes.count());
    if (!bound.is_unlimited()) set_rate(flow.activity->get_impl(), bound.in_units_per_second());
    flow.activity->set_data(&flow);
    ++under_way_;
    engine_.passed_before_ = Time();  // until SimGrid has shared out its bandwidths anew
    if (clock_is_now_)
      flow.activity->start();
    else
      waiting_.push_back(&flow);
  }

  bool are_under_way() const { return under_way_ > 0; }
  bool wait_for_clock() const { return !waiting_.empty(); }

  void set_clock_is_now(bool is_now) {
    clock_is_now_ = is_now;
    if (!is_now) return;
    for (Flow* flow : waiting_) flow->activity->start();
    waiting_.clear();
  }

  void foresee() {
    const auto& ends = model_.get_action_heap();
    engine_.passed_before_ = ends.empty() ? Time::never() : first_picosecond_after(ends.top_date());
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
    --under_way_;
    engine_.passed_before_ = Time();
    engine_.at(flow.at_end);
    unused_.push_back(&flow);
  }

  Engine& engine_;
  simgrid::kernel::resource::Model& model_;
  std::deque<Flow> flows_;
  std::vector<Flow*> unused_;
  std::vector<Flow*> waiting_;  // to start, when SimGrid's clock is the engine's now
  std::uint32_t under_way_ = 0;
  bool clock_is_now_ = false;
};

Flows::Flows(Engine& engine) {
  assert(engine.flows_ == nullptr);
  auto* model = sg::Engine::get_instance()->get_netzone_root()->get_network_model();
  model->set_lat_factor_cb([](double, const sg::Host*, const sg::Host*, const auto&, const auto&) { return 0.0; });
  pool_ = std::make_unique<Pool>(engine, dynamic_cast<simgrid::kernel::resource::Model&>(*model));
  engine.flows_ = this;
}

Flows::~Flows() = default;

const FlowNode* Flows::node(const std::string& name) {
  return reinterpret_cast<const FlowNode*>(sg::Host::by_name(name));
}

void Flows::start(const FlowNode* from, const FlowNode* to, Bytes bytes, Rate bound, EventOwner& owner, EventSink& sink,
                  std::uint64_t data) {
  pool_->start(from, to, bytes, bound, Event{Time(), owner.next(EventKind::hardware), &sink, data});
}

bool Flows::are_under_way() const { return pool_->are_under_way(); }
bool Flows::wait_for_clock() const { return pool_->wait_for_clock(); }
void Flows::set_clock_is_now(bool is_now) { pool_->set_clock_is_now(is_now); }
void Flows::foresee() { pool_->foresee(); }

}  // namespace hindcast
