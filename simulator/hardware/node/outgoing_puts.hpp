// A node's puts that are under way: how much of them is still in its processor's hands, and which have been
// acknowledged.
//
// The processor hands the data of a put to registers (or a write buffer), from where it leaves by itself. It is free
// again when what has not left yet fits in there: all at once for a put that does, else when the rest has gone. The
// data of a put leaves evenly between its transfer's entry into the network and its end at the port.
#pragma once

#include <cstdint>
#include <optional>

#include "simulator/engine/fifo.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

class OutgoingPuts {
 public:
  explicit OutgoingPuts(Bytes registers) : registers_(registers.count()) {}

  // By the thread: one more, which leaves after the others. Its number, for handlers.
  std::uint64_t add(Bytes bytes);
  // Since when what has not left of all puts so far fits in the registers. Nothing: that is not known yet.
  std::optional<Time> fits_since();

  // In handlers: a put has entered the network, and is written.
  void entered(std::uint64_t number, Time entry, Time injected);
  void written(Time acknowledged);

  // All that were ever added, and when the last acknowledgement comes.
  bool are_written() const { return written_ == added_; }
  Time acknowledged() const { return acknowledged_; }

 private:
  struct Put {
    std::uint64_t begin;  // in bytes, of all data that is ever put
    std::uint64_t end;
    Time entry;
    Time injected = Time::never();
  };

  const std::uint64_t registers_;
  std::uint64_t total_ = 0;
  std::uint64_t added_ = 0;
  std::uint64_t written_ = 0;
  Time acknowledged_;
  // Those whose data may still matter: the last of them have as many bytes as there is room for in the registers.
  Fifo<Put> puts_;
};

}  // namespace hindcast
