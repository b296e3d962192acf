// MPI on CellOS, as it was ported to the AP1000: a send is dl_asend, a receive is dl_arecv, and CellOS matches them, by
// domain (MPI's context), type (its tag) and source. Other ways for a context to travel are carrier.hpp's affair;
// with them CellOS cannot always match, and the library looks through the queue (search.cpp).
//
// CellOS has no receive that returns before its message is there. So the endpoint keeps a list of the receives that are
// not done yet. Every call that makes progress tries the list in its order: a probe, and a receive if that found
// something. A blocking receive goes to dl_arecv if the list is empty, and is tried as the last one of the list if not,
// so that it never takes what an earlier one could.
//
// What the tries cost if they find nothing is taken to be free but where the call is for that (MPI_Test and its kin, a
// new MPI_Irecv); a waiting call tries without a pause, so that a message waits for half a probe on the average.
//
// Two strategies that the paper only proposes: nonblocking sends and receives of the program by striding send and
// pre-receive (striding.cpp), and synchronous sends, or what is too long for the buffers, by put (put_send.hpp). Or it
// goes in parts (parts.cpp), as room comes for them (endpoint_of_parts.hpp).
//
// docs/machines/ap1000.md has the times, docs/design.md how a thread that runs ahead of the clock comes to the same.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mpi_impl/libraries/cellos/mpi/carrier.hpp"
#include "mpi_impl/libraries/cellos/mpi/group_operations.hpp"
#include "mpi_impl/libraries/cellos/mpi/long_receive.hpp"
#include "mpi_impl/libraries/cellos/mpi/longer_messages.hpp"
#include "mpi_impl/libraries/cellos/mpi/put_send.hpp"
#include "mpi_impl/libraries/cellos/mpi/type_contexts.hpp"
#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/libraries/cellos/native/steps.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "mpi_impl/transport/local_costs.hpp"
#include "mpi_impl/transport/remote_access.hpp"
#include "mpi_impl/transport/turns.hpp"
#include "mpi_impl/transport/waiting_probes.hpp"
#include "simulator/engine/fifo.hpp"

