// A node's system buffer: the message controller fills it, without the processor, with what arrives, and a receive
// copies out of it. What arrives has reserved its place when it entered the network.
//
// That there is room again is nothing that anybody waits for, but when the buffer is full: until then the ends of
// receives are quiet acts of their threads.
#pragma once

#include "simulator/engine/rank.hpp"
#include "simulator/hardware/network/room.hpp"

namespace hindcast::ap3000 {

class SystemBuffer final : public Room, public EventSink {
 public:
  SystemBuffer(Engine& engine, Bytes capacity) : Room(engine), capacity_(capacity) {}

  // Whose receives empty it; null: nobody's any more.
  void serve(const Rank* rank) { rank_ = rank; }
  Bytes used();

  // In a handler.
  void release(Bytes bytes);
  // By a thread at the end of a receive.
  void release_now(Thread& thread, Bytes bytes);

 private:
  // A receive's end, which carries how many bytes are free again.
  void fire(const Event& event) override { release(Bytes(event.data)); }
  bool reserve(const Transfer& transfer) override;
  bool has_room(Bytes bytes) const { return used_ + bytes <= capacity_; }
  void collect_releases();

  const Rank* rank_ = nullptr;
  const Bytes capacity_;
  Bytes used_;
};

}  // namespace hindcast::ap3000
