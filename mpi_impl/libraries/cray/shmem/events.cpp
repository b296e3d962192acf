// Events: set or clear, for all PEs. Who waits for one waits for a word of its own.
//
// An event is one word on every PE. Its first half on one of them, the event's home, says whether it is set, or else
// who waits for it: the last PE that came, whose own second half names the one that came before it, and so on. Who sets
// the event wakes the first of this chain, and each of them the next.
#include <fmt/format.h>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace hindcast::shmem::bodies {

namespace {

constexpr std::uint32_t is_set = 1U << 31;
constexpr std::uint32_t is_woken = 1U << 31;
constexpr int bytes_of_half = 4;

struct EventWord {
  std::uint32_t state;  // on the event's home: is_set, or the number + 1 of the PE that came last to wait, or 0
  std::uint32_t place;  // who came before this PE, in the same way; and is_woken
};
static_assert(sizeof(EventWord) == sizeof(long));

class Event final : private Condition {
 public:
  Event(const Call& call, volatile long* event)
      : call_(call), event_(event), mine_(reinterpret_cast<EventWord*>(const_cast<long*>(event))->place) {
    call.check_symmetric(event, Bytes(sizeof *event), argument);
    if (reinterpret_cast<std::uintptr_t>(event) % sizeof *event != 0)
      call.refuse(argument, "is not aligned as a long is");
    home_ = call.home_of(event);
  }

  void set() const {
    const std::uint32_t before = at_home({AtomicOperation::swap, is_set});
    if (before != is_set) wake(before);
  }
  void clear() const { at_home({AtomicOperation::compare_swap, 0, is_set}); }
  bool test() const {
    std::uint32_t state = 0;
    call_.self().get(call_.function(), home_, &state, &there(home_)->state, Bytes(sizeof state));
    return state == is_set;
  }
  void wait() {
    if (mine_ != 0) call_.refuse(argument, "has a value that no event has; it must be 0 on all PEs before it is used");
    if (!join_chain()) return;
    call_.self().wait_for(*this);
    const std::uint32_t next = mine_ & ~is_woken;
    mine_ = 0;
    wake(next);
  }

 private:
  static constexpr Argument argument{1, "event"};

  EventWord* there(int pe) const {
    return static_cast<EventWord*>(call_.there(pe, event_, Bytes(sizeof *event_), argument));
  }
  std::uint32_t at_home(const AtomicRequest& request) const {
    return static_cast<std::uint32_t>(
        call_.self().atomic(call_.function(), home_, &there(home_)->state, bytes_of_half, request));
  }
  void wake(std::uint32_t whom) const {
    const int pe = static_cast<int>(whom) - 1;
    if (whom != 0)
      call_.self().atomic(call_.function(), pe, &there(pe)->place, bytes_of_half,
                          {AtomicOperation::masked_swap, is_woken, is_woken});
  }
  // False: the event is set.
  bool join_chain() {
    std::uint32_t last = 0;
    while (last != is_set) {
      mine_ = last;
      const auto me = static_cast<std::uint32_t>(call_.me()) + 1;
      const std::uint32_t found = at_home({AtomicOperation::compare_swap, me, last});
      if (found == last) return true;
      last = found;
    }
    mine_ = 0;
    return false;
  }
  bool holds() const override { return (mine_ & is_woken) != 0; }
  BlockedOn describe() const override { return {call_.function(), "for an event that nobody has set", {}}; }

  const Call& call_;
  volatile long* const event_;
  std::uint32_t& mine_;
  int home_;
};

}  // namespace

void set_event(const Call& call, volatile long* event) { Event(call, event).set(); }
void clear_event(const Call& call, volatile long* event) { Event(call, event).clear(); }
void wait_event(const Call& call, volatile long* event) { Event(call, event).wait(); }
int test_event(const Call& call, volatile long* event) { return Event(call, event).test() ? 1 : 0; }

}  // namespace hindcast::shmem::bodies
