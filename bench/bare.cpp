// The limit that the MPI benchmarks are held against: the same messages with the same copies of their payload, on the
// engine's technique (events in a SimGrid resource model, ranks as actors woken by resume), without MPI, devices,
// networks or programs.
//
//   bare pingpong|ring|halo|alltoall|alltoall-at-once RANKS ITERATIONS BYTES
#include <xbt/log.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "simulator/engine/event_heap.hpp"
#include "simulator/engine/units.hpp"

namespace {

namespace s4u = simgrid::s4u;
using hindcast::Event;
using hindcast::EventHeap;
using hindcast::EventKind;
using hindcast::EventOwner;
using hindcast::EventSink;
using hindcast::Time;

constexpr Time latency = Time::ns(1000);
constexpr Time between_sends = Time::ns(10);  // neighbouring messages do not arrive at one instant

struct Rank;

class Machine final : public simgrid::kernel::resource::Model {
 public:
  Machine() : Model("hindcast_bare") {}

  Time now() const { return now_; }
  void at(const Event& event) { heap_.push(event); }
  void one_more_runs() { runs_ = true; }

  double next_occurring_event(double simgrid_now) override {
    if (heap_.empty()) return -1.0;
    const double delay = heap_.top().at.in_seconds() - simgrid_now;
    return delay > 0 ? delay : 0;
  }
  // SimGrid is needed again only when a rank is to run.
  void update_actions_state(double, double) override {
    runs_ = false;
    while (!heap_.empty() && !runs_) {
      now_ = heap_.top().at;
      while (!heap_.empty() && heap_.top().at == now_) {
        const Event event = heap_.pop();
        event.sink->fire(event);
      }
    }
  }

 private:
  EventHeap heap_;
  Time now_;
  bool runs_ = false;
};

// A message from one buffer to another; it arrives a latency after it was sent.
struct Message final : EventSink {
  Rank* from = nullptr;
  Rank* to = nullptr;
  const char* data = nullptr;
  char* target = nullptr;
  void fire(const Event& event) override;
};

struct Rank {
  Machine* machine = nullptr;
  s4u::ActorPtr actor;
  EventOwner owner;
  std::vector<char> out, in;
  std::vector<Message> messages;
  long received = 0;  // and not yet taken
  long sent = 0;      // likewise
  long wanted_received = 0;
  long wanted_sent = 0;
  bool waits = false;

  void send(Message& message, int delay_steps) {
    machine->at(
        Event{machine->now() + latency + between_sends * delay_steps, owner.next(EventKind::hardware), &message, 0});
  }
  void wait_for(long receives, long sends) {
    wanted_received = receives;
    wanted_sent = sends;
    while (received < receives || sent < sends) {
      waits = true;
      s4u::this_actor::suspend();
    }
    received -= receives;
    sent -= sends;
  }
  void look() {
    if (!waits || received < wanted_received || sent < wanted_sent) return;
    waits = false;
    machine->one_more_runs();
    actor->resume();
  }
};

std::size_t message_bytes = 8;

void Message::fire(const Event&) {
  std::memcpy(target, data, message_bytes);
  ++to->received;
  ++from->sent;
  to->look();
  if (from != to) from->look();
}

// Who sends to whom: `peers[i]` of a rank is where its i-th buffer goes, into the receiver's buffer `slots[i]`.
struct Pattern {
  std::vector<int> peers;
  std::vector<int> slots;
};

Pattern pattern_of(const std::string& mode, int rank, int ranks) {
  if (mode == "pingpong" || mode == "ring") return {{(rank + 1) % ranks}, {0}};
  if (mode == "halo") {
    int rows = 1;
    for (int i = 1; i * i <= ranks; ++i)
      if (ranks % i == 0) rows = i;
    const int columns = ranks / rows, row = rank / columns, column = rank % columns;
    return {{row * columns + (column + 1) % columns, row * columns + (column + columns - 1) % columns,
             (row + 1) % rows * columns + column, (row + rows - 1) % rows * columns + column},
            {1, 0, 3, 2}};
  }
  Pattern all;
  for (int step = 1; step < ranks; ++step) {
    all.peers.push_back((rank + step) % ranks);
    all.slots.push_back(rank);
  }
  return all;
}

void take_turns(Rank& self, bool begins, long iterations) {
  for (long i = 0; i < iterations; ++i) {
    if (begins) self.send(self.messages[0], 0);
    self.wait_for(1, 0);
    if (!begins) self.send(self.messages[0], 0);
  }
}

void exchange(Rank& self, long iterations) {
  const long count = static_cast<long>(self.messages.size());
  for (long i = 0; i < iterations; ++i) {
    for (int m = 0; m < count; ++m) self.send(self.messages[m], m);
    self.wait_for(count, count);
  }
}

void exchange_by_pairs(Rank& self, long iterations) {
  for (long i = 0; i < iterations; ++i) {
    for (Message& message : self.messages) {
      self.send(message, 0);
      self.wait_for(1, 1);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  xbt_log_control_set("xbt_cfg.threshold:warning");
  s4u::Engine::set_config("contexts/stack-size:64");
  if (argc != 5) {
    std::fprintf(stderr, "usage: bare pingpong|ring|halo|alltoall|alltoall-at-once RANKS ITERATIONS BYTES\n");
    return 2;
  }
  const std::string mode = argv[1];
  const int count = std::atoi(argv[2]);
  const long iterations = std::atol(argv[3]);
  message_bytes = static_cast<std::size_t>(std::atol(argv[4]));

  auto* zone = s4u::create_star_zone("machine");
  for (int i = 0; i < count; ++i) zone->create_host("node-" + std::to_string(i), 1e9)->seal();
  zone->seal();
  auto machine = std::make_shared<Machine>();
  engine.add_model(machine);

  std::vector<Rank> ranks(count);
  const bool in_turn = mode == "pingpong" || mode == "ring";
  for (int i = 0; i < count; ++i) {
    const Pattern pattern = pattern_of(mode, i, count);
    Rank& rank = ranks[i];
    rank.machine = machine.get();
    rank.owner = EventOwner(static_cast<std::uint32_t>(i));
    const std::size_t buffers = mode.starts_with("alltoall") ? count : pattern.peers.size();
    rank.out.assign(buffers * message_bytes, static_cast<char>(i));
    rank.in.assign(buffers * message_bytes, 0);
    rank.messages.resize(pattern.peers.size());
  }
  long messages = 0;
  for (int i = 0; i < count; ++i) {
    const Pattern pattern = pattern_of(mode, i, count);
    Rank& rank = ranks[i];
    for (std::size_t m = 0; m < pattern.peers.size(); ++m) {
      Rank& to = ranks[pattern.peers[m]];
      rank.messages[m].from = &rank;
      rank.messages[m].to = &to;
      rank.messages[m].data = rank.out.data() + m * message_bytes;
      rank.messages[m].target = to.in.data() + pattern.slots[m] * message_bytes;
    }
    messages += iterations * static_cast<long>(pattern.peers.size());
    rank.actor = s4u::Actor::create("rank", s4u::Host::by_name("node-" + std::to_string(i)),
                                    [&rank, &mode, i, in_turn, iterations] {
                                      if (in_turn) {
                                        take_turns(rank, i == 0, iterations);
                                      } else if (mode == "alltoall") {
                                        exchange_by_pairs(rank, iterations);
                                      } else {
                                        exchange(rank, iterations);
                                      }
                                    });
  }
  engine.run();
  std::printf("bare %s: %ld messages in %.9f simulated seconds\n", mode.c_str(), messages, machine->now().in_seconds());
}
