// The receive of a message that comes in parts: of the announcement, a message which says what is to come, and of each
// part, straight to its place. It is over with the last of these.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "mpi_impl/transport/operation.hpp"

namespace hindcast::mpi {

// The data of the message that is matched.
struct Announcement {
  std::uint64_t bytes;   // of all parts
  std::uint32_t part;    // of each but the last, which may be shorter
  std::uint32_t number;  // among its sender's: what tells these parts from those of others
};

class LongReceive {
 public:
  struct Piece final : ReceiveOperation {
    LongReceive* whole = nullptr;
  };

  // Without a receive the parts are thrown away.
  LongReceive(const Announcement& announcement, const Pattern& parts, MessageId message, ReceiveOperation* receive);

  bool is_thrown_away() const { return receive_ == nullptr; }
  Piece& announced() { return pieces_[0]; }
  std::span<Piece> parts() { return {pieces_.get() + 1, count_ - 1}; }
  // One of them has been received. True: this was the last one, and the receive is over.
  bool is_there(Time at);

 private:
  ReceiveOperation* receive_;
  std::size_t count_;
  std::size_t left_;
  std::unique_ptr<Piece[]> pieces_;
};

}  // namespace hindcast::mpi
