// A cell's ring buffer: the message controller fills it, without the processor, with what arrives, and a receive copies
// out of it. What arrives has reserved its place when it entered the net.
#pragma once

#include "mpi_impl/native/cellos_system.hpp"
#include "simulator/hardware/room.hpp"

namespace hindcast::cellos {

class RingBuffer final : public Room, public EventSink {
 public:
  RingBuffer(System& system, int cell) : Room(system.engine()), system_(system), cell_(cell) {}

  Bytes used() const { return used_; }

  void release(Bytes bytes) {
    used_ = Bytes(used_.count() - bytes.count());
    admit_waiting();
  }
  // A receive's end, which carries how many bytes are free again.
  void fire(const Event& event) override { release(Bytes(event.data)); }

 private:
  bool reserve(const Transfer& transfer) override;

  System& system_;
  int cell_;
  Bytes used_;
};

}  // namespace hindcast::cellos
