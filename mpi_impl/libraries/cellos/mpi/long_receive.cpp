#include "mpi_impl/libraries/cellos/mpi/long_receive.hpp"

#include <algorithm>

namespace hindcast::mpi {

LongReceive::LongReceive(const Announcement& announcement, const Pattern& parts, MessageId message,
                         ReceiveOperation* receive)
    : receive_(receive),
      count_(1 + (announcement.bytes + announcement.part - 1) / announcement.part),
      left_(count_),
      pieces_(std::make_unique<Piece[]>(count_)) {
  announced().whole = this;
  announced().message = message;
  announced().capacity = Bytes(sizeof(Announcement));
  const std::uint64_t room = receive != nullptr ? receive->capacity.count() : 0;
  std::uint64_t begin = 0;
  for (Piece& part : this->parts()) {
    const std::uint64_t until = std::min({room, begin + announcement.part, announcement.bytes});
    part.whole = this;
    part.pattern = parts;
    part.capacity = Bytes(until > begin ? until - begin : 0);
    part.data = part.capacity > Bytes() ? static_cast<std::byte*>(receive->data) + begin : nullptr;
    begin += announcement.part;
  }
}

bool LongReceive::is_there(Time at) {
  if (--left_ > 0) return false;
  if (receive_ != nullptr) receive_->complete(at);
  return true;
}

}  // namespace hindcast::mpi
