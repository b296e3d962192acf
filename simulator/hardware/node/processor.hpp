// What a node's processor takes for the things that programs and libraries do on it.
#pragma once

#include <optional>

#include "simulator/engine/units.hpp"

namespace hindcast {

struct Processor {
  FlopRate flop_rate;
  Bandwidth memory_bandwidth;  // reading or writing memory, for computation charged by the byte
  Bandwidth copy_bandwidth;    // copying: each byte is read and written
  Rate combine_rate;           // operations of a reduction
  // The same on integers, if that is another one.
  std::optional<Rate> integer_combine_rate = std::nullopt;
  Time clock_read;
  Time poll;  // one look for something that has not come; more than 0, or polling loops would stand still

  Time compute(std::uint64_t flops) const { return flop_rate.time_for(flops); }
  Time touch(Bytes bytes) const { return memory_bandwidth.time_for(bytes); }
  Time copy(Bytes bytes) const { return copy_bandwidth.time_for(bytes); }
  Time combine(std::uint64_t operations) const { return combine_rate.time_for(operations); }
};

}  // namespace hindcast
