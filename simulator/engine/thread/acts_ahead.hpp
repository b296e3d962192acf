// How far a thread has gone with acts that have not fired: so many, and so much memory that they hold on to.
#pragma once

#include <cstdint>

#include "simulator/engine/events/event.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

class ActsAhead {
 public:
  void add(const Event& act, Bytes captured) {
    ++count_;
    captured_ = captured_ + captured;
    last_ = act;
  }
  // When the last one has fired.
  void forget() {
    count_ = 0;
    captured_ = Bytes();
  }
  bool is_empty() const { return count_ == 0; }
  const Event& last() const { return last_; }
  bool are_too_many() const { return count_ >= count_max || captured_ > captured_max; }

 private:
  static constexpr int count_max = 16;
  static constexpr Bytes captured_max{256 * 1024};

  int count_ = 0;
  Bytes captured_;
  Event last_;
};

}  // namespace hindcast
