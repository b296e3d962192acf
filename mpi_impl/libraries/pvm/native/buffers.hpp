// A task's message buffers, by their ids, and which of them is packed and which unpacked.
#pragma once

#include <map>
#include <utility>

#include "mpi_impl/libraries/pvm/native/buffer.hpp"

namespace hindcast::pvm {

class Buffers {
 public:
  static constexpr int none = 0;

  int add(Buffer buffer) {
    const int id = next_++;
    buffers_.emplace(id, std::move(buffer));
    return id;
  }
  // Null if there is none of this id.
  Buffer* find(int id) {
    const auto found = buffers_.find(id);
    return found != buffers_.end() ? &found->second : nullptr;
  }
  bool remove(int id) {
    if (buffers_.erase(id) == 0) return false;
    if (sending_ == id) sending_ = none;
    if (receiving_ == id) receiving_ = none;
    return true;
  }

  int sending() const { return sending_; }
  int receiving() const { return receiving_; }
  // The one that was it before.
  int set_sending(int id) {
    if (Buffer* buffer = find(id)) buffer->begin_to_pack();
    return std::exchange(sending_, id);
  }
  int set_receiving(int id) {
    if (Buffer* buffer = find(id)) buffer->begin_to_unpack();
    return std::exchange(receiving_, id);
  }
  Buffer* to_pack() { return find(sending_); }
  Buffer* to_unpack() { return find(receiving_); }

 private:
  std::map<int, Buffer> buffers_;
  int next_ = 1;
  int sending_ = none;
  int receiving_ = none;
};

}  // namespace hindcast::pvm
