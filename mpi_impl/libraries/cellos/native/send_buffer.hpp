// A cell's system buffer for messages that leave: each has room reserved before it is copied there, has its place once
// it is, and gives it back when the message controller has read it.
#pragma once

#include "simulator/engine/fifo.hpp"
#include "simulator/engine/thread/waiting_threads.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::cellos {

class SendBuffer {
 public:
  struct Place {
    Bytes bytes;
    int to = 0;                  // a cell
    Time until = Time::never();  // not known before the message enters the net
  };

  // Who waits for room is woken when there may be some.
  SendBuffer(Bytes capacity, WaitingThreads& waiting) : waiting_(waiting), capacity_(capacity) {}

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
  // In a handler. Messages enter the net in the order in which they were copied.
  void entered(Time injected) {
    (places_.begin() + known_++)->until = injected;
    waiting_.wake();
  }

 private:
  WaitingThreads& waiting_;
  Bytes capacity_;
  Bytes used_;
  std::ptrdiff_t known_ = 0;  // how many places have an end that is known
  Fifo<Place> places_;
};

}  // namespace hindcast::cellos