namespace hindcast::mpi {

struct Acknowledgement;

class alignas(cache_line) CellosEndpoint : public Endpoint,
                                           private cellos::Taker,
                                           private cellos::LibraryAbove,
                                           private cellos::PreReceiveSink,
                                           private RemoteAccess,
                                           private EventSink {
 public:
  struct Settings {
    LocalCosts local;
    int small_group = 0;   // communicators with fewer members do not use the broadcast net
    int domain_stack = 0;  // domain numbers of a process, for the communicators that it makes
    ContextIn context_in = ContextIn::header;
    CellosTypeNumbers* type_numbers = nullptr;  // if contexts are in the type
    bool nonblocking_by_striding = false;
    bool synchronous_by_put = false;
    Longer longer = Longer::is_refused;  // what is too long for the system's buffers
  };

  CellosEndpoint(cellos::Cell& cell, const Settings& settings);

  GroupOperations* group_operations() override { return &group_operations_; }
  RemoteAccess* remote_access() override { return this; }
  Contexts* contexts() override { return contexts_.get(); }
  void serve_others(bool from_now_on) override { to_do_ += from_now_on ? 1 : -1; }
  bool moves_items(const SendOperation& send) const override { return goes_striding(send) || goes_by_put(send); }
  void expect_several_threads() override {
    if (threads_in_turn_ == nullptr) threads_in_turn_ = std::make_unique<ThreadsInTurn>(cell_.system().engine());
  }
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
  int tag_upper_bound() const override { return carrier_.tag_upper_bound(); }
  Bytes longest_message() const override { return carrier_.longest_message(); }
  const char* why_no_longer_message() const override {
    return settings_.longer == Longer::is_refused
               ? "cellos.ring_buffer, cellos.send_buffer; --set mpi.longer_messages=parts cuts longer ones"
               : "cellos.ring_buffer, cellos.send_buffer";
  }
  bool is_at_rest() const override {
    return to_do_ == 0 && direct_ == nullptr && deferred_.empty() && for_polls_to_come_.empty() &&
           looks_for_room_ == 0 && unloading_ == Bytes() && long_receives_.empty();
  }
  bool sends_longer_messages() const override {
    return settings_.longer == Longer::goes_by_put ||
           (settings_.longer == Longer::goes_in_parts && has_room_for_parts());
  }
  MessageId upcoming_message() const override { return carrier_.upcoming_message(); }

 protected:
  cellos::Cell& cell() { return cell_; }
  CellosCarrier& carrier() { return carrier_; }
  int cell_of(const SendOperation& send) const { return cell_.system().numbers().number_of_rank(send.destination); }
  bool goes_in_parts(const SendOperation& send) const {
    return settings_.longer == Longer::goes_in_parts && is_too_long(send) && !goes_by_put(send);
  }
  // Whether its end is the receiver's to tell.
  bool is_answered(const SendOperation& send) const { return send.mode == SendMode::synchronous || goes_by_put(send); }
  Acknowledgement* await_answer(SendOperation& send);
  // To be worked on in turns, beside what this endpoint itself knows of.
  void add_to_do(int more) { to_do_ += more; }
  // The list is tried: what has arrived for it is worked on now.
  void make_progress(Thread& thread) {
    if (to_do_ == 0) return;
    if (deferred_.empty()) [[likely]]
      return thread.leave_poll_instant();
    work_on_deferred(thread);
  }
  template <typename MakeProgress>
  void wait(Gate& gate, const Wait& why, const MakeProgress& make_progress);
  void take_arrivals() override {
    make_progress(*Thread::current());
    look_for_room();
  }
  void look_for_room() {
    if (cell_.ring().has_waiting()) [[unlikely]]
      room_is_wanted();
  }

 private:
  // What events carry that are about room in the ring buffer.
  static constexpr std::uint64_t looks_for_room = 1;
  static constexpr std::uint64_t is_unloaded = 2;
  // Beside a message: an announcement, whose parts are looked for then.
  static constexpr std::uint64_t is_received = 1;
  // A poll, at which the next of for_polls_to_come_ is worked on. The message beside it, if any, is only to be fetched.
  static constexpr std::uint64_t at_poll = 4;

  bool reaches(int rank) const override;
  void put(int to, void* there, const void* here, Bytes bytes, Completion& over) override;
  void get(int from, void* here, const void* there, Bytes bytes, Completion& over) override;
  void finish_puts() override {}  // one is over when its answer has come

  struct Pending;
  // Takes the parts that come of a message which nobody will receive.
  class PartsThrownAway final : public cellos::Taker {
   public:
    explicit PartsThrownAway(CellosEndpoint& in) : in_(in) {}

   private:
    void take(cellos::Expected& expected, cellos::Message& part) override;
    bool is_waiting(const cellos::Expected&) const override { return false; }
    CellosEndpoint& in_;
  };
  // What has to be worked on in a turn: a message that a receive of the list takes, one whose receive is over and that
  // is only to be answered, an acknowledgement, or (without a message) what a waiting probe finds.
  struct Arrival {
    cellos::Message* message = nullptr;
    Completion* probe = nullptr;
    int looks = 1;  // probes until it is found; none if the call need not look
  };
  const cellos::Costs& native() const { return cell_.costs(); }
  cellos::Mailbox& mailbox() { return cell_.mailbox(carrier_.space()); }
  Thread& library_thread() const { return cell_.rank().attendant(); }
  cellos::Message* take_from_queue(const Pattern& pattern);
  void search_and_receive(ReceiveOperation& receive);
  cellos::Message* search(const Pattern& pattern);

  bool goes_by_put(const SendOperation& send) const {
    if (send.mode == SendMode::synchronous && settings_.synchronous_by_put) return true;
    return settings_.longer == Longer::goes_by_put && is_too_long(send);
  }
  bool is_too_long(const SendOperation& send) const { return send.bytes > carrier_.longest_message(); }
  bool has_room_for_parts() const { return carrier_.longest_message() >= Bytes(sizeof(Announcement)); }
  bool goes_striding(const SendOperation& send) const {
    return settings_.nonblocking_by_striding && send.is_nonblocking && !goes_by_put(send) && !goes_in_parts(send);
  }
  bool is_pre_received(const ReceiveOperation& receive) const {
    return settings_.nonblocking_by_striding && receive.is_nonblocking;
  }

  void send_request(SendOperation& send, Acknowledgement& awaited);
  void receive_announced(cellos::Message& message, ReceiveOperation& receive);
  void take_announced(cellos::Message& message, ReceiveOperation& receive, Time at, EventOrder order);
  void receive_announced_at(cellos::Message& message, const Event& event);
  void serve_all_at(const std::vector<cellos::Message*>& messages, const Event& event);
  void throw_parts_away(cellos::Message& announcement);
  void throw_away(cellos::Message& part, ReceiveOperation& piece, Time now);
  ReceiveOperation& expect_parts(cellos::Message& message, ReceiveOperation* receive,
                                 std::vector<cellos::Message*>& there);
  void expect_part(ReceiveOperation& part);
  void piece_is_there(ReceiveOperation& piece, Time at);
  void send_striding(SendOperation& send, Acknowledgement* awaited);
  void pre_receive_announced(cellos::Message& message, ReceiveOperation& receive, const cellos::Delivery& delivery);
  std::vector<cellos::Message*> begin_parts(cellos::Message& message);
  void parts_are_to_come(cellos::Message& message, Time at);
  void forget_striding_send(SendOperation& send);
  void pre_receive(ReceiveOperation& receive);
  void stop_pre_receive(ReceiveOperation& receive);
  void received(cellos::PreReceive& pre_receive, cellos::Message& message, const cellos::Delivery& delivery) override;
  Time work_in_call(const cellos::Message& message) const override;
  void answer_delivered(cellos::Message& message, const cellos::Delivery& delivery);
  void expect(ReceiveOperation& receive);
  void match(cellos::Message& message, ReceiveOperation& receive);
  void receive_found(cellos::Message& message, ReceiveOperation& receive);
  void receive_now(cellos::Message& message, ReceiveOperation& receive);
  void answer_now(const cellos::Message& message);

  void take(cellos::Expected& expected, cellos::Message& message) override;
  bool is_waiting(const cellos::Expected& expected) const override;
  void fetch(const cellos::Expected& expected) const override;
  void queued(cellos::Message& message) override;
  Bytes take_what_told_context();
  void noticed(cellos::Message& notice) override;
  void discarded(cellos::Message& message) override;
  void lost(cellos::Message& message) override;
  bool has_arrivals() const override { return !deferred_.empty(); }
  void room_is_wanted() override;
  bool has_to_make_room();
  void make_room();
  // In the ring buffer: a message, or what has told the contexts of so many that are to come.
  struct InTheWay {
    cellos::Message* message = nullptr;
    std::uint64_t contexts = 0;
    bool is_nothing() const { return message == nullptr && contexts == 0; }
  };
  InTheWay what_is_in_the_way();
  template <typename Spender>
  void spend_unloading(Spender& by, const InTheWay& what) const;
  void unload(const InTheWay& what);
  void make_room_in_poll(Thread& thread, const Wait& why);
  void fire_of_room(std::uint64_t what);
  void fire(const Event& event) override;
  void fetch(const Event& event, FetchLevel level) const override;
  void arrived(const Arrival& arrival);
  void try_to_cancel(cellos::Message& question);
  void cancel_answered(cellos::Message& answer);
  void first_taken_directly(cellos::Message& message);
  void data_is_there(const cellos::Message& message, ReceiveOperation& receive, Time at);
  void acknowledged(Acknowledgement& acknowledgement, Time at);

  void work_on_deferred(Thread& thread);
  Time cost_of(const Arrival& arrival) const;
  void work_on(const Arrival& arrival, Time start, Time end);
  void complete_receive(cellos::Message& message, cellos::ServedSteps steps, Time end, EventOrder order);
  void answer(const cellos::Message& message, cellos::ServedSteps steps, EventOrder order);
  void answered(const cellos::Message& notice, cellos::ServedSteps steps, EventOrder order);
  cellos::Message& acknowledgement_of(const cellos::Message& message);

  // What every message looks at is in few lines of this computer's cache.
  cellos::Cell& cell_;
  const cellos::Node& node_;  // the cell's: known here, it can be fetched a step earlier
  EventOwner owner_;
  int to_do_ = 0;  // receives of the list, acknowledgements and probes that are waited for, and serving others
  int collective_receives_ = 0;               // that wait for their messages
  const ReceiveOperation* direct_ = nullptr;  // in dl_arecv
  std::vector<Arrival> deferred_;             // not yet worked on
  Fifo<Arrival> for_polls_to_come_;           // the same, in a poll that is known; by arrival
  CellosCarrier carrier_;
  Settings settings_;
  std::unique_ptr<Contexts> contexts_;
  CellosGroupOperations group_operations_;
  int looks_for_room_ = 0;                      // events to come
  Time looks_for_room_at_;                      // the last of these
  std::uint64_t contexts_told_ = 0;             // by extra messages, of messages that have not come yet
  std::uint64_t contexts_kept_ = 0;             // of these, those that have left the ring buffer
  Bytes unloading_;                             // being copied out of the ring buffer to make room
  cellos::Message* first_in_direct_ = nullptr;  // what it has been given, if the data is still to be put or to come
  std::vector<std::unique_ptr<LongReceive>> long_receives_;
  std::vector<Arrival> worked_on_;  // deferred_'s memory, used in turn
  WaitingProbes probes_;
  PartsThrownAway parts_thrown_away_{*this};
};

template <typename MakeProgress>
void CellosEndpoint::wait(Gate& gate, const Wait& why, const MakeProgress& make_progress) {
  Thread& thread = *Thread::current();
  look_for_room();
  while (direct_ != nullptr && !gate.is_open()) thread.wait_without_polling(why);
  if (cellos::Message* first = std::exchange(first_in_direct_, nullptr)) [[unlikely]]
    receive_found(*first, *static_cast<ReceiveOperation*>(first->taken_by));
  wait_in_turns(thread, gate, why, deferred_, [&] {
    if (threads_in_turn_ != nullptr) threads_in_turn_->let_others_in(gate, why);
    make_progress();
  });
}

}  // namespace hindcast::mpi
