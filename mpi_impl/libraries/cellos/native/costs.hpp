// What the machine's file says of CellOS: the steps that its calls are made of, and the sizes of its buffers.
#pragma once

#include "simulator/engine/recorder.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::cellos {

// Messages of l_asend, those of the domains package, and those of a library on either, which are apart from a
// program's.
enum class Space : std::uint8_t { plain, domains, library, library_without_domains };
constexpr int spaces = 4;
// When in its course a broadcast interrupts the cells that are on the net, those that take it and those that discard
// it.
enum class Interrupts : std::uint8_t { at_start, at_end, never };

// Of which messages the data is misaligned, or of which broadcasts: the header before it has another length with a
// domain.
enum class Misaligned : std::uint8_t { without_domain, with_domain, none };

constexpr bool has_domains(Space space) { return space == Space::domains || space == Space::library; }
constexpr bool is_of_library(Space space) { return space >= Space::library; }

struct Costs {
  FixedStep send;
  FixedStep receive;
  FixedStep domain;               // more for a send with a domain
  FixedStep broadcast;            // in its sender
  FixedStep selective;            // more for a broadcast with a domain
  FixedStep broadcast_taken;      // interruptions at a broadcast that is for the cell, and at one that is not
  FixedStep broadcast_discarded;  // as long
  FixedStep remote_service;       // of a put or a get, by the cell whose memory it is about
  FixedStep sync;
  FixedStep host_sync;     // hsync, of the host and all cells
  FixedStep host_scatter;  // h_sscatter and h_rgather, of the same
  FixedStep host_gather;
  FixedStep reduction;       // the call, of one number over all cells
  FixedStep reduction_step;  // of a cell that gets a number on its way
  FixedStep probe;
  FixedStep registration;  // of a domain, or its end
  RatedStep copy_in;       // to the system's send buffer
  RatedStep misaligned_in;
  Misaligned messages = Misaligned::without_domain;
  Misaligned broadcasts = Misaligned::with_domain;
  RatedStep copy_out;  // of the ring buffer
  RatedStep misaligned_out;
  Rate memory_read;  // by the message controller, of what is not in the cache
  Interrupts interrupts = Interrupts::at_end;
  Bytes cache;
  Bytes cache_line;
  Time clock_read;
  Bytes header;
  Bytes ring_buffer;
  Bytes send_buffer;
  int domains_max = 0;
  bool line_sending = false;   // the program waits while its message goes from its own memory to the net
  bool overflow_ends = false;  // a message for which there is no room ends the run, instead of waiting in its sender

  bool is_misaligned(Space space, bool is_broadcast) const {
    return (is_broadcast ? broadcasts : messages) ==
           (has_domains(space) ? Misaligned::with_domain : Misaligned::without_domain);
  }

  // The largest message's data.
  Bytes longest() const {
    const Bytes room = line_sending || ring_buffer < send_buffer ? ring_buffer : send_buffer;
    return room < header ? Bytes() : Bytes(room.count() - header.count());
  }
};

// What a call takes, step by step; `by` is a Thread, or whoever else can spend them.

template <typename Spender>
void spend_send_start(Spender& by, const Costs& costs, Space space, MessageId message) {
  by.spend(costs.send, message);
  if (has_domains(space)) by.spend(costs.domain, message);
}

template <typename Spender>
void spend_put_start(Spender& by, const Costs& costs, MessageId message) {
  by.spend(costs.send, message);
}

// What is empty is not copied.
template <typename Spender>
void spend_copy_in(Spender& by, const Costs& costs, Space space, Bytes bytes, MessageId message) {
  if (bytes == Bytes()) return;
  by.spend(costs.copy_in, bytes.count(), message);
  if (costs.is_misaligned(space, false)) by.spend(costs.misaligned_in, bytes.count(), message);
}

template <typename Spender>
void spend_broadcast_start(Spender& by, const Costs& costs, Space space, MessageId message) {
  by.spend(costs.broadcast, message);
  if (has_domains(space)) by.spend(costs.selective, message);
}

template <typename Spender>
void spend_copy_out(Spender& by, const Costs& costs, bool misaligned, Bytes bytes, MessageId message) {
  if (bytes == Bytes()) return;
  by.spend(costs.copy_out, bytes.count(), message);
  if (misaligned) by.spend(costs.misaligned_out, bytes.count(), message);
}

template <typename Spender>
void spend_receive(Spender& by, const Costs& costs, bool misaligned, Bytes copied, MessageId message) {
  by.spend(costs.receive, message);
  spend_copy_out(by, costs, misaligned, copied, message);
}

}  // namespace hindcast::cellos
