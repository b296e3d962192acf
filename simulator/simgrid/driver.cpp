// The engine as a part of SimGrid: the event heap is one of its resource models, and the threads are its actors.

#include <xbt/log.h>
#include <algorithm>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>
#include <utility>
#include <vector>

#include "simulator/engine/driver.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/flows.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread.hpp"

namespace sg = simgrid::s4u;

namespace hindcast {

// What SimGrid does itself when actors run and give way. Its library has these, its headers do not.
extern "C" {
void simgrid_yield(simgrid::kernel::actor::ActorImpl* actor) __asm__("_ZN7simgrid6kernel5actor9ActorImpl5yieldEv");
void simgrid_add_to_run(simgrid::kernel::EngineImpl* engine, simgrid::kernel::actor::ActorImpl* actor) __asm__(
    "_ZN7simgrid6kernel10EngineImpl30add_actor_to_run_list_no_checkEPNS0_5actor9ActorImplE");
void simgrid_run_all(simgrid::kernel::EngineImpl* engine) __asm__("_ZN7simgrid6kernel10EngineImpl14run_all_actorsEv");
}

namespace {

struct Request {
  simgrid::kernel::actor::ActorImpl* actor;
  const std::function<void()>* what;  // null: to be run by SimGrid, in a round of its own
};

// Actors run in rounds: all that can. In ours SimGrid does no more than to switch to them, and they cannot ask it for
// anything.
struct Rounds {
  simgrid::kernel::EngineImpl* simgrid = nullptr;
  bool are_ours = false;
  std::vector<Request> requests;  // of actors in the round that runs
};
Rounds rounds;

simgrid::kernel::actor::ActorImpl* impl_of(void* actor) { return static_cast<sg::Actor*>(actor)->get_impl(); }

}  // namespace

// SimGrid asks for the delay to the next event, and tells when a delay has passed: ours if it is the one we gave. We
// then fire the instant that we meant, so that SimGrid's clock of doubles never decides what is due.
class EventModel final : public simgrid::kernel::resource::Model {
 public:
  EventModel(std::function<double(double)> delay_to_next, std::function<void(double)> fire)
      : Model("hindcast"), delay_to_next_(std::move(delay_to_next)), fire_(std::move(fire)) {}

  double next_occurring_event(double now) override {
    promised_delay_ = delay_to_next_(now);
    return promised_delay_;
  }
  void update_actions_state(double now, double delta) override {
    if (promised_delay_ >= 0 && delta == promised_delay_) fire_(now);
  }

 private:
  std::function<double(double)> delay_to_next_;
  std::function<void(double)> fire_;
  double promised_delay_ = -1;
};

class Engine::Driver {
 public:
  Driver(const EngineOptions& options) : simgrid_(start(options)) {}

  void run(Engine& engine) {
    auto model = std::make_shared<EventModel>([this, &engine](double now) { return delay_to_next(engine, now); },
                                              [this, &engine](double now) { fire_due(engine, now); });
    simgrid_->add_model(model);
    rounds.simgrid = simgrid_->get_impl();
    sg::Engine::on_deadlock_cb([&engine] { engine.on_end_(Ending::deadlock); });
    simgrid_->run();
  }

 private:
  static std::unique_ptr<sg::Engine> start(const EngineOptions& options) {
    xbt_log_control_set("root.thres:error");
    auto simgrid = std::make_unique<sg::Engine>("hindcast");
    sg::Engine::set_config("contexts/factory:raw");
    if (options.actor_stack_bytes > 0) {
      sg::Engine::set_config("contexts/stack-size", static_cast<int>(options.actor_stack_bytes / 1024));
      // A guard is a memory mapping, and large pages end there.
      sg::Engine::set_config("contexts/guard-size", 0);
    }
    // SimGrid's own flows, where they are used, take the platform's latencies and bandwidths as they are. A window for
    // all of them would be TCP-gamma: without end, as 0 would also do away with the bounds that flows have.
    sg::Engine::set_config("network/model:CM02");
    sg::Engine::set_config("network/crosstraffic:0");
    sg::Engine::set_config("network/TCP-gamma", 1e300);
    sg::Engine::set_config("network/weight-S", 0.0);
    // A flow ends at its time and not when another event is near, so that what is near plays no part.
    sg::Engine::set_config("surf/precision", 1e-300);
    return simgrid;
  }

  double delay_to_next(Engine& engine, double now) {
    if (engine.living_threads_ == 0 && engine.options_.ends_process) engine.on_end_(Ending::finished);
    if (engine.is_end_requested()) return end_early(engine, engine.requested_ending_);
    if (engine.flows_ != nullptr) return delay_beside_flows(engine, now);
    if (engine.events_.empty()) return nothing_pending(engine);
    if (engine.has_time_ended()) return end_of_time(engine);
    const double delay = engine.events_.top().at.in_seconds() - now;
    return delay > 0 ? delay : 0;
  }

  // SimGrid adds up delays. As long as none more than doubles its clock, the differences and the sums are exact, and
  // its clock is the same at an instant that it meets, and at a flow's end, however many there were before.
  static double delay_beside_flows(Engine& engine, double now) {
    Flows& flows = *engine.flows_;
    if (!flows.are_under_way()) {
      engine.passed_before_ = Time::never();
      if (engine.events_.empty()) return nothing_pending(engine);
      if (engine.has_time_ended()) return end_of_time(engine);
    } else if (has_flow_just_ended()) {
      return 0;
    } else if (!flows.wait_for_clock()) {
      flows.foresee();  // SimGrid asks us last: the network's model has shared out its bandwidths by now
    }
    const double delay = instant_to_meet(engine).in_seconds() - now;
    if (delay <= 0) return 0;
    return now > 0 ? std::min(delay, now) : delay;
  }

