// How many operations have begun and are not over yet: of one caller, or of one caller at one target.
#pragma once

#include <cstdint>

#include "simulator/engine/thread/waiting_threads.hpp"
#include "simulator/hardware/node/done_sink.hpp"

namespace hindcast {

class PendingOperations final : public DoneSink {
 public:
  // With `all`, what is pending here is pending there too.
  explicit PendingOperations(PendingOperations* all = nullptr) : all_(all) {}
  PendingOperations(const PendingOperations&) = delete;
  PendingOperations& operator=(const PendingOperations&) = delete;

  // By a thread: one more begins, which tells the result when it is over.
  DoneSink& one_more() {
    for (PendingOperations* counted = this; counted != nullptr; counted = counted->all_) ++counted->pending_;
    return *this;
  }
  std::uint64_t pending() const { return pending_; }

  // By a thread: until none is pending.
  void wait_for_all(const Wait& why) {
    Thread::current()->settle(&why);
    while (pending_ > 0) waiting_.wait(why);
  }

  void done() override {
    for (PendingOperations* counted = this; counted != nullptr; counted = counted->all_)
      if (--counted->pending_ == 0) counted->waiting_.wake();
  }

 private:
  PendingOperations* const all_;
  std::uint64_t pending_ = 0;
  WaitingThreads waiting_;
};

}  // namespace hindcast
