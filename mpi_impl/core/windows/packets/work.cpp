#include "mpi_impl/core/windows/packets/work.hpp"

#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/windows/packets/target_data.hpp"
#include "mpi_impl/core/windows/windows.hpp"
#include "mpi_impl/transport/target_handlers.hpp"

namespace hindcast::mpi {

namespace {

// To who waits for it, at the calling rank or at another.
void give_answer(Process& process, const Window& window, int origin, Answer* answer, std::span<const std::byte> data,
                 const Worker& worker) {
  if (answer == nullptr) return;
  const int to = window.comm->world_rank(origin);
  if (to == process.world_rank()) return land(*answer, data.data(), data.size(), worker.now());
  Packet packet{PacketKind::answer};
  packet.answer = answer;
  packet.bytes = data.size();
  process.windows().carrier().reply(to, packet, data.data(), worker.now());
}

void answer_packet(Process& process, const Packet& packet, std::span<const std::byte> data, const Worker& worker) {
  give_answer(process, *packet.window, packet.origin, packet.answer, data, worker);
}

// By the processor, if that does the work.
void spend_target_copy(Process& process, std::uint64_t bytes, const Worker& worker) {
  if (worker.thread != nullptr) process.endpoint().local().spend_copy(Bytes(bytes), 0);
}

// A thread copies the data first: it may give way after that, and the target's memory change.
void answer_with_target(Process& process, const Packet& packet, const Worker& worker) {
  if (worker.thread == nullptr && packet.lies_together)
    return answer_packet(process, packet, {packet.address, packet.target_bytes}, worker);
  std::vector<std::byte> data(packet.target_bytes);
  read_target(packet, data.data());
  spend_target_copy(process, data.size(), worker);
  answer_packet(process, packet, data, worker);
}

void combine_at_target(Process& process, const Packet& packet, const std::byte* data, const Worker& worker) {
  if (worker.thread != nullptr)
    process.endpoint().local().spend_combine(target_elements(packet), arithmetic_of(packet));
  std::vector<std::byte> before(packet.answer != nullptr ? packet.target_bytes : 0);
  if (packet.answer != nullptr) read_target(packet, before.data());
  combine_with_target(packet, data);
  answer_packet(process, packet, before, worker);
}

// The data are what is compared with, and what is to be there then.
void compare_and_swap(Process& process, const Packet& packet, const std::byte* data, const Worker& worker) {
  std::vector<std::byte> before(packet.target_bytes);
  read_target(packet, before.data());
  if (std::memcmp(before.data(), data, before.size()) == 0) write_target(packet, data + before.size());
  if (worker.thread != nullptr) process.endpoint().local().spend_combine(1, arithmetic_of(packet));
  answer_packet(process, packet, before, worker);
}

void take_lock(Process& process, const Packet& packet, TargetLock& lock, const Worker& worker) {
  if (lock.take({packet.origin, packet.is_exclusive, packet.answer})) answer_packet(process, packet, {}, worker);
}

void release_lock(Process& process, const Packet& packet, TargetLock& lock, const Worker& worker) {
  const TargetLock::Granted granted = lock.release(packet.origin);
  answer_packet(process, packet, {}, worker);
  for (const TargetLock::Wanted& next : granted)
    give_answer(process, *packet.window, next.origin, next.answer, {}, worker);
}

void note_post(Window& window, int from, Time at) {
  window.posts[from].push_back(at);
  if (window.post_is_here != nullptr && window.post_awaited_from == from)
    std::exchange(window.post_is_here, nullptr)->complete(at);
}

void note_completed(Window& window, int from, Time at) {
  window.completed.push_back(from);
  window.completed_at = at;
  const bool are_all = window.posted != nullptr && static_cast<int>(window.completed.size()) >= window.posted->size();
  if (are_all && window.all_completed != nullptr) std::exchange(window.all_completed, nullptr)->complete(at);
}

}  // namespace

// Elements are combined where they lie together: an origin's are copied there out of what has brought them.
HandlerWork cost_of_work_on(const Packet& packet) {
  const Bytes answered(packet.answer != nullptr ? packet.target_bytes : 0);
  switch (packet.kind) {
    case PacketKind::put:
    case PacketKind::get:
      return {Bytes(packet.target_bytes)};
    case PacketKind::accumulate:
      return {Bytes(packet.bytes) + answered, elements_combined(packet), arithmetic_of(packet)};
    case PacketKind::compare_and_swap:
      return {answered, 1, arithmetic_of(packet)};
    case PacketKind::answer:
      return {Bytes(packet.bytes)};
    default:
      return {};
  }
}

void work_on(Process& process, const Packet& packet, const std::byte* data, const Worker& worker) {
  switch (packet.kind) {
    case PacketKind::put:
      if (packet.address != data) spend_target_copy(process, packet.target_bytes, worker);
      write_target(packet, data);
      return forget_target(packet);
    case PacketKind::get:
      answer_with_target(process, packet, worker);
      return forget_target(packet);
    case PacketKind::accumulate:
      combine_at_target(process, packet, data, worker);
      return forget_target(packet);
    case PacketKind::compare_and_swap:
      return compare_and_swap(process, packet, data, worker);
    case PacketKind::lock:
      return take_lock(process, packet, packet.window->lock, worker);
    case PacketKind::unlock:
      return release_lock(process, packet, packet.window->lock, worker);
    case PacketKind::take_turn:
      return take_lock(process, packet, packet.window->turns, worker);
    case PacketKind::leave_turn:
      return release_lock(process, packet, packet.window->turns, worker);
    case PacketKind::flush:
      return answer_packet(process, packet, {}, worker);
    case PacketKind::post:
      return note_post(*packet.window, packet.origin, worker.now());
    case PacketKind::complete:
      return note_completed(*packet.window, packet.origin, worker.now());
    case PacketKind::answer:
      spend_target_copy(process, packet.bytes, worker);
      return land(*packet.answer, data, packet.bytes, worker.now());
  }
}

}  // namespace hindcast::mpi
