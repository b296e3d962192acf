#include "mpi_impl/libraries/cellos/native/group/broadcasts.hpp"

#include <algorithm>
#include <new>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "simulator/engine/memory/copy_bytes.hpp"

namespace hindcast::cellos {

Broadcasts::Broadcasts(System& system, BroadcastBus& bus, BusIsHeld held)
    : system_(system), bus_(bus), held_(held), owner_(system.engine().new_owner()) {}

Broadcast& Broadcasts::capture(Cell& sender, const Outgoing& outgoing) {
  const Bytes bytes = outgoing.bytes;
  auto& broadcast = *new (system_.pool().take(sizeof(Broadcast))) Broadcast();
  broadcast.from = sender.node();
  broadcast.bytes = system_.costs().header + outgoing.lead + bytes;
  broadcast.sink = this;
  broadcast.sender = &sender;
  broadcast.space = outgoing.space;
  broadcast.key = outgoing.key;
  broadcast.payload_bytes = bytes;
  broadcast.lead = outgoing.lead;
  broadcast.purpose = outgoing.purpose;
  if (bytes == Bytes()) return broadcast;
  broadcast.source = system_.arrays().place_of(outgoing.data, bytes);
  broadcast.payload = system_.pool().take(bytes.count());
  copy_bytes(broadcast.payload, outgoing.data, bytes.count());
  return broadcast;
}

void Broadcasts::fire(const Event& event) {
  if ((event.data & hearing) != 0) return hear(*reinterpret_cast<Message*>(event.data & ~hearing));
  auto& broadcast = *reinterpret_cast<Broadcast*>(event.data & ~taking);
  if ((event.data & taking) != 0) return taken(broadcast);
  bus_.request(broadcast);
}

// --- on the bus ---

void Broadcasts::granted(BusTransfer& transfer) {
  auto& broadcast = static_cast<Broadcast&>(transfer);
  if (broadcast.sender->is_host()) broadcast.line = &system_.host().line().line();
  for (const auto& [cell, ring, node] : system_.by_rank()) {
    if (cell == broadcast.sender || !cell->receives(broadcast)) continue;
    broadcast.messages.push_back(&cell->new_message_of(broadcast));
    ++broadcast.users;
    if (cell->is_host()) broadcast.line = &system_.host().line().line();
  }
  take_rooms(broadcast);
  if (broadcast.rooms_lacking == 0) start(broadcast);
}

void Broadcasts::take_rooms(Broadcast& broadcast) {
  for (Message* message : broadcast.messages)
    if (!message->room->take(*message, *this)) ++broadcast.rooms_lacking;
}

void Broadcasts::start(Broadcast& broadcast) {
  broadcast.slow_bytes = broadcast.sender->bytes_from_memory(broadcast);
  broadcast.slow_rate = system_.costs().memory_read;
  bus_.start(broadcast);
  broadcast.sender->started(broadcast);
  if (system_.costs().interrupts == Interrupts::at_start) interrupt_cells(broadcast);
}

void Broadcasts::admit(Transfer& transfer) {
  const auto& message = static_cast<Message&>(transfer);
  if (--message.broadcast->rooms_lacking == 0) start(*message.broadcast);
}

// Those that take it, and those that do not: of several processes on a cell one is interrupted for all, if it is for
// none of them.
void Broadcasts::interrupt_cells(const Broadcast& broadcast) {
  auto next = broadcast.messages.begin();
  for (const auto& [cell, ring, node] : system_.by_rank()) {
    if (next != broadcast.messages.end() && (*next)->receiver == cell)
      (*next++)->is_heard_at = cell->interrupt_for(cell->costs().broadcast_taken, broadcast);
    else if (discards(*cell, broadcast))
      cell->interrupt_for(cell->costs().broadcast_discarded, broadcast);
  }
}

bool Broadcasts::discards(const Cell& cell, const Broadcast& broadcast) {
  if (cell.has_gone()) return false;
  if (cell.is_alone_on_node()) return &cell != broadcast.sender && !cell.is_host();
  if (!cell.is_first_on_node()) return false;
  return !cell.is_any_on_node([&](const Cell* process) {
    return process == broadcast.sender ||
           std::any_of(broadcast.messages.begin(), broadcast.messages.end(),
                       [&](const Message* message) { return message->receiver == process; });
  });
}

void Broadcasts::delivered(BusTransfer& transfer) {
  auto& broadcast = static_cast<Broadcast&>(transfer);
  if (system_.costs().interrupts == Interrupts::at_end) interrupt_cells(broadcast);
  const std::vector<Message*> messages = std::move(broadcast.messages);
  // One more than there are, so that it is not over before the last one has been told.
  broadcast.holders = 1;
  for (Message* message : messages) deliver(*message);
  taken(broadcast);
}

void Broadcasts::deliver(Message& message) {
  if (held_ == BusIsHeld::until_taken) ++message.broadcast->holders;
  if (message.is_heard_at <= system_.engine().now()) return hear(message);
  system_.engine().at(message.is_heard_at, EventKind::hardware, owner_, *this,
                      reinterpret_cast<std::uint64_t>(&message) | hearing);
}

// The message may be gone when the cell has been told of it.
void Broadcasts::hear(Message& message) {
  Cell& cell = *message.receiver;
  Broadcast& broadcast = *message.broadcast;
  const bool until_taken = held_ == BusIsHeld::until_taken;
  message.holds_bus = until_taken && cell.mailbox(message.space).is_waited_for(message.key);
  const bool is_done_with = until_taken && !message.holds_bus;
  cell.arrived(message);
  if (is_done_with) taken(broadcast);
}

void Broadcasts::taken(Broadcast& broadcast) {
  if (--broadcast.holders > 0) return;
  bus_.release();
  drop(broadcast);
}

void Broadcasts::drop(Broadcast& broadcast) {
  if (--broadcast.users > 0) return;
  if (broadcast.payload != nullptr) system_.pool().give_back(broadcast.payload, broadcast.payload_bytes.count());
  broadcast.~Broadcast();
  system_.pool().give_back(&broadcast, sizeof(Broadcast));
}

}  // namespace hindcast::cellos
