#include "mpi_impl/libraries/ap3000/native/system_buffer.hpp"

#include <cassert>

#include "mpi_impl/libraries/ap3000/native/node.hpp"

namespace hindcast::ap3000 {

Bytes SystemBuffer::used() {
  collect_releases();
  return used_;
}

void SystemBuffer::release(Bytes bytes) {
  assert(bytes <= used_);
  used_ = Bytes(used_.count() - bytes.count());
  admit_waiting();
}

void SystemBuffer::release_now(Thread& thread, Bytes bytes) {
  if (has_waiting())
    thread.act(*this, bytes.count());
  else
    thread.act_quietly(*this, bytes.count());
}

// Those whose time has come.
void SystemBuffer::collect_releases() {
  if (rank_ == nullptr) return;
  for (const auto& thread : rank_->threads) thread->fire_quiet_acts();
}

bool SystemBuffer::reserve(const Transfer& transfer) {
  assert(transfer.bytes <= capacity_);
  if (!has_room(transfer.bytes)) [[unlikely]]
    collect_releases();
  if (has_room(transfer.bytes)) {
    used_ = used_ + transfer.bytes;
    return true;
  }
  // Somebody waits for those to come.
  if (rank_ == nullptr) return false;
  for (const auto& thread : rank_->threads) thread->make_quiet_acts_heard();
  if (Node* node = Node::of(*rank_)) node->room_is_short();
  return false;
}

}  // namespace hindcast::ap3000
