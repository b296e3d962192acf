#include "mpi_impl/libraries/cray/native/pe_waits.hpp"

#include <fmt/format.h>

namespace hindcast::shmem {

PeWaiter::PeWaiter(Pe& pe, Thread& thread, const Condition& condition)
    : pe_(pe), thread_(thread), condition_(condition), next_(pe.waiters_) {
  pe.waiters_ = this;
  pe.unit_.tell(&pe);
}

PeWaiter::~PeWaiter() {
  PeWaiter** place = &pe_.waiters_;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
  if (pe_.waiters_ == nullptr) pe_.unit_.tell(nullptr);
}

BlockedOn PeAnswer::describe() const { return {call_, fmt::format("for the answer of PE {}", pe_), {pe_}}; }

std::optional<Time> PutsWait::over_since() const {
  OutgoingPuts& puts = pe_.unit_.puts();
  if (kind_ == Kind::fit_in_registers) return puts.fits_since();
  return puts.are_written() ? std::optional(puts.acknowledged()) : std::nullopt;
}

bool PutsWait::is_over() {
  Thread& thread = *Thread::current();
  const std::optional<Time> since = over_since();
  if (!since) {
    if (!waiter_) waiter_.emplace(pe_, thread, *this);
    return false;
  }
  waiter_.reset();
  thread.idle_until(*since, *this);
  return true;
}

BlockedOn PutsWait::describe() const {
  return {call_, kind_ == Kind::are_written ? "until all puts are written" : "until what was put has left the PE", {}};
}

}  // namespace hindcast::shmem
