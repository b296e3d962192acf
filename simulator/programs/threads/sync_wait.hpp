// What a thread of a program waits for, for the report of a deadlock: the call, the program's object and who has it.
#pragma once

#include <string>

#include "simulator/programs/threads/program_threads.hpp"

namespace hindcast::programs {

class SyncWait : public Wait {
 public:
  // `what` says what the object is: "mutex", or, without one, what is waited for. Null: that goes without saying.
  SyncWait(ProgramThreads& threads, const char* call, const char* what = nullptr, const void* object = nullptr)
      : threads_(threads), call_(call), what_(what), object_(object) {}

  BlockedOn describe() const override;

 protected:
  ~SyncWait() = default;
  // Null: anybody, or nobody in particular.
  virtual const ProgramThread* holder() const { return nullptr; }

  ProgramThreads& threads_;

 private:
  const char* call_;
  const char* what_;
  const void* object_;
};

// Nothing in particular is waited for, or whatever has no holder.
class PlainWait final : public SyncWait {
 public:
  using SyncWait::SyncWait;
};

}  // namespace hindcast::programs
