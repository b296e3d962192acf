// A node's message queue: slots in its memory into which other nodes send messages of a slot's size. A message is
// inserted when it arrives, as a whole and without any lock, or rejected if no slot is free. Its sender's hardware
// learns which by a signal that goes back.
//
// The queue's owner takes the messages out in the order of their arrival. Which slots those are, and that the hardware
// counts up to a limit that the owner moves on, makes no difference here: there are so many of them.
#pragma once

#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/fifo.hpp"
#include "simulator/engine/rank.hpp"
#include "simulator/hardware/network/network.hpp"

namespace hindcast {

class MessageQueue;
struct QueueMessage;

// Told, in handlers, what becomes of a message.
class QueueSender {
 public:
  // It has arrived. `status_at` is when its sender can know whether it was inserted, which cannot change any more. From
  // now on an inserted message is the queue's owner's, a rejected one its sender's again.
  virtual void arrived(QueueMessage& message, bool is_inserted, Time status_at) = 0;
  // A queue that had none has room.
  virtual void has_room() = 0;
  // A message of its own arrives soon, and its first line has been fetched (simulator/engine/fetching.hpp).
  virtual void fetch(FetchLevel) const {}

 protected:
  ~QueueSender() = default;
};

// Who takes messages out of a queue.
class QueueTaker {
 public:
  // What it looks at for this one, which it takes soon, in three levels (simulator/engine/fetching.hpp). The first line
  // of its own has been fetched before.
  virtual void fetch_for(const QueueMessage& message, FetchLevel level) const = 0;

 protected:
  ~QueueTaker() = default;
};

// Told, in handlers, of messages in a queue whose owner has gone: nobody will take them out.
class LostMessages {
 public:
  virtual void lost(QueueMessage& message) = 0;

 protected:
  ~LostMessages() = default;
};

struct QueueMessage : Transfer {
  MessageQueue* queue = nullptr;
  QueueSender* sender = nullptr;
  Time way_back = Time::never();  // what its status takes; known once it has been sent, or if the sender says it
};

class alignas(cache_line) MessageQueue final : private EventSink {
 public:
  MessageQueue(int node, Rank& owner, int slots) : node_(node), slots_(slots), owner_(owner) {}
  MessageQueue(const MessageQueue&) = delete;
  MessageQueue& operator=(const MessageQueue&) = delete;

  int node() const { return node_; }
  const Rank& owner() const { return owner_; }
  // What a sender looks at instead of the queue, which lies far away.
  struct Address {
    MessageQueue* queue;
    int node;
  };
  Address address() { return {this, node_}; }

  // --- by a thread of the owner's ---

  // What has arrived by the engine's now.
  std::size_t size() const { return messages_.size(); }
  QueueMessage& first() const { return *messages_.front(); }
  // Its slot is free at the thread's clock.
  void remove_first();
  // Whether the owner is to be woken by what arrives: not while its only thread waits for something else.
  void let_arrivals_wake(bool they_do) { arrivals_wake_ = they_do; }
  void is_taken_from_by(const QueueTaker& taker) { taker_ = &taker; }
  // The owner takes soon what has come, and the first line of this has been fetched: fetches in two levels what the
  // taking looks at.
  void fetch_what_has_come(FetchLevel level) const;

  // --- in a handler ---

  // The owner has gone: what is here is lost, and what comes from now on.
  void close(LostMessages& lost);

  // --- by senders ---

  // In a handler, or by a thread that has settled.
  bool is_full();
  // It is full: the sender is told, once, when it is not.
  void tell_of_room(QueueSender& sender);

 private:
  friend class MessageQueues;

  bool insert(QueueMessage& message);
  void fire(const Event& event) override;
  void tell_those_who_wait();
  void fetch_for_arrival(const QueueMessage& message, FetchLevel level) const;

  // What an arrival usually looks at is in a line of the cache.
  const int node_;
  bool arrivals_wake_ = true;
  bool is_closed_ = false;
  bool is_waited_for_ = false;  // by senders, for room
  const int slots_;
  int used_ = 0;  // by messages, and by those that will have been taken at times to come
  Rank& owner_;
  Fifo<QueueMessage*> messages_;

  std::vector<QueueSender*> waiting_for_room_;
  LostMessages* lost_ = nullptr;  // if it is closed
  const QueueTaker* taker_ = nullptr;
};

// The nodes' units that send such messages, and insert them.
class MessageQueues final : public EventSink, private TransferSink {
 public:
  MessageQueues(Engine& engine, Network& network) : engine_(engine), network_(network) {}

  // By a thread: a message that it will send, so many bytes on the wire, once or, if it is rejected, again.
  void prepare(QueueMessage& message, const MessageQueue& from, const MessageQueue::Address& to, Bytes bytes,
               QueueSender& sender);
  // What the act carries that sends it: thread.act(queues, act_of(message)).
  static std::uint64_t act_of(QueueMessage& message) { return reinterpret_cast<std::uint64_t>(&message); }

 private:
  void fire(const Event& event) override;
  void fetch(const Event& act, FetchLevel level) const override;
  void fetch(const Transfer& transfer, FetchLevel level) const override;
  void entered(Transfer&) override {}
  bool looks_at_entry(const Transfer&) const override { return false; }
  void arrived(Transfer& transfer) override;

  Engine& engine_;
  Network& network_;
};

}  // namespace hindcast
