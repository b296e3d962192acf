// An endpoint that matches for itself, over one method or several: short messages travel when they are sent, and long
// ones when the receiver has said that their receive is posted.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/unexpected.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "mpi_impl/transport/message_exchange.hpp"
#include "mpi_impl/transport/pair_order.hpp"
#include "mpi_impl/transport/target_handlers.hpp"
#include "mpi_impl/transport/waiting_probes.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::mpi {

// What the rank's processor takes, whichever way a message goes.
struct EndpointCosts {
  LocalCosts local;
  StepKind copy_in;   // of a short payload, before it travels
  StepKind copy_out;  // and after it has, if its receive was not there
  FixedStep poll;     // a look for progress that finds none

  // Of a machine whose nodes are described by [processor].
  static EndpointCosts of(const Processor& processor) {
    return {LocalCosts::of(processor),
            {"copy to the system buffer", "processor.copy_bandwidth"},
            {"copy from the system buffer", "processor.copy_bandwidth"},
            {{"poll", "processor.poll"}, processor.poll}};
  }
};

class HandlerUnit;

// What a machine has beside messages, if anything.
struct BesideMessages {
  GroupOperations* group_operations = nullptr;
  RemoteAccess* remote_access = nullptr;
  MemoryKinds* memory_kinds = nullptr;
  HandlerUnit* handler_unit = nullptr;  // runs handlers in place of the rank's processor
};

class alignas(64) MatchingEndpoint final : public Endpoint, private TargetHandlers {
 public:
  // The costs outlive it.
  MatchingEndpoint(MessageExchange& exchange, Rank& rank, const Place& place, const EndpointCosts& costs);

  ~MatchingEndpoint() override;

  // Before the run; all of it outlives the endpoint.
  void offer(const BesideMessages& beside) { beside_ = beside; }
  GroupOperations* group_operations() override { return beside_.group_operations; }
  RemoteAccess* remote_access() override { return beside_.remote_access; }
  MemoryKinds* memory_kinds() override { return beside_.memory_kinds; }
  TargetHandlers* target_handlers() override { return this; }
  bool works_off_stack(Bytes longest) const override {
    return local().memory == nullptr || local().memory->fits_in_between(longest);
  }
  bool has_waited(const Gate& gate, bool was_woken) override;
  void send(SendOperation& send) override;
  void receive(ReceiveOperation& receive) override;
  void wait(Gate& gate, const Wait& why) override;
  void wait_until(Time time, const Wait& why) override;
  void poll(const Wait& why) override;
  void finish(SendOperation& send) override;
  void finish(ReceiveOperation& receive) override;
  bool probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) override;
  void forget_probe(Completion& completion) override;
  bool take(const Pattern& pattern, TakenMessage& taken) override;
  void receive(ReceiveOperation& receive, const TakenMessage& taken) override;
  void cancel(SendOperation& send) override;
  void cancel(ReceiveOperation& receive) override;
  void release_buffer(SendOperation& send) override;
  void wait_for_freed_sends() override;
  bool is_at_rest() const override { return posted_.size() == 0 && freed_long_sends_ == 0; }
  const char* name_of_method(int to, Bytes bytes) const override {
    return exchange_.method_for(rank_number_, to, bytes).name.c_str();
  }
  MessageId upcoming_message() const override { return message_id(rank_number_, messages_sent_ + 1); }

  // In a handler: a transfer to this rank has arrived.
  void arrived(Message& message);
  void handled_by_unit(Message& message);
  // It arrives soon, and the endpoint is there itself.
  void fetch(const Message& message, const Thread& thread, FetchLevel level) const;

 private:
  void set_handler(std::uint32_t number, TargetHandler& handler) override { handlers_[number] = &handler; }
  void send_to_handler(int to, std::uint32_t number, const TwoParts& data) override;
  void reply_to_handler(int to, std::uint32_t number, const TwoParts& data, Time at) override;
  void signal_to_handler(int to, std::uint32_t number, const TwoParts& data, Time at) override;

  // Where the library polls, whatever arrived since its last turn is worked on now.
  void make_progress(Thread& thread) {
    if (exchange_.progress() == Progress::polling) work_in_turn(thread);
  }
  void work_in_turn(Thread& thread);
  Time cost_of_work_on(const Message& message) const;
  void record_work_on(const Message& message, Thread& thread, Time start) const;
  void work_on(Message& message, Time start, Time end);
  HandlerWork handler_work_on(const Message& message) const;
  void match_in_order(Message& message, Time start, Time end);
  void match_or_cancel(Message& message, Time start, Time end) {
    return message.kind == MessageKind::cancel ? try_to_cancel(message, end) : match(message, start, end);
  }
  void match(Message& message, Time start, Time end);
  // Whether it travels with its payload at once.
  static bool is_eager(const SendOperation& send, const Method& method) {
    return send.bytes <= method.costs.eager_limit && send.mode != SendMode::synchronous;
  }
  // `order` is of what it starts; 0 is none yet.
  void accept(Message& message, ReceiveOperation& receive, Time at, bool was_unexpected, EventOrder order);
  const Method& method_of(ReceiveOperation& receive) const;
  void send_data(Message& clear, Time at);
  void try_to_cancel(Message& question, Time at);
  void answer_cancel(Message& answer, Time at);
  void handle(Message& message, Time at);
  void handle_in_order(Message& message, Time at);
  Message& message_to_handler(int to, std::uint32_t number, const TwoParts& data, const Method& method, MessageId id);
  // `first` is what the message begins with: the exchange itself, or one of its steps before that.
  void start(Message& message, Time at, EventOrder order, EventSink& first);
  bool is_numbered(const Method& method) const { return order_ != nullptr && method.may_overtake; }
  static Bytes copied_by_sender(const SendOperation& send, const Method& method, bool is_eager);
  void start_reply(Message& message, Time at) { start(message, at, owner_.next(EventKind::act), exchange_); }
  Message& reply(int to, std::uint32_t number, const TwoParts& data);
  void address(Message& message, int to_rank, const Method& method, Bytes carried);

  MessageExchange& exchange_;  // this and the first posted receives are what an arrival looks at
  matching::PostedReceives posted_;
  std::uint64_t messages_sent_ = 0;
  matching::Unexpected unexpected_;
  const int rank_number_;
  int node_;
  Rank& rank_;
  const EndpointCosts& costs_;
  EventOwner owner_;
  std::vector<Message*> deferred_;  // arrived, and not yet worked on
  std::uint64_t answers_given_ = 0;
  WaitingProbes probes_;
  int freed_long_sends_ = 0;                  // that have not been told yet that their receive is there
  Completion* no_freed_send_left_ = nullptr;  // if somebody waits for that
  std::unique_ptr<PairOrder> order_;          // if there are several methods; of messages by those that may overtake
  std::unique_ptr<PairOrder> order_of_handled_;
  std::unordered_map<std::uint32_t, TargetHandler*> handlers_;
  BesideMessages beside_;
};

}  // namespace hindcast::mpi
