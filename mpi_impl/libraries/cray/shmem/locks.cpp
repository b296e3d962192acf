// Locks: a queue of the PEs that wait, so that each waits for a word of its own and nobody polls another's memory.
//
// A lock is one word on every PE. Its first half on one of them, the lock's home, says who came last to the queue. The
// second half is the PE's own place in the queue: who is behind it, and whether it waits for the lock or holds it. Who
// sets the lock swaps itself into the home's half, and tells whom it finds there that it is behind; who clears it tells
// the one behind, or empties the home's half if there is none.
#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace hindcast::shmem::bodies {

namespace {

enum State : std::uint32_t { absent, waiting, holding };

struct Place {
  std::uint32_t behind = 0;  // a PE's number + 1, or 0
  std::uint32_t state = absent;
};

constexpr int atomic_bytes = 4;

// How the two halves lie in a word of C's or Fortran's. Who came last is a PE's number + 1, or 0.
template <typename Word>
struct Layout;

template <>
struct Layout<long> {
  using Half = std::uint32_t;
  static constexpr int behind_bits = 16;
  static constexpr const char* kind = "a long";
  static std::uint64_t on_last(const Call& call, int pe, void* word, const AtomicRequest& request) {
    return call.self().atomic(call.function(), pe, word, atomic_bytes, request);
  }
};

template <>
struct Layout<int> {
  using Half = std::uint16_t;
  static constexpr int behind_bits = 14;
  static constexpr const char* kind = "an integer";
  static std::uint64_t on_last(const Call& call, int pe, void* word, const AtomicRequest& request) {
    return atomic_on_short(call, pe, word, request);
  }
};

template <typename Word>
class Lock final : private Condition {
  using Half = typename Layout<Word>::Half;

 public:
  Lock(const Call& call, volatile Word* lock) : call_(call), lock_(lock) {
    call.check_symmetric(lock, Bytes(sizeof *lock), argument);
    if (reinterpret_cast<std::uintptr_t>(lock) % sizeof *lock != 0)
      call.refuse(argument, fmt::format("is not aligned as {} is", Layout<Word>::kind));
    if (call.pes() > pes_max)
      call.refuse(fmt::format("there are {} PEs, but a lock serves {} at most", call.pes(), pes_max));
    home_ = call.home_of(lock);
  }

  void set() {
    check_that_absent();
    set_mine({0, waiting});
    const std::uint32_t before = at_home({AtomicOperation::swap, me()});
    if (before == 0) {
      set_state(holding);
      return;
    }
    tell(before, {me(), absent}, {behind_mask, absent});
    wait_until(holding);
  }

  bool try_to_set() {
    const bool is_free = at_home({AtomicOperation::compare_swap, me(), 0}) == 0;
    if (is_free) check_that_absent();
    if (is_free) set_state(holding);
    return is_free;
  }

  void clear() {
    if (mine().state != holding) call_.refuse(argument, "has not been set by this PE, so it cannot clear it");
    call_.self().quiet(call_.function());
    Thread::current()->settle();
    if (mine().behind == 0 && at_home({AtomicOperation::compare_swap, 0, me()}) == me()) {
      set_mine({});
      return;
    }
    wait_until(has_one_behind);  // who has swapped itself into the home's half but not yet told me
    const std::uint32_t next = mine().behind;
    set_mine({});
    tell(next, {0, holding}, {0, state_mask});
  }

 private:
  static constexpr Argument argument{1, "lock"};
  static constexpr int has_one_behind = -1;
  static constexpr int behind_bits = Layout<Word>::behind_bits;
  static constexpr std::uint32_t behind_mask = (1U << behind_bits) - 1;
  static constexpr std::uint32_t state_mask = 3;
  static constexpr int pes_max = static_cast<int>(behind_mask) - 1;

  static constexpr std::uint32_t bits_of(Place place) { return place.behind | place.state << behind_bits; }

  bool has_other_threads() const {
    const auto& threads = call_.self().rank().threads;
    return std::count_if(threads.begin(), threads.end(),
                         [](const auto& one) { return one->state() != Thread::State::ended; }) > 1;
  }

  std::uint32_t me() const { return static_cast<std::uint32_t>(call_.me()) + 1; }

  Half* my_half() const { return reinterpret_cast<Half*>(const_cast<Word*>(lock_)) + 1; }
  Place mine() const {
    const std::uint32_t bits = *my_half();
    return {bits & behind_mask, bits >> behind_bits};
  }
  // An atomic operation on the other half may be one on the word, and see this half change: it changes at its time.
  void set_mine(Place place) const {
    if (sizeof(Word) == atomic_bytes) Thread::current()->settle();
    *my_half() = static_cast<Half>(bits_of(place));
  }
  void set_state(State state) const {
    if (sizeof(Word) == atomic_bytes) Thread::current()->settle();
    set_mine({mine().behind, state});
  }

  // A lock's place in the queue is a PE's, so that of its threads one can have the lock or wait for it at a time.
  void check_that_absent() const {
    const Place place = mine();
    if (has_other_threads() && (place.state == holding || place.state == waiting))
      call_.refuse(argument,
                   fmt::format("{} already; a lock is between PEs: threads of one PE need a mutex to take turns",
                               place.state == holding ? "has been set by this PE"
                                                      : "is waited for by another thread of this PE"));
    if (place.state == holding) call_.refuse(argument, "has been set by this PE already, which would wait for itself");
    if (place.state != absent || place.behind != 0)
      call_.refuse(argument, "has a value that no lock has; it must be 0 on all PEs before it is first used");
  }

  std::uint32_t at_home(const AtomicRequest& request) const {
    void* last = call_.there(home_, lock_, Bytes(sizeof *lock_), argument);
    return static_cast<std::uint32_t>(Layout<Word>::on_last(call_, home_, last, request));
  }

  // Those bits of another's place that are set in the mask. The place is the last part of the word that is swapped.
  void tell(std::uint32_t whom, Place news, Place mask) const {
    const int pe = static_cast<int>(whom) - 1;
    auto* there = static_cast<std::byte*>(call_.there(pe, lock_, Bytes(sizeof *lock_), argument));
    constexpr int shift = 8 * (atomic_bytes - static_cast<int>(sizeof(Half)));
    call_.self().atomic(call_.function(), pe, there + sizeof *lock_ - atomic_bytes, atomic_bytes,
                        {AtomicOperation::masked_swap, bits_of(news) << shift, bits_of(mask) << shift});
  }

  void wait_until(int wanted) {
    wanted_ = wanted;
    call_.self().wait_for(*this);
  }
  bool holds() const override {
    const Place place = mine();
    return wanted_ == has_one_behind ? place.behind != 0 : place.state == static_cast<std::uint32_t>(wanted_);
  }
  BlockedOn describe() const override {
    return {call_.function(), wanted_ == holding ? "for a lock that others have" : "for the next in the queue", {}};
  }

  const Call& call_;
  volatile Word* const lock_;
  int home_;
  int wanted_ = holding;
};

}  // namespace

void set_lock(const Call& call, volatile long* lock) { Lock(call, lock).set(); }
void clear_lock(const Call& call, volatile long* lock) { Lock(call, lock).clear(); }
int test_lock(const Call& call, volatile long* lock) { return Lock(call, lock).try_to_set() ? 0 : 1; }
void set_lock(const Call& call, volatile int* lock) { Lock(call, lock).set(); }
void clear_lock(const Call& call, volatile int* lock) { Lock(call, lock).clear(); }
int test_lock(const Call& call, volatile int* lock) { return Lock(call, lock).try_to_set() ? 0 : 1; }

}  // namespace hindcast::shmem::bodies
