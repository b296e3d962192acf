// The two routines that were written for MPI because Cray provided none: send and receive of packets by the T3E's
// message queues.
//
// A send fills eight E-registers with a packet and SENDs them. Its status comes back to them: whether the packet was
// inserted in the other PE's queue, or rejected because that was full. It is looked at before the next packet is sent,
// and in calls that make progress. A rejected packet is sent again before any other, so that those of one PE to another
// stay in their order. That one block of E-registers serves all packets, one after the other, is assumed.
//
// To send it again while the queue is still full is not simulated: it would be rejected. Who has been rejected looks
// whether there is room, and is woken when there is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "simulator/engine/rank.hpp"
#include "simulator/engine/thread/errand.hpp"
#include "simulator/hardware/node/message_queue.hpp"

namespace hindcast::t3e {

struct QueueCosts {
  FixedStep send;     // fills the E-registers and SENDs them
  FixedStep receive;  // reads a packet out of the queue and frees its slot
  Bytes packet;
  Bytes header;  // more on the wire
  int slots = 0;
};

class alignas(cache_line) PacketQueue final : private QueueSender {
 public:
  PacketQueue(MessageQueues& queues, Rank& rank, int node, const QueueCosts& costs);

  // What a sender looks at instead of the queue.
  struct Address {
    PacketQueue* queue;
    int node;
  };
  Address address() { return {this, own_.node()}; }

  // --- on the rank's thread ---

  // The one before is known to be inserted.
  void send(QueueMessage& packet, const Address& to);
  // Until the thread knows what has become of the packet before.
  Errand status();
  // The same for a thread that gives way itself: what it has to wait for, and that as long as this is not null.
  const Wait* await_status();
  bool is_inserted() const { return status_ == Status::inserted; }
  // What that is may have come back by the thread's clock, and is known when the thread has settled.
  bool has_to_settle_for_status() const;
  // Whether it was rejected, by what the thread knows.
  bool was_rejected() const;
  // Sends that one again, if there is room for it by now. If not, the thread will be woken.
  Errand send_again_if_room();
  // Until something wakes the thread: room for that one, or a packet that arrives here.
  Errand room();

  // What has arrived by the engine's now, and was not received.
  std::size_t size() const { return own_.size(); }
  QueueMessage& receive();
  const QueueMessage& next() const { return own_.first(); }
  // The thread receives soon what has come, and the lines of this have been fetched: fetches in two levels what the
  // receiving looks at.
  void fetch_what_has_come(FetchLevel level) const { own_.fetch_what_has_come(level); }
  void is_taken_from_by(const QueueTaker& taker) { own_.is_taken_from_by(taker); }

  // So many lines of this are what its rank's thread looks at when it runs.
  static constexpr int lines_of_thread = 4;

  // In a handler: the rank has gone.
  void close(LostMessages& lost) {
    own_.close(lost);
    is_awaited_ = false;
  }

 private:
  enum class Status : std::uint8_t { inserted, unknown, rejected };
  class SendWait final : public Wait {
   public:
    SendWait(const PacketQueue& queue, const char* what) : queue_(queue), what_(what) {}
    BlockedOn describe() const override;

   private:
    const PacketQueue& queue_;
    const char* what_;
  };

  // What a status takes from the nodes that it sends to time and again.
  class WaysBack {
   public:
    WaysBack() { nodes_.fill(-1); }
    // Never: unknown.
    Time from(int node) const {
      const auto found = std::find(nodes_.begin(), nodes_.end(), node);
      return found != nodes_.end() ? takes_[static_cast<std::size_t>(found - nodes_.begin())] : Time::never();
    }
    void learn(int node, Time takes) {
      nodes_[next_] = node;
      takes_[next_] = takes;
      next_ = (next_ + 1) % count;
    }

   private:
    static constexpr std::size_t count = 7;
    std::array<int, count> nodes_;
    std::uint32_t next_ = 0;
    std::array<Time, count> takes_;
  };
  Errand status_off_stack();
  void submit(const FixedStep& step);
  void arrived(QueueMessage& message, bool is_inserted, Time status_at) override;
  void has_room() override;
  void fetch(FetchLevel level) const override;

  // The thread, if it waits, may look at the status of a rejected packet.
  class WakesThread final : public EventSink {
   public:
    explicit WakesThread(Rank& rank) : rank_(rank), owner_(rank.engine.new_owner()) {}
    void at(Time time) { rank_.engine.at(time, EventKind::hardware, owner_, *this, 0); }

   private:
    void fire(const Event&) override { rank_.attendant().wake(); }
    Rank& rank_;
    EventOwner owner_;
  };

  // What a status looks at is in the first line of the cache, and what a packet does in the first three.
  Rank& rank_;
  const Thread& main_thread_;  // which mostly is the one that waits for the status
  // The last packet sent.
  QueueMessage* last_ = nullptr;  // until it was inserted
  MessageQueue* to_ = nullptr;    // where it goes
  Time way_back_;                 // of its status, unless that is never, which means unknown
  Time status_at_;                // when the thread can know that; as long as it is unknown, when it was sent
  Status status_ = Status::inserted;
  bool is_awaited_ = false;
  bool is_told_of_room_ = false;

  WaysBack ways_back_;
  const SendWait status_wait_{*this, "for the packet's status"};
  MessageQueues& queues_;
  const QueueCosts& costs_;

  MessageQueue own_;
  WakesThread wakes_thread_;
};

}  // namespace hindcast::t3e
