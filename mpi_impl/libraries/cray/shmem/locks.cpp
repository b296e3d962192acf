// Locks: a queue of the PEs that wait, so that each waits for a word of its own and nobody polls another's memory.
//
// A lock is one word on every PE. Its first half on one of them, the lock's home, says who came last to the queue. The
// second half is the PE's own place in the queue: who is behind it, and whether it waits for the lock or holds it. Who
// sets the lock swaps itself into the home's half, and tells whom it finds there that it is behind; who clears it tells
// the one behind, or empties the home's half if there is none.
#include <fmt/format.h>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace hindcast::shmem::bodies {

namespace {

enum State : std::uint16_t { absent, waiting, holding };

struct Place {
  std::uint16_t behind;  // a PE's number + 1, or 0
  std::uint16_t state;
};
struct LockWord {
  std::uint32_t last;  // on the lock's home: a PE's number + 1, or 0
  Place place;
};
static_assert(sizeof(LockWord) == sizeof(long));
constexpr int half_bytes = 4;
constexpr int pes_max = 0xffff - 1;

class Lock final : private Condition {
 public:
  Lock(const Call& call, volatile long* lock)
      : call_(call), lock_(lock), mine_(reinterpret_cast<LockWord*>(const_cast<long*>(lock))->place) {
    call.check_symmetric(lock, Bytes(sizeof *lock), argument);
    if (reinterpret_cast<std::uintptr_t>(lock) % sizeof *lock != 0)
      call.refuse(argument, "is not aligned as a long is");
    if (call.pes() > pes_max)
      call.refuse(fmt::format("there are {} PEs, but a lock serves {} at most", call.pes(), pes_max));
    home_ = call.home_of(lock);
  }

  void set() {
    check_that_absent();
    mine_.state = waiting;
    const std::uint32_t before = at_home({AtomicOperation::swap, me()});
    if (before == 0) {
      mine_.state = holding;
      return;
    }
    tell(before, {static_cast<std::uint16_t>(me()), 0}, {0xffff, 0});
    wait_until(holding);
  }

  bool try_to_set() {
    const bool is_free = at_home({AtomicOperation::compare_swap, me(), 0}) == 0;
    if (is_free) check_that_absent();
    if (is_free) mine_.state = holding;
    return is_free;
  }

  void clear() {
    if (mine_.state != holding) call_.refuse(argument, "has not been set by this PE, so it cannot clear it");
    call_.self().quiet(call_.function());
    Thread::current()->settle();
    if (mine_.behind == 0 && at_home({AtomicOperation::compare_swap, 0, me()}) == me()) {
      mine_ = {};
      return;
    }
    wait_until(has_one_behind);  // who has swapped itself into the home's half but not yet told me
    const std::uint32_t next = mine_.behind;
    mine_ = {};
    tell(next, {0, holding}, {0, 0xffff});
  }

 private:
  static constexpr Argument argument{1, "lock"};
  static constexpr int has_one_behind = -1;

  std::uint32_t me() const { return static_cast<std::uint32_t>(call_.me()) + 1; }

  void check_that_absent() const {
    if (mine_.state == holding) call_.refuse(argument, "has been set by this PE already, which would wait for itself");
    if (mine_.state != absent || mine_.behind != 0)
      call_.refuse(argument, "has a value that no lock has; it must be 0 on all PEs before it is first used");
  }

  std::uint32_t at_home(const AtomicRequest& request) const {
    void* last = call_.there(home_, lock_, Bytes(sizeof *lock_), argument);
    return static_cast<std::uint32_t>(call_.self().atomic(call_.function(), home_, last, half_bytes, request));
  }

  // Those bits of another's place that are set in the mask.
  void tell(std::uint32_t whom, Place news, Place mask) const {
    const int pe = static_cast<int>(whom) - 1;
    auto* there = static_cast<LockWord*>(call_.there(pe, lock_, Bytes(sizeof *lock_), argument));
    call_.self().atomic(
        call_.function(), pe, &there->place, half_bytes,
        {AtomicOperation::masked_swap, std::bit_cast<std::uint32_t>(news), std::bit_cast<std::uint32_t>(mask)});
  }

  void wait_until(int wanted) {
    wanted_ = wanted;
    call_.self().wait_for(*this);
  }
  bool holds() const override { return wanted_ == has_one_behind ? mine_.behind != 0 : mine_.state == wanted_; }
  BlockedOn describe() const override {
    return {call_.function(), wanted_ == holding ? "for a lock that others have" : "for the next in the queue", {}};
  }

  const Call& call_;
  volatile long* const lock_;
  Place& mine_;
  int home_;
  int wanted_ = holding;
};

}  // namespace

void set_lock(const Call& call, volatile long* lock) { Lock(call, lock).set(); }
void clear_lock(const Call& call, volatile long* lock) { Lock(call, lock).clear(); }
int test_lock(const Call& call, volatile long* lock) { return Lock(call, lock).try_to_set() ? 0 : 1; }

}  // namespace hindcast::shmem::bodies
