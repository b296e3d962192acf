// MPI on the Cray T3E and T3D: protocol messages bring sends and receives together, and shared memory's put and get
// move what does not fit into them. All work is done by the ranks' own threads in calls of the library; what arrives
// meanwhile lies in the queue, and wakes a thread that waits.
//
// A blocking call takes one message after the other and is over as soon as what it waits for is. So it never needs to
// know that there is no message, and the thread may be ahead of the clock. Only calls that look for whatever has come
// settle first.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "mpi_impl/libraries/cray/mpi/group_operations.hpp"
#include "mpi_impl/libraries/cray/mpi/protocol_queue.hpp"
#include "mpi_impl/libraries/cray/mpi/protocols.hpp"
#include "mpi_impl/libraries/cray/mpi/shared.hpp"
#include "mpi_impl/libraries/cray/native/pe.hpp"
#include "mpi_impl/libraries/cray/native/pe_waits.hpp"
#include "mpi_impl/matching/posted_receives.hpp"
#include "mpi_impl/matching/turns.hpp"
#include "mpi_impl/matching/unexpected.hpp"
#include "mpi_impl/transport/remote_access.hpp"
#include "mpi_impl/transport/waiting_probes.hpp"
#include "simulator/engine/fifo.hpp"

namespace hindcast::mpi {

class alignas(cache_line) T3eEndpoint final : public Endpoint,
                                              private T3eAbsorber,
                                              private RemoteAccess,
                                              private Backlog {
 public:
  using MakeQueue = std::function<T3eProtocolQueue*(T3eAbsorber& library)>;
  T3eEndpoint(T3eShared& shared, shmem::Pe& pe, Bytes buffer_max, const MakeQueue& make_queue);

  GroupOperations* group_operations() override { return &group_operations_; }
  RemoteAccess* remote_access() override { return this; }
  bool works_off_stack(Bytes) const override { return false; }
  void expect_several_threads() override {
    if (threads_in_turn_ == nullptr) threads_in_turn_ = std::make_unique<ThreadsInTurn>(thread().engine());
  }
  void send(SendOperation& send) override;
  void receive(ReceiveOperation& receive) override;
  void wait(Gate& gate, const Wait& why) override;
  void wait_until(Time time, const Wait& why) override { thread().pass_until(time, why); }
  void poll(const Wait& why) override;
  void finish(SendOperation&) override {}
  void finish(ReceiveOperation& receive) override;
  bool probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) override;
  void forget_probe(Completion& completion) override;
  bool take(const Pattern& pattern, TakenMessage& taken) override;
  void receive(ReceiveOperation& receive, const TakenMessage& taken) override;
  void cancel(SendOperation& send) override;
  void cancel(ReceiveOperation& receive) override;
  void release_buffer(SendOperation& send) override;
  void leave() override { carry_out(queue_.finish_puts()); }
  bool is_at_rest() const override { return posted_.size() == 0 && outgoings_ == 0 && outbox_.empty(); }
  MessageId upcoming_message() const override { return pe_.upcoming_message(); }

  // --- in handlers ---

  // The rank has gone: messages that nobody has received, and those that are still to come, are lost.
  void close();
  static void question_lost(T3eOutgoing& outgoing, Time at);

  // --- for protocols, on the rank's thread ---

  static Thread& thread() { return *Thread::current(); }
  const T3eSettings& settings() const { return shared_.settings(); }
  int slots_for(Bytes bytes) const;

  Errand put(T3eMessage& message, int to_rank);
  // The send is not over before the answer has come.
  T3eOutgoing& expect_answer(T3eMessage& first, SendOperation& send);
  // Of the receiver to a first message, which is freed; with the receive that it is about if more is to come.
  Errand answer(T3eMessage& first, ReceiveOperation* receive);
  Errand answer_and_complete(T3eMessage& first, ReceiveOperation& receive);
  Errand tell_last(const T3eOutgoing& outgoing, ReceiveOperation& receive);
  void end(T3eOutgoing& outgoing) { end(outgoing, thread().clock()); }

