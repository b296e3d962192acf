#include "mpi_impl/native/cellos_ring_buffer.hpp"

#include <fmt/format.h>

#include "mpi_impl/native/cellos_cell.hpp"

namespace hindcast::cellos {

bool RingBuffer::reserve(const Transfer& transfer) {
  const Bytes capacity = system_.costs().ring_buffer;
  if (used_ + transfer.bytes <= capacity) {
    used_ = used_ + transfer.bytes;
    return true;
  }
  if (system_.costs().overflow_ends)
    system_.end_run(
        1, fmt::format("cell {}: no room for a message of {} bytes from cell {}: {} of the ring buffer's {} bytes "
                       "(cellos.ring_buffer) are in use, and cellos.overflow is 'end'",
                       cell_, transfer.bytes.count(), static_cast<const Message&>(transfer).sender->number(),
                       used_.count(), capacity.count()));
  return false;
}

}  // namespace hindcast::cellos
