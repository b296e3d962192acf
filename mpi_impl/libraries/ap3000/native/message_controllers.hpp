// The message controllers of the nodes, with the nodes' SBuses and system buffers.
//
// A node's message controller reads what is sent, and writes what arrives, over the node's SBus, which is one bus for
// both. It begins to write as soon as the first bytes come. So the least of SBus and links is what a message goes at,
// and a node that sends and receives at one time does both more slowly.
#pragma once

#include <memory>
#include <vector>

#include "mpi_impl/libraries/ap3000/native/system_buffer.hpp"
#include "simulator/hardware/node/network_through_memory.hpp"

namespace hindcast::ap3000 {

// Between a node's memory and its message controller.
struct SBus {
  Bandwidth bandwidth;
  MemoryPort::Sharing sharing;   // how its two directions get along
  Bandwidth message_controller;  // at most
};

class MessageControllers {
 public:
  MessageControllers(Engine& engine, Network& network, const SBus& sbus, Bytes system_buffer)
      : engine_(engine),
        sbus_(sbus),
        system_buffer_(system_buffer),
        network_(engine, network, slower_of(sbus.message_controller, sbus.bandwidth),
                 StepKind{"wait for the SBus", "sbus.bandwidth"}) {}

  // Behind the SBuses.
  Network& network() { return network_; }
  Bytes system_buffer() const { return system_buffer_; }
  SystemBuffer& buffer_at(int place);

 private:
  struct Place {
    Place(Engine& engine, const SBus& sbus, Bytes capacity)
        : bus(sbus.bandwidth, sbus.sharing), buffer(engine, capacity) {}
    MemoryPort bus;
    SystemBuffer buffer;
  };

  Engine& engine_;
  const SBus sbus_;
  const Bytes system_buffer_;
  NetworkThroughMemory network_;
  std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace hindcast::ap3000
