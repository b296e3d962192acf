// Events: plain records in one queue. What happens at one instant happens in an order that follows from who does what,
// never from when it was scheduled.
#pragma once

#include <cstdint>

#include "simulator/engine/fetching.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast {

// At one instant, kinds come in this order. Threads wake first: what they do then at that instant is an act.
enum class EventKind : std::uint8_t { wake, act, hardware };

struct Event;

// Who handles an event. Handlers run outside all simulated threads and never block.
class EventSink {
 public:
  virtual void fire(const Event& event) = 0;
  // Of an event that comes soon. It may still be overtaken, or come to nothing.
  virtual void fetch(const Event&, FetchLevel) const {}

 protected:
  ~EventSink() = default;
};

// Events of one instant are ordered by (kind, owner, the owner's own count), packed in one number.
using EventOrder = std::uint64_t;

struct Event {
  Time at;
  EventOrder order = 0;
  EventSink* sink = nullptr;
  std::uint64_t data = 0;

  EventKind kind() const { return static_cast<EventKind>(order >> kind_shift); }

  static constexpr int kind_shift = 62;

  // Among all events, as one number.
  using Place = unsigned __int128;
  static constexpr Place behind_all = ~Place{0};
  Place place() const { return static_cast<Place>(at.in_ps()) << 64 | order; }
  __int128 signed_place() const { return static_cast<__int128>(place()); }

  // Without a branch: which of two events is earlier cannot be predicted.
  // What a thread keeps relative to other instants may lie before time 0.
  friend bool operator<(const Event& a, const Event& b) { return a.signed_place() < b.signed_place(); }
};

// A thread or a hardware part, as the one who orders its own events. Made by Engine::new_owner().
class EventOwner {
 public:
  EventOwner() = default;
  explicit EventOwner(std::uint32_t id) : id_(id) {}
  EventOrder upcoming(EventKind kind) const {
    return (static_cast<std::uint64_t>(kind) << Event::kind_shift) | (static_cast<std::uint64_t>(id_) << count_bits) |
           count_;
  }
  EventOrder next(EventKind kind) {
    const EventOrder order = upcoming(kind);
    ++count_;
    return order;
  }

  bool made(EventOrder order) const { return ((order >> count_bits) & (id_max - 1)) == id_; }

  static constexpr int count_bits = 38;              // 275 thousand million events an owner
  static constexpr std::uint32_t id_max = 1U << 24;  // 16 million owners

 private:
  std::uint32_t id_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace hindcast
