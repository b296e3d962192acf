#include "tests/hardware/wormhole_run.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "simulator/engine/rank.hpp"
#include "simulator/hardware/network/adaptive_torus_routes.hpp"
#include "simulator/hardware/network/crossbar_routes.hpp"
#include "simulator/hardware/network/fat_tree_routes.hpp"
#include "tests/hardware/traffic.hpp"
#include "tests/support/ranks.hpp"

namespace hindcast::test {

namespace {

class Steps final : public Recorder {
 public:
  explicit Steps(std::vector<std::string>& lines) : lines_(lines) {}

  void on_thread(const Thread&, const Step&) override {}
  void in_hardware(int node, const Step& step) override {
    lines_.push_back(fmt::format("message {} at node {}: {} from {} to {} ns", step.message, node, step.kind->name,
                                 step.begin.in_ps() / 1000, step.end.in_ps() / 1000));
  }
  void put_off(const Thread&, const Postponement&) override {}

 private:
  std::vector<std::string>& lines_;
};

}  // namespace

TestLinks plain_links() {
  TestLinks links;
  links.link_figures = figures(Time::ns(10), 1e9);
  links.injection_figures = figures(Time(), 1e9);
  links.ejection_figures = figures(Time(), 1e9);
  return links;
}

Channel figures(Time latency, double bytes_per_second) {
  return Channel{Time(), latency, Bandwidth::per_second(bytes_per_second)};
}

template <class Routes>
std::vector<Sent> run_wormhole(const Routes& routes, TestLinks& links, std::vector<Sent> sent, const Buffers& buffers,
                               std::vector<std::string>* steps) {
  Engine engine(EngineOptions{});
  std::vector<std::string> lines;
  Steps recorder(steps != nullptr ? *steps : lines);
  if (steps != nullptr) engine.set_recorder(&recorder);
  make_nodes(1);
  WormholeNetwork<Routes> network(engine, routes, links, {0, routes.nodes()},
                                  {"network.injection_latency", "network.injection_bandwidth", "network.hop_latency",
                                   "network.link_bandwidth", ""});
  Traffic traffic(engine, network, sent, buffers);
  // The simulation lasts as long as a thread does.
  engine.start_thread(engine.add_rank("h0"), [] {
    Thread::current()->charge(Time::us(3'600'000'000));
    Thread::current()->settle();
  });
  engine.run([](Ending) { std::abort(); });
  return sent;
}

template std::vector<Sent> run_wormhole(const TorusRoutes&, TestLinks&, std::vector<Sent>, const Buffers&,
                                        std::vector<std::string>*);
template std::vector<Sent> run_wormhole(const AdaptiveTorusRoutes&, TestLinks&, std::vector<Sent>, const Buffers&,
                                        std::vector<std::string>*);
template std::vector<Sent> run_wormhole(const CrossbarRoutes&, TestLinks&, std::vector<Sent>, const Buffers&,
                                        std::vector<std::string>*);
template std::vector<Sent> run_wormhole(const FatTreeRoutes&, TestLinks&, std::vector<Sent>, const Buffers&,
                                        std::vector<std::string>*);

}  // namespace hindcast::test
