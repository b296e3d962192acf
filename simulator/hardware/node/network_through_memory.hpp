// A network whose units read and write the memories of nodes through the ports that the nodes' processors share
// (memory_port.hpp). It is another network's, whose way stays as it is. What the memories add:
//
//   At the sender the unit reads a message from when it enters the network, at `own` rate at most. If the last byte has
//   been read later than the network would have taken it, it arrives a latency after that, or when it would have
//   anyway. At the receiver the unit begins to write so early that it would be done when the last byte arrives: own x
//   bytes before that. The message has arrived when its last byte has, and has been written.
//
// A unit reads one message after the other, and writes one after the other, so that those of a pair stay in order. One
// so short that it fits in between what others move at the port is read as it leaves and written as it comes, unless
// the unit is at another.
// The network has to foresee injections when it is entered, as a wormhole network does.
#pragma once

#include <memory>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/node/memory_port.hpp"

namespace hindcast {

class NetworkThroughMemory final : public Network, private TransferSink, private EventSink {
 public:
  // All outlive it. `waits` is what a recorder is told of time that the memories add.
  NetworkThroughMemory(Engine& engine, Network& network, Bandwidth own, const StepKind& waits)
      : engine_(engine), network_(network), own_(own), waits_(waits) {}

  // Before the run. At the others units have a way of their own to the memory.
  void add(int node, MemoryPort& port);

  void submit(Transfer& transfer) override;
  void fetch(const Transfer& transfer) const override { network_.fetch(transfer); }
  Time latency(int from, int to) override { return network_.latency(from, to); }
  bool keeps_pairs_in_order() const override { return network_.keeps_pairs_in_order(); }

 private:
  // A message on its way: the network's transfer, and the one that was submitted.
  struct Passage {
    Transfer inner;
    Transfer* outer;
    Time came;         // of the last byte, as the network has it
    int open;          // reading, writing and the way of the last byte: what is not over
    Passage* next[2];  // behind it at the unit that reads, and at the one that writes
  };
  enum Work : std::uint8_t { reading, writing };
  enum class Moment : std::uint8_t { read, due, written, arrived };
  // What a node's unit reads, or writes: the first now, the others behind it.
  struct Line {
    Passage* first = nullptr;
    Passage* last = nullptr;
    std::uint32_t use = 0;  // of the port, by the first
  };
  struct Node {
    MemoryPort* port = nullptr;
    EventOwner owner;
    Line lines[2];
  };

  Node& node(int number);
  static Passage& passage_of(Transfer& inner) { return reinterpret_cast<Passage&>(inner); }
  static int node_of(const Passage& passage, Work work) {
    return work == reading ? passage.inner.from : passage.inner.to;
  }
  void entered(Transfer& inner) override;
  void arrived(Transfer& inner) override;
  void fire(const Event& event) override;
  void fetch(const Event& event, FetchLevel level) const override;
  void fetch(const Transfer& inner, FetchLevel level) const override;
  void at(Time time, int node, Passage& passage, Moment moment);
  bool is_short_at(int number, Bytes bytes) const;
  void line_up(Passage& passage, Work work);
  void begin(Passage& passage, Work work);
  bool is_over(Passage& passage, Work work);
  bool fits_in_between(const Passage& passage, Work work) const;
  void end_reading(Passage& passage);
  void tell_entered(Passage& passage, Time injected);
  void end_part(Passage& passage);
  Passage& new_passage();

  Engine& engine_;
  Network& network_;
  const Bandwidth own_;
  const StepKind waits_;
  std::vector<Node> nodes_;
  std::vector<std::unique_ptr<Passage>> all_passages_;
  std::vector<Passage*> free_passages_;
};

}  // namespace hindcast
