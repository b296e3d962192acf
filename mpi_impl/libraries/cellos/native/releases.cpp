// What a message gives back when it has been received: its place in the ring buffer, and the bus if it was a broadcast.
#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

void Cell::release_now(Thread& thread, const Message& message) {
  ring().release_now(thread, message.bytes);
  if (message.holds_bus) thread.act(system_.broadcasts(), Broadcasts::taking_of(*message.broadcast));
}

void Cell::release_at(Time at, EventOrder order, Thread& thread, const Message& message) {
  ring().release_at(at, order, thread, message.bytes);
  give_bus_back_at(at, order, thread, message);
}

void Cell::received_now(Thread& thread, const Message& message, void* to, Bytes bytes) {
  if (!ring().has_waiting() && !message.holds_bus) [[likely]]
    return node_.received(thread.clock(), thread.reserve_act(), thread, to, bytes, message.bytes);
  node_.copied_out(thread, to, bytes);
  release_now(thread, message);
}

void Cell::received_at(Time at, EventOrder order, Thread& thread, const Message& message, void* to, Bytes bytes) {
  if (ring().has_waiting()) [[unlikely]] {
    node_.received(at, order, thread, to, bytes, Bytes());
    ring().release_at(at, order, thread, message.bytes);
  } else {
    node_.received(at, order, thread, to, bytes, message.bytes);
  }
  give_bus_back_at(at, order, thread, message);
}

void Cell::give_bus_back_at(Time at, EventOrder order, Thread& thread, const Message& message) {
  if (message.holds_bus) thread.insert_act(at, order, system_.broadcasts(), Broadcasts::taking_of(*message.broadcast));
}

void Cell::release(const Message& message) {
  ring().release(message.bytes);
  if (message.holds_bus) system_.broadcasts().taken(*message.broadcast);
}

}  // namespace hindcast::cellos
