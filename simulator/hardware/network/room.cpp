#include "simulator/hardware/network/room.hpp"

#include <cassert>

#include "simulator/engine/recorder.hpp"

namespace hindcast {

namespace {

const StepKind waits_for_room{"wait for room at the receiver", ""};

}  // namespace

bool Room::take(Transfer& transfer, Entrance& entrance) {
  if (waiting_.empty() && reserve(transfer)) return true;
  // Refusals come in the order of their times, so only those of this instant can belong behind this one.
  auto place = waiting_.end();
  while (place != waiting_.begin() && std::prev(place)->since == engine_.now() &&
         std::prev(place)->transfer->from > transfer.from)
    --place;
  waiting_.insert(place, Waiting{engine_.now(), &transfer, &entrance});
  return false;
}

void Room::admit_waiting() {
  while (!waiting_.empty() && reserve(*waiting_.front().transfer)) {
    const Waiting admitted = waiting_.front();
    waiting_.pop_front();
    if (engine_.recorder() != nullptr)
      engine_.recorder()->in_hardware(admitted.transfer->from, Step{&waits_for_room, admitted.transfer->message,
                                                                    admitted.since, engine_.now(), 0, 0});
    admitted.entrance->admit(*admitted.transfer);
  }
}

bool BufferRoom::reserve(const Transfer& transfer) {
  if (used_ + transfer.bytes > capacity_) return false;
  used_ = used_ + transfer.bytes;
  return true;
}

void BufferRoom::release(Bytes bytes) {
  assert(bytes <= used_);
  used_ = Bytes(used_.count() - bytes.count());
  admit_waiting();
}

}  // namespace hindcast
