#include "tests/machine/machine_run.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "simulator/engine/rank.hpp"
#include "tests/support/in_child.hpp"

namespace hindcast::test {

namespace {

// Passes each transfer on to the network that its nodes have.
class AllNetworks final : public Network {
 public:
  explicit AllNetworks(Machine& machine) : machine_(machine) {}
  void submit(Transfer& transfer) override { network_between(machine_, transfer.from, transfer.to).submit(transfer); }
  Time latency(int from, int to) override { return network_between(machine_, from, to).latency(from, to); }

 private:
  Machine& machine_;
};

}  // namespace

Network& network_between(Machine& machine, int from, int to) {
  const int site = machine.site_of(from);
  return site == machine.site_of(to) ? *machine.network_of_site(site) : *machine.wide_area();
}

std::vector<Sent> run_on(const MachineFile& file, std::vector<Sent> sent, const std::vector<Time>& wakes,
                         const Buffers& buffers) {
  const std::string text = text_from_child([&] {
    Engine engine(EngineOptions{});
    const auto machine = Machine::build(engine, file, node_range(file).most);
    AllNetworks networks(*machine);
    Traffic traffic(engine, networks, sent, buffers);
    // The simulation lasts as long as a thread does.
    engine.start_thread(engine.add_rank(machine->node_name(0)), [&wakes] {
      Thread& thread = *Thread::current();
      for (const Time wake : wakes) {
        thread.charge(wake - thread.clock());
        thread.settle();
      }
      thread.charge(Time::us(3'600'000'000) - thread.clock());
      thread.settle();
    });
    engine.run([](Ending) { std::abort(); });
    std::string lines;
    for (const Sent& one : sent)
      lines += fmt::format("{} {} {}\n", one.injected.in_ps(), one.arrived.in_ps(), one.arrival_number);
    return lines;
  });
  std::istringstream lines(text);
  for (Sent& one : sent) {
    std::int64_t injected = 0;
    std::int64_t arrived = 0;
    lines >> injected >> arrived >> one.arrival_number;
    one.injected = Time::ps(injected);
    one.arrived = Time::ps(arrived);
  }
  return sent;
}

}  // namespace hindcast::test
