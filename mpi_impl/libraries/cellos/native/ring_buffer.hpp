// A cell's ring buffer: the message controller fills it, without the processor, with what arrives, and a receive copies
// out of it. What arrives has reserved its place when it entered the net.
//
// That there is room again is nothing that anybody waits for, but when the buffer is full: until then the ends of
// receives are quiet acts of their threads.
#pragma once

#include "mpi_impl/libraries/cellos/native/system.hpp"
#include "simulator/hardware/network/room.hpp"

namespace hindcast::cellos {

class Node;

class RingBuffer final : public Room, public EventSink {
 public:
  RingBuffer(System& system, const Node& node) : Room(system.engine()), system_(system), node_(node) {}

  Bytes used() {
    collect_releases();
    return used_;
  }

  void release(Bytes bytes) {
    used_ = Bytes(used_.count() - bytes.count());
    admit_waiting();
    if (has_waiting()) [[unlikely]]
      want_room();
  }
  // By a thread at the end of a receive.
  void release_now(Thread& thread, Bytes bytes) {
    if (has_waiting())
      thread.act(*this, bytes.count());
    else
      thread.act_quietly(*this, bytes.count());
  }
  // By a handler: the end of a receive is then, or later if it is put off.
  void release_at(Time at, EventOrder order, Thread& thread, Bytes bytes) {
    if (has_waiting())
      thread.insert_act(at, order, *this, bytes.count());
    else
      thread.insert_quiet_act(at, order, *this, bytes.count());
  }

 private:
  // A receive's end, which carries how many bytes are free again.
  void fire(const Event& event) override { release(Bytes(event.data)); }
  bool reserve(const Transfer& transfer) override;
  bool has_room(Bytes bytes) const;
  void collect_releases();
  void hear_releases();
  void want_room();

  System& system_;
  const Node& node_;
  Bytes used_;
};

}  // namespace hindcast::cellos
