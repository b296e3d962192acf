#include "mpi_impl/libraries/cellos/native/node.hpp"

#include <new>

#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

Node::Node(System& system)
    : system_(system),
      cache_(system.costs().cache, system.costs().cache_line),
      send_buffer(system.costs().send_buffer, *this),
      ring(system, *this),
      broadcast_buffer(system.costs().send_buffer, *this),
      host_buffer(system.costs().send_buffer, *this) {}

void Node::go_over_what_was_copied() {
  for (Cell* process : processes_)
    for (const auto& thread : process->rank().threads) thread->fire_quiet_acts();
}

Bytes Node::bytes_from_memory(const Broadcast& broadcast) {
  go_over_what_was_copied();
  return cache_.count_pass_over(broadcast.source.array, broadcast.source.from, broadcast.payload_bytes);
}

void Node::received(Time at, EventOrder order, Thread& thread, const void* program, Bytes bytes, Bytes of_message) {
  if (bytes > Bytes() && program != nullptr)
    return copied(at, order, thread, From::ring_buffer, program, bytes, of_message);
  if (of_message > Bytes()) ring.release_at(at, order, thread, of_message);
}

PlaceInArray Node::place_of(const void* program, Bytes bytes) {
  return found_.place_of(system_.arrays(), program, bytes);
}

void Node::copied(Time at, EventOrder order, Thread& thread, From from, const void* program, Bytes bytes,
                  Bytes leaves_ring_buffer) {
  auto* kept = new (system_.pool().take(sizeof(Copy))) Copy{from, place_of(program, bytes), bytes, leaves_ring_buffer};
  thread.insert_quiet_act(at, order, *this, reinterpret_cast<std::uint64_t>(kept));
}

// What is read first, then what is written.
void Node::fire(const Event& event) {
  auto* copy = reinterpret_cast<Copy*>(event.data);
  if (copy->from == From::ring_buffer) pass_over_received(copy->bytes);
  cache_.pass_over(copy->program.array, copy->program.from, copy->bytes);
  if (copy->leaves_ring_buffer > Bytes()) ring.release(copy->leaves_ring_buffer);
  system_.pool().give_back_record(copy, sizeof(Copy));
}

void Node::copied_in(const PlaceInArray& program, Bytes bytes) {
  go_over_what_was_copied();
  cache_.pass_over(program.array, program.from, bytes);
  pass_over_sent(bytes);
}

namespace {

// Where in a buffer the next message lies.
std::int64_t next_in(Bytes& filled, Bytes bytes, Bytes size) {
  const Bytes begin = filled + bytes > size ? Bytes() : filled;
  filled = begin + bytes;
  return static_cast<std::int64_t>(begin.count());
}

}  // namespace

void Node::expect_waiting_for_send_room() {
  for (SendBuffer* buffer : {&send_buffer, &broadcast_buffer, &host_buffer}) buffer->expect_waiting();
}

void SendBuffer::wake_waiting() {
  for (Cell* process : node_.processes()) process->wake_if_without_send_room();
}

void Node::pass_over_sent(Bytes bytes) {
  cache_.pass_over(array_sent, next_in(sent_, bytes, system_.costs().send_buffer), bytes);
}

void Node::pass_over_received(Bytes bytes) {
  cache_.pass_over(array_received, next_in(received_, bytes, system_.costs().ring_buffer), bytes);
}

}  // namespace hindcast::cellos
