#include "mpi_impl/libraries/cellos/native/node.hpp"

#include <new>

#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

Node::Node(System& system)
    : ring(system, *this),
      send_buffer(system.costs().send_buffer),
      broadcast_buffer(system.costs().send_buffer),
      host_buffer(system.costs().send_buffer),
      system_(system),
      cache_(system.costs().cache, system.costs().cache_line) {}

Bytes Node::bytes_from_memory(const Broadcast& broadcast) {
  for (Cell* process : processes_)
    for (const auto& thread : process->rank().threads) thread->fire_quiet_acts();
  return cache_.pass_over(broadcast.source.array, broadcast.source.from, broadcast.payload_bytes);
}

void Node::received(Time at, EventOrder order, Thread& thread, const void* program, Bytes bytes, Bytes of_message) {
  if (bytes > Bytes() && program != nullptr)
    return copied(at, order, thread, Copy{Copied::out, place_of(program, bytes), bytes, of_message});
  if (of_message > Bytes()) ring.release_at(at, order, thread, of_message);
}

PlaceInArray Node::place_of(const void* program, Bytes bytes) { return system_.arrays().place_of(program, bytes); }

void Node::copied(Time at, EventOrder order, Thread& thread, const Copy& copy) {
  auto* kept = new (system_.pool().take(sizeof(Copy))) Copy(copy);
  thread.insert_quiet_act(at, order, *this, reinterpret_cast<std::uint64_t>(kept));
}

// What is read first, then what is written.
void Node::fire(const Event& event) {
  auto* copy = reinterpret_cast<Copy*>(event.data);
  if (copy->way == Copied::out) pass_over_buffer(copy->way, copy->bytes);
  cache_.pass_over(copy->program.array, copy->program.from, copy->bytes);
  if (copy->way == Copied::in) pass_over_buffer(copy->way, copy->bytes);
  if (copy->leaves_ring_buffer > Bytes()) ring.release(copy->leaves_ring_buffer);
  system_.pool().give_back_record(copy, sizeof(Copy));
}

// One message behind the other, and from the beginning again at the end.
void Node::pass_over_buffer(Copied way, Bytes bytes) {
  const Costs& costs = system_.costs();
  const std::uint64_t size = (way == Copied::in ? costs.send_buffer : costs.ring_buffer).count();
  std::uint64_t& filled = filled_[static_cast<int>(way)];
  if (filled + bytes.count() > size) filled = 0;
  cache_.pass_over(static_cast<std::uint64_t>(way), static_cast<std::int64_t>(filled), bytes);
  filled += bytes.count();
}

void Node::wake_those_without_send_room() {
  for (Cell* process : processes_) process->wake_if_without_send_room();
}

}  // namespace hindcast::cellos