  // A flow that SimGrid found at its end while it shared bandwidth out anew is told of after its next step.
  static bool has_flow_just_ended() {
    const auto& models = sg::Engine::get_instance()->get_all_models();
    return std::any_of(models.begin(), models.end(),
                       [](auto* model) { return !model->get_finished_action_set()->empty(); });
  }

  // Where SimGrid's clock is to come next. Flows that are under way may end before.
  static Time instant_to_meet(const Engine& engine) {
    if (engine.flows_->wait_for_clock()) return engine.now_;
    const Time pending = engine.events_.empty() ? Time::never() : engine.events_.top().at;
    return std::min(pending, engine.options_.max_time);
  }

  // No actor can run. SimGrid would find the deadlock next, and say so in its own words.
  static double nothing_pending(Engine& engine) {
    return engine.living_threads_ > 0 ? end_early(engine, Ending::deadlock) : -1;
  }

  static double end_of_time(Engine& engine) {
    engine.now_ = engine.options_.max_time;
    return end_early(engine, Ending::out_of_time);
  }

  // At once, or when the threads have kept their places: they run without a delay.
  static double end_early(Engine& engine, Ending ending) {
    engine.request_end(ending);
    if (engine.asks_for_places()) return 0;
    engine.on_end_(ending);
    return -1;
  }

  static void fire_beside_flows(Engine& engine, double simgrid_now) {
    Flows& flows = *engine.flows_;
    const Time next = instant_to_meet(engine);
    if (simgrid_now < next.in_seconds()) return;  // on the way to it, or a flow's end
    if (flows.wait_for_clock()) {
      flows.set_clock_is_now(true);
    } else {
      if (engine.events_.empty() || engine.has_time_ended()) {
        end_of_time(engine);
        return;
      }
      flows.set_clock_is_now(true);
      engine.fire_next_instant();
    }
    flows.set_clock_is_now(false);
    pass_instants(engine);
  }

  static void pass_instants(Engine& engine) {
    engine.instants_passed_ = 0;
    engine.pass_instants();
    run_threads(engine);
  }

  // As soon as none can go on, what comes is fired, until SimGrid has to move its clock or is asked for something. It
  // would look at all its models after each round.
  static void run_threads(Engine& engine) {
    rounds.are_ours = true;
    while (engine.runnable_ > 0) {
      simgrid_run_all(rounds.simgrid);
      if (!rounds.requests.empty() && serve_requests()) break;
      engine.pass_instants();
    }
    rounds.are_ours = false;
  }

  // Whether SimGrid is to run the next round.
  static bool serve_requests() {
    bool is_for_simgrid = false;
    for (const Request& request : std::exchange(rounds.requests, {})) {
      if (request.what != nullptr) (*request.what)();
      is_for_simgrid |= request.what == nullptr;
      simgrid_add_to_run(rounds.simgrid, request.actor);
    }
    return is_for_simgrid;
  }

  void fire_due(Engine& engine, double simgrid_now) {
    if (engine.is_asking_for_places_) return;
    if (engine.flows_ != nullptr) return fire_beside_flows(engine, simgrid_now);
    engine.fire_next_instant();
    pass_instants(engine);
  }

  std::unique_ptr<sg::Engine> simgrid_;
};

Engine::Engine(const EngineOptions& options)
    : options_(options),
      idle_looks_(options.idle_polls_told, options.idle_polls_max),
      driver_(std::make_unique<Driver>(options)) {}
Engine::~Engine() = default;

void Engine::run(std::function<void(Ending)> on_end) {
  on_end_ = std::move(on_end);
  has_begun_ = true;
  driver_->run(*this);
}

namespace driver {

void* start_actor(const std::string& node_name, std::function<void()> body, const StackMemory& stack) {
  static const std::string name = "rank";
  sg::ActorPtr actor = sg::Actor::init(name, sg::Host::by_name(node_name));
  if (stack.bytes > 0) {
    actor->set_stacksize(static_cast<unsigned>(stack.bytes / 1024));
    const GivenStack given(stack);
    actor->start(std::move(body));
  } else {
    actor->start(std::move(body));
  }
  return actor.detach();
}

void release_actor(void* actor) {
  if (actor != nullptr) intrusive_ptr_release(static_cast<sg::Actor*>(actor));
}

void* current_actor() { return sg::Actor::self(); }

const void* memory_of(void* actor) { return static_cast<sg::Actor*>(actor)->get_impl(); }

void give_way(void* actor) { simgrid_yield(impl_of(actor)); }

void resume(void* actor) { simgrid_add_to_run(rounds.simgrid, impl_of(actor)); }

void do_outside(void* actor, const std::function<void()>& what) {
  if (!rounds.are_ours) return what();
  rounds.requests.push_back({impl_of(actor), &what});
  give_way(actor);
}

void leave_our_rounds(void* actor) {
  if (!rounds.are_ours) return;
  rounds.requests.push_back({impl_of(actor), nullptr});
  give_way(actor);
}

}  // namespace driver

}  // namespace hindcast
