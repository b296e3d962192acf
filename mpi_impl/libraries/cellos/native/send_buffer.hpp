// A cell's system buffer for messages that leave: each has room reserved before it is copied there, has its place once
// it is, and gives it back when the message controller has read it.
#pragma once

#include <cstdint>

#include "simulator/engine/fifo.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::cellos {

class Node;

class SendBuffer {
 public:
  struct Place {
    Bytes bytes;
    int to = 0;                  // a cell
    Time until = Time::never();  // not known before the message enters the net
  };

  SendBuffer(Bytes capacity, Node& node) : node_(node), capacity_(capacity) {}

  // Whether there is room at `time`, as far as is known.
  bool has_room(Bytes bytes, Time time) {
    while (!places_.empty() && places_.front().until <= time) {
      used_ = Bytes(used_.count() - places_.front().bytes.count());
      places_.pop_front();
      --known_;
    }
    return used_ + bytes <= capacity_;
  }
  // The one that was copied there first, if the copy is over.
  const Place* first() { return places_.empty() ? nullptr : &places_.front(); }

  void fetch() const { places_.fetch(); }
  void reserve(Bytes bytes) { used_ = used_ + bytes; }
  void put(Bytes bytes, int to) { places_.push_back({bytes, to}); }
  // From now on processes of the node may wait for room.
  void expect_waiting() { wakes_ = true; }
  // In a handler. Messages enter the net in the order in which they were copied. Who waits for room is woken.
  void entered(Time injected) {
    (places_.begin() + known_++)->until = injected;
    if (wakes_) [[unlikely]]
      wake_waiting();
  }

 private:
  void wake_waiting();

  Node& node_;
  Bytes capacity_;
  Bytes used_;
  std::int32_t known_ = 0;  // how many places have an end that is known
  bool wakes_ = false;      // until somebody waits, an entry need not look at the node's processes
  Fifo<Place> places_;
};

}  // namespace hindcast::cellos
