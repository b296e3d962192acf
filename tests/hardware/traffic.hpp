// Transfers over a network, without programs: what is sent when, and what became of it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/hardware/network/network.hpp"
#include "simulator/hardware/network/room.hpp"

namespace hindcast::test {

struct Sent {
  Time at;
  int from = 0;
  int to = 0;
  std::uint64_t bytes = 0;
  // Results.
  Time entered;
  Time injected;
  Time arrived;
  int arrival_number = 0;
};

// A receiver with a finite buffer, in which each message stays for so long after it has arrived.
struct Buffer {
  std::uint64_t capacity = 0;
  Time stay;
};
using Buffers = std::map<int, Buffer>;  // by node; others take all that comes

// Submits each transfer at its time, those of one time in their order, and writes down when each entered and arrived.
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

}  // namespace hindcast::test
