// What endpoints that match for themselves share: the records of their messages, the methods by which these travel, and
// what each has to know of the others.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "mpi_impl/transport/message.hpp"
#include "mpi_impl/transport/methods.hpp"
#include "mpi_impl/transport/target_handlers.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/memory/buffer_pool.hpp"

namespace hindcast::mpi {

class MatchingEndpoint;

// What a message's sender, and its arrival, have to know of the other side: of all ranks in little memory, as that of
// each has mostly left the caches.
struct MessagePeer {
  MatchingEndpoint* endpoint;  // null when the rank has gone
  Place place;
  const Thread* thread = nullptr;
};

class MessageExchange final : public EventSink {
 public:
  MessageExchange(Engine& engine, const Methods& methods, Progress progress);

  Engine& engine() { return engine_; }
  Progress progress() const { return progress_; }

  bool has_several_methods() const { return only_method_ == nullptr; }
  const Method& only_method() const { return *only_method_; }
  const Method& method_for(int from, int to, Bytes bytes) const {
    if (only_method_ != nullptr) return *only_method_;
    return methods_.method_for(peer(from).place, peer(to).place, bytes);
  }
  const Method& method_of(const Message& message) const {
    return only_method_ != nullptr ? *only_method_ : static_cast<const MethodSink*>(message.sink)->method;
  }

  void add(MatchingEndpoint& endpoint, const Place& place, const Thread& thread) {
    peers_.push_back({&endpoint, place, &thread});
  }
  // Messages to it that are still on their way are lost.
  void remove(int rank) { peers_[static_cast<std::size_t>(rank)].endpoint = nullptr; }
  const MessagePeer& peer(int rank) const { return peers_[static_cast<std::size_t>(rank)]; }

  Message& new_message();
  void free_message(Message& message);
  // Null if it has been delivered.
  Message* message_of(const SendOperation& send) const {
    auto* message = static_cast<Message*>(send.endpoint_state);
    return message != nullptr && message->message == send.message ? message : nullptr;
  }
  void capture(Message& message);
  // A copy of its own, put together of the two.
  void give_payload(Message& message, const TwoParts& parts);
  void deliver(Message& message, ReceiveOperation& receive);

  void submit(Message& message) { method_of(message).network->submit(message); }
  void fire(const Event& event) override;  // a message's start
  // The same of one that has its memory set up first, which takes time and no processor.
  EventSink& set_up() { return set_up_; }
  // And of one that goes by its method's signal, and not over the network.
  EventSink& signal() { return signal_; }
  void fetch(const Event& start, FetchLevel level) const override;
  // Who is told how a message of this kind gets on that goes by this method.
  TransferSink& sink_of(MessageKind kind, const Method& method) {
    Sinks& sinks = only_method_ != nullptr ? sinks_.front() : sinks_[method.number];
    if (kind == MessageKind::data) return sinks.data;
    return sinks.other;
  }

 private:
  // Told of the messages of one method.
  struct MethodSink : TransferSink {
    MethodSink(MessageExchange& in, const Method& of) : exchange(in), method(of) {}
    void arrived(Transfer& transfer) override { exchange.arrived(static_cast<Message&>(transfer)); }
    void fetch(const Transfer& transfer, FetchLevel level) const override {
      exchange.fetch_for(static_cast<const Message&>(transfer), level);
    }
    MessageExchange& exchange;
    const Method& method;
  };
  struct DataSink final : MethodSink {
    using MethodSink::MethodSink;
    void entered(Transfer& transfer) override { exchange.data_entered(static_cast<Message&>(transfer)); }
  };
  // Nothing happens when it enters the network, and its record is not looked at.
  struct OtherSink final : MethodSink {
    using MethodSink::MethodSink;
    void entered(Transfer&) override {}
  };
  // A step that takes time and no processor, and what comes after it.
  struct Interlude final : EventSink {
    using StepOf = const FixedStep& (*)(const Method&);
    using Next = void (MessageExchange::*)(Message&);
    Interlude(MessageExchange& in, StepOf of, Next after)
        : exchange(in), step_of(of), next(after), owner(in.engine_.new_owner()) {}
    void fire(const Event& event) override;
    MessageExchange& exchange;
    const StepOf step_of;
    const Next next;
    EventOwner owner;
  };
  struct Sinks {
    DataSink data;
    OtherSink other;
  };

  void add_messages();
  void data_entered(Message& data);
  void arrived(Message& message);
  void arrived_at_nobody(Message& message);
  void fetch_for(const Message& message, FetchLevel level) const;

  Engine& engine_;
  const Methods& methods_;
  const Method* const only_method_;  // null if there are several
  const Progress progress_;
  std::deque<Sinks> sinks_;  // by method
  Interlude set_up_{*this, [](const Method& method) -> const FixedStep& { return method.costs.buffers->set_up; },
                    &MessageExchange::submit};
  Interlude signal_{*this, [](const Method& method) -> const FixedStep& { return *method.costs.signal; },
                    &MessageExchange::arrived};
  BufferPool pool_;  // for payloads
  std::vector<std::unique_ptr<Message[]>> all_messages_;
  Transfer* free_messages_ = nullptr;  // linked by `next`
  std::vector<MessagePeer> peers_;     // by rank
};

}  // namespace hindcast::mpi
