// How much a flow of SimGrid's slows the messages of a wormhole network beside it: a ping-pong between two nodes of
// platforms/grid.toml's first site, while a message to the second site is under way all the time, or none.
//
//   beside_flow flow|alone MESSAGES
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "simulator/engine/rank.hpp"
#include "simulator/machine/file/machine_search.hpp"
#include "simulator/machine/machine.hpp"

namespace {

using namespace hindcast;

struct Waiting final : Wait {
  BlockedOn describe() const override { return {"ping-pong", "", {}}; }
};

// One side: sends when it has received.
class Side final : public EventSink, public TransferSink {
 public:
  Side(Network& network, int from, int to, Bytes bytes) : network_(network) {
    message_.from = from;
    message_.to = to;
    message_.bytes = bytes;
    message_.sink = this;
  }
  void start(Engine& engine, Rank& rank, Side& other, bool begins, long messages) {
    other_ = &other;
    thread_ = &engine.start_thread(rank, [this, begins, messages] {
      for (long i = 0; i < messages; ++i) {
        if (begins) Thread::current()->act(*this, 0);
        while (received_ <= i) Thread::current()->wait(waiting_);
        if (!begins) Thread::current()->act(*this, 0);
      }
    });
  }
  void fire(const Event&) override { network_.submit(message_); }
  void entered(Transfer&) override {}
  void arrived(Transfer&) override {
    ++other_->received_;
    other_->thread_->wake();
  }

 private:
  Network& network_;
  Transfer message_;
  Side* other_ = nullptr;
  Thread* thread_ = nullptr;
  long received_ = 0;
  Waiting waiting_;
};

class LongMessage final : public EventSink, public TransferSink {
 public:
  LongMessage(Engine& engine, Network& network) : network_(network), owner_(engine.new_owner()) {
    message_.to = 32;
    message_.bytes = Bytes(1'000'000'000'000);
    message_.sink = this;
    engine.at(Time::ns(1), EventKind::act, owner_, *this, 0);
  }
  void fire(const Event&) override { network_.submit(message_); }
  void entered(Transfer&) override {}
  void arrived(Transfer&) override {}

 private:
  Network& network_;
  EventOwner owner_;
  Transfer message_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  const bool with_flow = std::string(argv[1]) == "flow";
  const long messages = std::atol(argv[2]);
  EngineOptions options;
  options.ends_process = true;
  Engine engine(options);
  const MachineFile file = load_machine("grid");
  const auto machine = Machine::build(engine, file, 33);
  Side first(*machine->network_of_site(0), 0, 5, Bytes(40)), second(*machine->network_of_site(0), 5, 0, Bytes(40));
  std::optional<LongMessage> flow;
  if (with_flow) flow.emplace(engine, *machine->wide_area());
  const auto begin = std::chrono::steady_clock::now();
  first.start(engine, engine.add_rank(machine->node_name(0)), second, true, messages / 2);
  second.start(engine, engine.add_rank(machine->node_name(5)), first, false, messages / 2);
  engine.run([&](Ending) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    fmt::print("{:.0f} messages/s, {} us simulated\n", static_cast<double>(messages) / taken.count(),
               engine.now().in_us());
    std::fflush(stdout);
    std::_Exit(EXIT_SUCCESS);
  });
  return EXIT_FAILURE;
}
