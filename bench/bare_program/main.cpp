// The limit that the MPI benchmarks are held against: the same messages with the same copies of their payload, on the
// engine's technique (events in a SimGrid resource model, ranks as actors woken by resume), without MPI, endpoints,
// networks or programs.
//
//   bare PATTERN RANKS ITERATIONS BYTES        the patterns are those of patterns.cpp
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

#include "bench/bare_program/patterns.hpp"
#include "simulator/engine/events/event_queue.hpp"
#include "simulator/engine/units.hpp"

namespace {

namespace s4u = simgrid::s4u;
using hindcast::Event;
using hindcast::EventKind;
using hindcast::EventOwner;
using hindcast::EventQueue;
using hindcast::EventSink;
using hindcast::Time;

constexpr Time latency = Time::ns(1000);
constexpr Time between_sends = Time::ns(10);  // neighbouring messages do not arrive at one instant

struct Rank;

class Machine final : public simgrid::kernel::resource::Model {
 public:
  Machine() : Model("hindcast_bare") {}

  Time now() const { return now_; }
  void at(const Event& event) { events_.push(event); }
  void one_more_runs() { runs_ = true; }

  double next_occurring_event(double simgrid_now) override {
    if (events_.empty()) return -1.0;
    const double delay = events_.top().at.in_seconds() - simgrid_now;
    return delay > 0 ? delay : 0;
  }
  // SimGrid is needed again only when a rank is to run.
  void update_actions_state(double, double) override {
    runs_ = false;
    while (!events_.empty() && !runs_) {
      now_ = events_.top().at;
      while (!events_.empty() && events_.top().at == now_) {
        const Event event = events_.pop();
        event.sink->fire(event);
      }
    }
  }

 private:
  EventQueue events_;
  Time now_;
  bool runs_ = false;
};

// A message from one buffer to another; it arrives a latency after it was sent.
struct Message final : EventSink {
  Rank* from = nullptr;
  Rank* to = nullptr;
  const char* data = nullptr;
  char* target = nullptr;
  std::size_t bytes = 0;
  bool counts_for_sender = false;  // who waits for its delivery
  void fire(const Event& event) override;
};

struct Rank {
  Machine* machine = nullptr;
  s4u::ActorPtr actor;
  EventOwner owner;
  std::vector<bare::Round> rounds;
  std::vector<Message> messages;  // one a round
  std::vector<char> out, in;
  long received = 0;  // and not yet taken
  long sent = 0;      // likewise
  long wanted_received = 0;
  long wanted_sent = 0;
  bool waits = false;

  void send(Message& message, int turn) {
    machine->at(Event{machine->now() + latency + between_sends * turn, owner.next(EventKind::hardware), &message, 0});
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
  void iterate() {
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      const bare::Round& round = rounds[i];
      if (round.to != bare::Round::nobody) send(messages[i], round.turn);
      if (round.receives + round.sends > 0) wait_for(round.receives, round.sends);
    }
  }
};

void Message::fire(const Event&) {
  std::memcpy(target, data, bytes);
  ++to->received;
  if (counts_for_sender) ++from->sent;
  to->look();
  if (counts_for_sender && from != to) from->look();
}

std::size_t block_bytes = 8;

char* memory_at(Rank& rank, bare::Place place) {
  std::vector<char>& array = place.array == bare::Place::Array::out ? rank.out : rank.in;
  return array.data() + static_cast<std::size_t>(place.block) * block_bytes;
}

void give_memory(Rank& rank, const bare::Pattern& pattern, int number) {
  rank.rounds = pattern.rounds;
  rank.messages.resize(pattern.rounds.size());
  rank.out.assign(static_cast<std::size_t>(pattern.out_blocks) * block_bytes, static_cast<char>(number));
  rank.in.assign(static_cast<std::size_t>(pattern.in_blocks) * block_bytes, 0);
}

// Returns how many there are.
long address_messages(Rank& rank, std::vector<Rank>& ranks) {
  long count = 0;
  bool sends_are_awaited = false;
  for (const bare::Round& round : rank.rounds) sends_are_awaited = sends_are_awaited || round.sends > 0;
  for (std::size_t i = 0; i < rank.rounds.size(); ++i) {
    const bare::Round& round = rank.rounds[i];
    if (round.to == bare::Round::nobody) continue;
    ++count;
    Rank& to = ranks[static_cast<std::size_t>(round.to)];
    Message& message = rank.messages[i];
    message.from = &rank;
    message.to = &to;
    message.data = memory_at(rank, round.from);
    message.target = memory_at(to, round.target);
    message.bytes = static_cast<std::size_t>(round.blocks) * block_bytes;
    message.counts_for_sender = sends_are_awaited;
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  xbt_log_control_set("xbt_cfg.threshold:warning");
  s4u::Engine::set_config("contexts/stack-size:64");
  const bare::PatternFunction pattern = argc == 5 ? bare::find_pattern(argv[1]) : nullptr;
  if (pattern == nullptr) {
    std::fprintf(stderr, "usage: bare %s RANKS ITERATIONS BYTES\n", bare::pattern_names().c_str());
    return 2;
  }
  const int count = std::atoi(argv[2]);
  const long iterations = std::atol(argv[3]);
  block_bytes = static_cast<std::size_t>(std::atol(argv[4]));

  auto* zone = s4u::create_star_zone("machine");
  for (int i = 0; i < count; ++i) zone->create_host("node-" + std::to_string(i), 1e9)->seal();
  zone->seal();
  auto machine = std::make_shared<Machine>();
  engine.add_model(machine);

  std::vector<Rank> ranks(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    Rank& rank = ranks[static_cast<std::size_t>(i)];
    rank.machine = machine.get();
    rank.owner = EventOwner(static_cast<std::uint32_t>(i));
    give_memory(rank, pattern(i, count), i);
  }
  long messages = 0;
  for (int i = 0; i < count; ++i) {
    Rank& rank = ranks[static_cast<std::size_t>(i)];
    messages += iterations * address_messages(rank, ranks);
    rank.actor = s4u::Actor::create("rank", s4u::Host::by_name("node-" + std::to_string(i)), [&rank, iterations] {
      for (long iteration = 0; iteration < iterations; ++iteration) rank.iterate();
    });
  }
  engine.run();
  std::printf("bare %s: %ld messages in %.9f simulated seconds\n", argv[1], messages, machine->now().in_seconds());
}
