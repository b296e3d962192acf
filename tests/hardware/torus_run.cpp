#include "tests/hardware/torus_run.hpp"

#include <cstdlib>
#include <simgrid/s4u.hpp>

#include "simulator/engine/rank.hpp"

namespace hindcast::test {

namespace {

class Traffic final : public EventSink, public TransferSink {
 public:
  Traffic(Engine& engine, Network& network, std::vector<Sent>& sent)
      : engine_(engine), network_(network), sent_(sent), transfers_(sent.size()), owner_(engine.new_owner()) {
    for (std::size_t i = 0; i < sent.size(); ++i) {
      Transfer& transfer = transfers_[i];
      transfer.from = sent[i].from;
      transfer.to = sent[i].to;
      transfer.bytes = Bytes(sent[i].bytes);
      transfer.sink = this;
      engine.at(sent[i].at, EventKind::act, owner_, *this, i);
    }
  }

  void fire(const Event& event) override { network_.submit(transfers_[event.data]); }
  void entered(Transfer& transfer) override {
    Sent& sent = sent_of(transfer);
    sent.entered = engine_.now();
    sent.injected = transfer.injected;
  }
  void arrived(Transfer& transfer) override {
    if (transfer.arrival != engine_.now()) std::abort();
    Sent& sent = sent_of(transfer);
    sent.arrived = engine_.now();
    sent.arrival_number = arrivals_++;
  }

 private:
  Sent& sent_of(const Transfer& transfer) { return sent_[static_cast<std::size_t>(&transfer - transfers_.data())]; }

  Engine& engine_;
  Network& network_;
  std::vector<Sent>& sent_;
  std::vector<Transfer> transfers_;
  EventOwner owner_;
  int arrivals_ = 0;
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

std::vector<Sent> run_torus(const TorusRoutes& routes, TestLinks& links, std::vector<Sent> sent) {
  Engine engine(EngineOptions{});
  auto* zone = simgrid::s4u::create_star_zone("test");
  zone->create_host("host", 1e9)->seal();
  zone->seal();
  WormholeTorus network(engine, routes, links, routes.nodes());
  Traffic traffic(engine, network, sent);
  // The simulation lasts as long as a thread does.
  engine.start_thread(engine.add_rank("host"), [] {
    Thread::current()->charge(Time::us(3'600'000'000));
    Thread::current()->settle();
  });
  engine.run([](Ending) { std::abort(); });
  return sent;
}

}  // namespace hindcast::test