  // Copies the data of a standard send if the library's buffers have room for it, which takes its time.
  bool buffer_if_room(T3eOutgoing& outgoing);
  // Whether there would be if nothing else were in them.
  bool may_buffer(const SendOperation& send) const {
    return send.mode != SendMode::synchronous && send.bytes <= buffer_max_;
  }
  void copy_data(T3eOutgoing& outgoing);
  // Its data is the library's by now, or once that is put: the program's call is over.
  void let_go(SendOperation& send);
  Errand let_go_after(Errand put, SendOperation& send);
  std::byte* copy_in_library(const void* data, Bytes bytes);

  static void deliver(const T3eMessage& message, ReceiveOperation& receive);
  void free(T3eMessage& first) { shared_.free_message(first); }
  // By the receiver: a get of a send's data, which is over when the answer is there.
  shmem::PeAnswer new_answer_to_get(const T3eOutgoing& outgoing);
  void begin_get(shmem::PeAnswer& answer, T3eOutgoing& outgoing, ReceiveOperation& receive);
  void end_get(T3eOutgoing& outgoing);
  Errand put_data(const T3eOutgoing& outgoing, ReceiveOperation& receive);

 private:
  bool reaches(int) const override { return true; }
  void put(int to, void* there, const void* here, Bytes bytes, Completion& over) override;
  void get(int from, void* here, const void* there, Bytes bytes, Completion& over) override;
  bool has_atomics() const override { return true; }
  std::uint64_t atomic(int at, void* word, int bytes, const AtomicRequest& request) override;
  void finish_puts() override;

  struct PostedReceive;
  class PutWait;
  const T3eProtocol& protocol_for(const SendOperation& send) const;
  T3eMessage& new_message(T3ePurpose purpose, MessageId about);
  T3eMessage& new_first(const SendOperation& send);
  Errand begin(SendOperation& send, T3eMessage& first);
  Errand post(ReceiveOperation& receive);
  Errand let_go_after_wait(Errand put, SendOperation& send);
  bool may_be_in_backlog(const SendOperation& send, const T3eMessage& first) const;
  void add_to_backlog(Operation& operation, T3eMessage* first);
  Errand do_backlog(const GateState* awaited);
  void work_off() override { carry_out(do_backlog(nullptr)); }
  Errand waiting(Gate& gate, const Wait& why);
  Errand absorb() override;
  void fetch_for(const T3eMessage& message, FetchLevel level) const override;
  Errand handle(T3eMessage& message);
  Errand arrived(T3eMessage& first);
  void keep(T3eMessage& first);
  void spend_search(std::uint64_t passed, MessageId message);
  std::uint64_t passed_before(const T3eMessage* found) const;
  Errand match(T3eMessage& first, ReceiveOperation& receive, bool was_unexpected);
  Errand complete_after(Errand work, ReceiveOperation& receive);
  Errand free_after(Errand work, T3eMessage& message);
  Errand free_after_wait(Errand work, T3eMessage& message);
  Errand put_all(Errand first);
  Errand try_to_cancel(const T3eMessage& question);
  void end(T3eOutgoing& outgoing, Time at);
  void cancel_answered(T3eOutgoing& outgoing, bool was_in_time, Time at);
  void free(T3eOutgoing& outgoing);

  struct Outbound {
    T3eMessage* message;
    int to_rank;
  };
  // What a nonblocking call has left to be done: a send whose first message is there, or a receive.
  struct InBacklog {
    Operation* operation;
    T3eMessage* first;  // null of a receive
  };

  // In the order in which lines of the cache are looked at: what every message does is in the first three, with the
  // bases, and what is matched in the next ones.
  static constexpr int lines_of_every_message = 3;
  T3eShared& shared_;
  T3eProtocolQueue& queue_;
  shmem::Pe& pe_;
  Fifo<Outbound> outbox_;  // to be put, in this order
  bool is_putting_ = false;
  int outgoings_ = 0;          // sends whose receiver has still something to tell
  std::uint64_t handled_ = 0;  // messages so far
  const Bytes buffer_max_;
  std::uint64_t buffer_free_;  // bytes of that
  Fifo<InBacklog> backlog_;
  T3eGroupOperations group_operations_;
  matching::PostedReceives posted_;
  matching::Turns unexpected_in_order_;  // as the library searches them, one after the other from the first that came
  matching::Unexpected unexpected_;
  WaitingProbes probes_;
};

}  // namespace hindcast::mpi
