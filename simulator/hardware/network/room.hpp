// Room at a receiver for what arrives: a ring buffer, a queue of so many slots. A transfer that needs some
// (Transfer::room) takes it when it enters the network. If there is none it waits in its sender, reserves nothing, and
// holds up those submitted behind it.
//
// Those that wait for one room enter in the order of the times at which they were refused, those of one instant in the
// order of their senders' nodes. Nobody overtakes: while one waits, who comes later is refused too, even if what he
// needs is there. So none waits for ever that others are let past, and which of them enters depends on the simulated
// times alone.
#pragma once

#include <algorithm>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/fifo.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast {

// Of a network: where a transfer enters it.
class Entrance {
 public:
  // In a handler: the transfer, which was refused before, has its room now.
  virtual void admit(Transfer& transfer) = 0;

 protected:
  ~Entrance() = default;
};

class Room {
 public:
  explicit Room(Engine& engine) : engine_(engine) {}
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  // By a network, when the transfer is about to enter. If there is no room for it, `entrance` is told once there is.
  bool take(Transfer& transfer, Entrance& entrance);

  bool has_waiting() const { return !waiting_.empty(); }
  template <typename Condition>
  bool is_any_waiting(Condition condition) {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](const Waiting& one) { return condition(*one.transfer); });
  }

 protected:
  ~Room() = default;

  // Reserves what the transfer needs, or says no and changes nothing. What can never be had deadlocks its sender: the
  // receiver's library has to see to it that nobody asks for that.
  virtual bool reserve(const Transfer& transfer) = 0;

  // In a handler, when there is more room than before: those that wait enter now, as far as it goes.
  void admit_waiting();

 private:
  struct Waiting {
    Time since;
    Transfer* transfer;
    Entrance* entrance;
  };

  Engine& engine_;
  Fifo<Waiting> waiting_;
};

// Room for so many bytes, headers included.
class BufferRoom final : public Room {
 public:
  BufferRoom(Engine& engine, Bytes capacity) : Room(engine), capacity_(capacity) {}

  Bytes used() const { return used_; }
  Bytes capacity() const { return capacity_; }

  // In a handler: what a transfer took, or a part of it, is free again.
  void release(Bytes bytes);

 private:
  bool reserve(const Transfer& transfer) override;

  Bytes capacity_;
  Bytes used_;
};

}  // namespace hindcast
