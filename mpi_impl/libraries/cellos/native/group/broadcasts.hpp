// Broadcasts of CellOS over the broadcast net.
//
// The sender's call returns when the data is captured; it stays in a system buffer, held once for all receivers, until
// the bus has carried it. Which cells a broadcast is for is known when it gets the bus: all others, or those that
// receive in its domain by then. It starts when each of these has room for it in its ring buffer, which the interface
// fills. The rest hold no buffer.
//
// That the processor is interrupted for a broadcast, and when, is a hypothesis, and the same for cells that take it and
// for those that discard it: when its first byte comes, when its last one has, or not at all.
//
// In runs with the host, cbroad is to the cells alone, and so is a domain that the host has not registered: the host
// does not notice. A broadcast that it sends or receives goes at the pace of its line.
//
// Held until taken: the bus is free again when every cell that the broadcast is for has done with it for now. Where a
// call waits for it in the kernel, that is when the call has copied it out; where none does, when the system has joined
// it to the queue, from which a call that comes later copies it.
// Held for the wire time: the bus is free when the last byte has passed.
#pragma once

#include <vector>

#include "mpi_impl/libraries/cellos/native/message.hpp"
#include "simulator/hardware/collective/broadcast_bus.hpp"
#include "simulator/hardware/network/room.hpp"
#include "simulator/hardware/node/program_arrays.hpp"

namespace hindcast::cellos {

class System;
struct Outgoing;

enum class BusIsHeld : std::uint8_t { until_taken, for_wire_time };

// From the call that sends it until every receiver has copied it.
struct Broadcast : BusTransfer {
  Cell* sender = nullptr;
  Space space = Space::plain;
  matching::Key key;
  PlaceInArray source;  // of the sender's; nowhere if the broadcast is empty
  void* payload = nullptr;
  Bytes payload_bytes;
  Bytes lead;  // as of an Outgoing, the same below
  std::uint8_t purpose = 0;
  int users = 1;  // of the data: the bus, and a message for each receiver
  int rooms_lacking = 0;
  int holders = 0;                 // cells that have not done with it
  std::vector<Message*> messages;  // while the bus has it
};

class Broadcasts final : public EventSink, private BusSink, private Entrance {
 public:
  Broadcasts(System& system, BroadcastBus& bus, BusIsHeld held);

  // The data travels with it from now on.
  Broadcast& capture(Cell& sender, const Outgoing& outgoing);
  // Acts of threads: a broadcast is asked for, or one cell has done with it.
  static std::uint64_t request_of(const Broadcast& broadcast) { return reinterpret_cast<std::uint64_t>(&broadcast); }
  static std::uint64_t taking_of(const Broadcast& broadcast) { return request_of(broadcast) | taking; }
  void fire(const Event& event) override;

  // By a handler: one cell has done with it.
  void taken(Broadcast& broadcast);
  // One of its users needs it no longer.
  void drop(Broadcast& broadcast);

 private:
  static constexpr std::uint64_t taking = 1;
  static constexpr std::uint64_t hearing = 2;

  void granted(BusTransfer& transfer) override;
  void delivered(BusTransfer& transfer) override;
  void admit(Transfer& transfer) override;
  void take_rooms(Broadcast& broadcast);
  void start(Broadcast& broadcast);
  void interrupt_cells(const Broadcast& broadcast);
  static bool discards(const Cell& cell, const Broadcast& broadcast);
  void deliver(Message& message);
  void hear(Message& message);

  System& system_;
  BroadcastBus& bus_;
  const BusIsHeld held_;
  EventOwner owner_;
};

}  // namespace hindcast::cellos
