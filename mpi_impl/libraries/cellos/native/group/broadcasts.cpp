#include "mpi_impl/libraries/cellos/native/group/broadcasts.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/libraries/cellos/native/steps.hpp"

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
  broadcast.source = outgoing.data;
  broadcast.payload_bytes = bytes;
  broadcast.lead = outgoing.lead;
  broadcast.purpose = outgoing.purpose;
  if (bytes == Bytes()) return broadcast;
  broadcast.payload = system_.pool().take(bytes.count());
  std::memcpy(broadcast.payload, outgoing.data, bytes.count());
  return broadcast;
}

void Broadcasts::fire(const Event& event) {
  if ((event.data & moving) != 0) {
    auto& message = *reinterpret_cast<Message*>(event.data & ~moving);
    Broadcast& broadcast = *message.broadcast;
    message.receiver->arrived(message);
    return taken(broadcast);
  }
  auto& broadcast = *reinterpret_cast<Broadcast*>(event.data & ~taking);
  if ((event.data & taking) != 0) return taken(broadcast);
  bus_.request(broadcast);
}

// --- on the bus ---

void Broadcasts::granted(BusTransfer& transfer) {
  auto& broadcast = static_cast<Broadcast&>(transfer);
  if (broadcast.sender->is_host()) broadcast.line = &system_.host().line().line();
  for (Cell* cell : system_.by_rank()) {
    if (cell == broadcast.sender || !cell->receives(broadcast)) continue;
    broadcast.messages.push_back(&cell->new_message_of(broadcast));
    ++broadcast.users;
    if (cell->is_host()) broadcast.line = &system_.host().line().line();
  }
  if (held_ == BusIsHeld::for_wire_time) take_rooms(broadcast);
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
}

void Broadcasts::admit(Transfer& transfer) {
  auto& message = static_cast<Message&>(transfer);
  if (held_ == BusIsHeld::until_taken) return move_to_ring(message);
  if (--message.broadcast->rooms_lacking == 0) start(*message.broadcast);
}

void Broadcasts::delivered(BusTransfer& transfer) {
  auto& broadcast = static_cast<Broadcast&>(transfer);
  const std::vector<Message*> messages = std::move(broadcast.messages);
  auto next = messages.begin();
  const auto concerns = [&](const Cell* cell) {
    return cell == broadcast.sender || std::any_of(messages.begin(), messages.end(),
                                                   [&](const Message* message) { return message->receiver == cell; });
  };
  // One more than there are, so that it is not over before the last one has been told.
  broadcast.holders = 1;
  for (Cell* cell : system_.by_rank()) {
    if (next != messages.end() && (*next)->receiver == cell)
      deliver(**next++);
    else if (cell->is_alone_on_node() ? cell != broadcast.sender && !cell->is_host()
                                      : cell->is_first_on_node() && !cell->is_any_on_node(concerns))
      cell->discard(broadcast);
  }
  taken(broadcast);
}

void Broadcasts::deliver(Message& message) {
  Cell& cell = *message.receiver;
  if (held_ == BusIsHeld::for_wire_time) return cell.arrived(message);
  ++message.broadcast->holders;
  if (cell.mailbox(message.space).is_waited_for(message.key)) {
    message.is_in_interface = true;
    return cell.arrived(message);
  }
  if (message.room->take(message, *this)) move_to_ring(message);
}

void Broadcasts::move_to_ring(Message& message) {
  Thread& thread = message.receiver->rank().attendant();
  const Bytes bytes = message.broadcast->lead + message.payload_bytes;
  CostOfSteps cost;
  const Costs& costs = message.receiver->costs();
  spend_copy_out(cost, costs, message.is_misaligned(), bytes, 0);
  const Time start = thread.interrupt(cost.sum());
  ServedSteps steps(thread, start);
  spend_copy_out(steps, costs, message.is_misaligned(), bytes, message.message);
  system_.engine().at(steps.at(), EventKind::hardware, owner_, *this,
                      reinterpret_cast<std::uint64_t>(&message) | moving);
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
