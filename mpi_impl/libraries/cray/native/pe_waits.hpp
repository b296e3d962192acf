// What a thread waits for beside its PE: an answer from another, its own puts, a condition. An errand waits for what
// can be asked whether it is over, and is woken when that may be.
#pragma once

#include <cstdint>
#include <optional>

#include "mpi_impl/libraries/cray/native/pe.hpp"

namespace hindcast::shmem {

// Wakes the thread whenever the condition holds after a change, as long as this is there.
class PeWaiter {
 public:
  PeWaiter(Pe& pe, Thread& thread, const Condition& condition);
  ~PeWaiter();
  PeWaiter(const PeWaiter&) = delete;
  PeWaiter& operator=(const PeWaiter&) = delete;

  void wait() { thread_.wait(condition_); }
  void wake_if_it_holds(MessageId message) {
    if (condition_.holds()) thread_.wake(message);
  }
  PeWaiter* next() const { return next_; }

 private:
  Pe& pe_;
  Thread& thread_;
  const Condition& condition_;
  PeWaiter* next_;
};

// An answer from another PE.
class PeAnswer final : public DoneSink, public Wait {
 public:
  PeAnswer(const char* call, int pe, MessageId message)
      : call_(call), pe_(pe), message_(message), thread_(*Thread::current()) {}

  int pe() const { return pe_; }
  MessageId message() const { return message_; }
  void is_not_needed() { is_there_ = true; }
  std::uint64_t& value() { return value_; }  // what an atomic operation's word was, once it is there
  bool is_there() const { return is_there_; }
  // It is the answer to this get.
  void is_of(RemoteMemory::Operation& get) { get_ = &get; }
  // What is got, and nobody changes before, lies there from now on.
  void go_on_from(const void* there) {
    if (!is_there_) RemoteMemory::go_on_from(*get_, there);
  }
  void wait() {
    while (!is_there_) thread_.wait(*this);
  }
  BlockedOn describe() const override;

 private:
  void done() override {
    is_there_ = true;
    thread_.wake(message_);
  }
  void fetch(FetchLevel level) const override {
    if (level == 0) fetch_lines(&thread_, 0, 6);
    if (level == 1) thread_.fetch_what_it_needs(0);
  }

  const char* call_;
  int pe_;
  MessageId message_;
  Thread& thread_;
  std::uint64_t value_ = 0;
  RemoteMemory::Operation* get_ = nullptr;
  bool is_there_ = false;
};

// Of puts under way. What it waits for cannot be undone: it need not be looked at at the thread's own time.
class PutsWait final : public Condition {
 public:
  enum class Kind : std::uint8_t { fit_in_registers, are_written };
  PutsWait(Pe& pe, Kind kind, const char* call) : pe_(pe), call_(call), kind_(kind) {}

  // Whether it is over, with the thread at the time when it was. If not, the thread will be woken.
  bool is_over();
  void wait() {
    while (!is_over()) waiter_->wait();
  }
  bool holds() const override { return over_since().has_value(); }
  BlockedOn describe() const override;

 private:
  std::optional<Time> over_since() const;

  Pe& pe_;
  const char* call_;
  Kind kind_;
  std::optional<PeWaiter> waiter_;
};

}  // namespace hindcast::shmem
