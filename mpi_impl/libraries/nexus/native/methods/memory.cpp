// Requests through the memory of a node, between processes on its processors: the sender copies the request into a
// buffer that both see, and enters it into the target's queue. The target's poll looks at the queue, and copies the
// request out.
#include <map>

#include "mpi_impl/libraries/common/steps_of_file.hpp"
#include "mpi_impl/libraries/nexus/native/method_kinds.hpp"
#include "mpi_impl/libraries/nexus/native/methods/queue.hpp"
#include "simulator/engine/kept_texts.hpp"

namespace hindcast::nexus {

namespace {

// Of a kind of node: its processors' copies.
struct MemoryCopies {
  RatedStep in;
  RatedStep out;
};

struct NodeMemory {
  int node;
  const MemoryCopies& copies;
  MemoryPort* port;  // null: nobody else comes to the memory
};

class MemoryMethod final : public QueueMethod, private EventSink {
 public:
  MemoryMethod(const MethodStart& start, const Costs& costs, Time seen, const NodeMemory& memory, Engine& engine)
      : QueueMethod(start, "memory", costs),
        seen_(seen),
        memory_(memory),
        engine_(engine),
        owner_(engine.new_owner()) {}

  bool reaches(const Context& other) const override {
    return static_cast<const MemoryMethod*>(other.method(name()))->memory_.node == memory_.node;
  }

  void send(Message& message, const Wait&) override {
    Thread& thread = *Thread::current();
    thread.spend(costs().send, message.number);
    copy(memory_.copies.in, message);
    thread.act(*this, reinterpret_cast<std::uint64_t>(&message));
  }

  Message* take(const Wait&) override {
    Message& message = first();
    Thread::current()->spend(costs().receive, message.number);
    copy(memory_.copies.out, message);
    return &message;
  }

 private:
  void copy(const RatedStep& step, const Message& message) const {
    Thread& thread = *Thread::current();
    if (memory_.port != nullptr)
      return memory_.port->move(thread, step.kind, step.rate, message.on_wire, message.number);
    thread.spend(step, message.on_wire.count(), message.number);
  }

  // It has been entered; or the target sees that.
  void fire(const Event& event) override {
    auto& message = *reinterpret_cast<Message*>(event.data);
    const Time now = engine_.now();
    if (event.kind() == EventKind::act && seen_ > Time())
      return engine_.at(now + seen_, EventKind::hardware, owner_, *this, event.data);
    at(*message.to).land(message, now);
  }

  const Time seen_;
  const NodeMemory memory_;
  Engine& engine_;
  EventOwner owner_;
};

class MemoryKind final : public MethodKind {
 public:
  explicit MemoryKind(const KindStart& start)
      : start_(start),
        costs_{step_of(file(), "entry in the queue of another process", "shared_memory.send_overhead"),
               step_of(file(), "taking out of the queue in memory", "shared_memory.receive_overhead"),
               step_above_zero_of(file(), "look at the queue in memory", "shared_memory.poll")},
        seen_(file().time("shared_memory.latency")) {}

  // Contexts of nodes on which there is but one process have nobody to speak to so.
  std::unique_ptr<Method> open(const MethodStart& start) override {
    const NodeKind& kind = start_.machine.kind_of(start.node);
    if (kind.processors < 2) return nullptr;
    const NodeMemory memory{start.node, copies_of(kind), start_.memory_of(start.node)};
    return std::make_unique<MemoryMethod>(start, costs_, seen_, memory, start_.engine);
  }

 private:
  const MachineFile& file() const { return start_.machine.parameters(); }
  const MemoryCopies& copies_of(const NodeKind& kind) {
    const auto [known, is_new] = copies_.try_emplace(kind.prefix);
    if (!is_new) return known->second;
    const char* key = texts_.keep(kind.prefix + ".copy_bandwidth");
    const Rate rate = kind.processor.copy_bandwidth;
    known->second = {{{"copy into shared memory", key}, rate}, {{"copy out of shared memory", key}, rate}};
    return known->second;
  }

  const KindStart start_;
  const QueueMethod::Costs costs_;
  const Time seen_;
  KeptTexts texts_;
  std::map<std::string, MemoryCopies> copies_;  // by kind of node
};

std::unique_ptr<MethodKind> make_memory(const KindStart& start) { return std::make_unique<MemoryKind>(start); }
const Row<MethodRow> methods_memory_row{{.name = "memory", .make = make_memory, .key = "shared_memory.poll"}};

}  // namespace

}  // namespace hindcast::nexus
