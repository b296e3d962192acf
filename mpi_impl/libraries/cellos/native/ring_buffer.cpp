#include "mpi_impl/libraries/cellos/native/ring_buffer.hpp"

#include <fmt/format.h>

#include "mpi_impl/libraries/cellos/native/cell.hpp"

namespace hindcast::cellos {

// Those whose time has come.
void RingBuffer::collect_releases() {
  for (Cell* process : node_.processes())
    for (const auto& thread : process->rank().threads) thread->fire_quiet_acts();
}

// Those to come, as somebody waits for them.
void RingBuffer::hear_releases() {
  for (Cell* process : node_.processes())
    for (const auto& thread : process->rank().threads) thread->make_quiet_acts_heard();
}

void RingBuffer::want_room() {
  for (Cell* process : node_.processes()) process->room_is_wanted();
}

bool RingBuffer::has_room(Bytes bytes) const { return used_ + bytes <= system_.costs().ring_buffer; }

bool RingBuffer::reserve(const Transfer& transfer) {
  if (!has_room(transfer.bytes)) [[unlikely]]
    collect_releases();
  if (has_room(transfer.bytes)) {
    used_ = used_ + transfer.bytes;
    return true;
  }
  hear_releases();
  const auto& message = static_cast<const Message&>(transfer);
  if (system_.costs().overflow_ends)
    system_.end_run(
        1, fmt::format("{}: no room for a message of {} bytes from {}: {} of the ring buffer's {} bytes "
                       "(cellos.ring_buffer) are in use, and cellos.overflow is 'end'",
                       name_of(message.receiver->number()), transfer.bytes.count(), name_of(message.sender->number()),
                       used_.count(), system_.costs().ring_buffer.count()));
  want_room();
  return false;
}

}  // namespace hindcast::cellos
