#include "tests/hardware/torus_run.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <simgrid/s4u.hpp>

#include "simulator/engine/rank.hpp"

namespace hindcast::test {

namespace {

class Traffic final : public EventSink, public TransferSink {
 public:
  Traffic(Engine& engine, Network& network, std::vector<Sent>& sent, const Buffers& buffers)
      : engine_(engine),
        network_(network),
        sent_(sent),
        buffers_(buffers),
        transfers_(sent.size()),
        owner_(engine.new_owner()) {
    for (const auto& [node, buffer] : buffers) rooms_.try_emplace(node, engine, Bytes(buffer.capacity));
    for (std::size_t i = 0; i < sent.size(); ++i) {
      Transfer& transfer = transfers_[i];
      transfer.from = sent[i].from;
      transfer.to = sent[i].to;
      transfer.bytes = Bytes(sent[i].bytes);
      transfer.sink = this;
      transfer.message = i;
      if (const auto room = rooms_.find(sent[i].to); room != rooms_.end()) transfer.room = &room->second;
      engine.at(sent[i].at, EventKind::act, owner_, *this, i);
    }
  }

  void fire(const Event& event) override {
    Transfer& transfer = transfers_[event.data];
    if (sent_of(transfer).arrived == Time())
      network_.submit(transfer);
    else
      rooms_.at(transfer.to).release(transfer.bytes);
  }
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
    if (transfer.room == nullptr) return;
    const Time end = engine_.now() + buffers_.at(transfer.to).stay;
    engine_.at(end, EventKind::act, owner_, *this, static_cast<std::uint64_t>(&transfer - transfers_.data()));
  }

 private:
  Sent& sent_of(const Transfer& transfer) { return sent_[static_cast<std::size_t>(&transfer - transfers_.data())]; }

  Engine& engine_;
  Network& network_;
  std::vector<Sent>& sent_;
  const Buffers& buffers_;
  std::map<int, BufferRoom> rooms_;
  std::vector<Transfer> transfers_;
  EventOwner owner_;
  int arrivals_ = 0;
};

class Steps final : public Recorder {
 public:
  explicit Steps(std::vector<std::string>& lines) : lines_(lines) {}

  void on_thread(const Thread&, const Step&) override {}
  void in_hardware(int node, const Step& step) override {
    lines_.push_back(fmt::format("message {} at node {}: {} from {} to {} ns", step.message, node, step.kind->name,
                                 step.begin.in_ps() / 1000, step.end.in_ps() / 1000));
  }
  void put_off(const Thread&, Time, EventOrder, Time, Time) override {}

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

std::vector<Sent> run_torus(const TorusRoutes& routes, TestLinks& links, std::vector<Sent> sent, const Buffers& buffers,
                            std::vector<std::string>* steps) {
  Engine engine(EngineOptions{});
  std::vector<std::string> lines;
  Steps recorder(steps != nullptr ? *steps : lines);
  if (steps != nullptr) engine.set_recorder(&recorder);
  auto* zone = simgrid::s4u::create_star_zone("test");
  zone->create_host("host", 1e9)->seal();
  zone->seal();
  WormholeTorus network(engine, routes, links, routes.nodes());
  Traffic traffic(engine, network, sent, buffers);
  // The simulation lasts as long as a thread does.
  engine.start_thread(engine.add_rank("host"), [] {
    Thread::current()->charge(Time::us(3'600'000'000));
    Thread::current()->settle();
  });
  engine.run([](Ending) { std::abort(); });
  return sent;
}

}  // namespace hindcast::test
