// How MPI moves a rank's messages on a machine: an endpoint a rank. core/ calls it on the rank's threads, and it calls
// the native library or the hardware. Who matches is the endpoint's affair: here or, where the machine's own library
// matched, below it.
#pragma once

#include <climits>
#include <cstdint>
#include <memory>

#include "mpi_impl/transport/local_costs.hpp"
#include "mpi_impl/transport/operation.hpp"
#include "mpi_impl/transport/threads_in_turn.hpp"

namespace hindcast::mpi {

class Contexts;
class GroupOperations;
class MemoryKinds;
class RemoteAccess;
class TargetHandlers;

class Endpoint {
 public:
  // The costs outlive it.
  explicit Endpoint(const LocalCosts& local) : local_(local) {}
  virtual ~Endpoint() = default;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // What the library does by itself: packing and buffered sends, reductions, looks at the clock.
  const LocalCosts& local() const { return local_; }

  // Whether its calls about no more than so many bytes never give way, so that they may be made off the thread's stack
  // if the thread may go on there.
  virtual bool works_off_stack(Bytes /*longest*/) const {
    return local_.memory == nullptr && Thread::current()->progress() == Progress::hardware;
  }
  // What wait() does around giving way, for a thread off its stack that is about to wait, or has been woken: whether
  // the gate is open.
  virtual bool has_waited(const Gate& gate, bool /*was_woken*/) { return gate.is_open(); }
  // The rank is about to have several threads, which may all call it at once unless they have to take turns.
  virtual void expect_several_threads() {}
  ThreadsInTurn* threads_in_turn() { return threads_in_turn_.get(); }
  // Null if the machine has none.
  virtual GroupOperations* group_operations() { return nullptr; }
  // Null if its messages cannot run handlers.
  virtual TargetHandlers* target_handlers() { return nullptr; }
  // Null if the machine has no puts and gets.
  virtual RemoteAccess* remote_access() { return nullptr; }
  // Null if its memory is of one kind.
  virtual MemoryKinds* memory_kinds() { return nullptr; }
  // Null if there is no limit to them, and nothing to be ready for.
  virtual Contexts* contexts() { return nullptr; }

  // From now on, or no longer, others may need this rank's progress at any time: no call may wait without making some.
  virtual void serve_others(bool /*from_now_on*/) {}

  // Whether it sends data in items as they lie, or has to be given them in one piece.
  virtual bool moves_items(const SendOperation&) const { return false; }
  // Both charge the thread what the call costs, and return without waiting for the completion.
  virtual void send(SendOperation& send) = 0;
  virtual void receive(ReceiveOperation& receive) = 0;

  // Waits until the gate opens, making what progress the machine's library makes in a blocking call.
  virtual void wait(Gate& gate, const Wait& why) = 0;
  // The same until a time that is known already, such as that of a completion in the future.
  virtual void wait_until(Time time, const Wait& why) = 0;

  // One turn of the library's progress, as in a Test that has not yet looked. Charges what a poll costs.
  virtual void poll(const Wait& why) = 0;

  // After the completion holds at the thread's clock: what is left for the processor to do (copies, overheads).
  virtual void finish(SendOperation& send) = 0;
  virtual void finish(ReceiveOperation& receive) = 0;

  // Whether a message that `pattern` takes has arrived by the thread's clock, the first one if there are several. The
  // caller has settled. If not, `completion` (if given) completes when the next one has come: a blocking probe's wait.
  virtual bool probe(const Pattern& pattern, Envelope& envelope, Bytes& bytes, Completion* completion) = 0;
  virtual void forget_probe(Completion& completion) = 0;
  virtual bool take(const Pattern& pattern, TakenMessage& message) = 0;
  virtual void receive(ReceiveOperation& receive, const TakenMessage& message) = 0;

  // The operation will complete, as cancelled if it was in time. The caller has settled. A send that seemed complete
  // may be in progress again while its receiver is asked.
  virtual void cancel(SendOperation& send) = 0;
  virtual void cancel(ReceiveOperation& receive) = 0;

  // The caller hands the send buffer back to the program, or frees the request: what still has to travel is captured
  // now, and the endpoint forgets the operation.
  virtual void release_buffer(SendOperation& send) = 0;

  // Until no message of the rank's needs it any more to get on, also such whose requests have been freed.
  virtual void wait_for_freed_sends() {}
  // The rank will not call it any more: it need make no more progress for others.
  virtual void leave() {}
  // Afterwards: whether nothing that is under way points to the rank's operations, so that they may go.
  virtual bool is_at_rest() const { return false; }

  // The largest tag that a program may use.
  virtual int tag_upper_bound() const { return INT_MAX; }
  // The longest message that it can send, and the machine's parameters which that follows from.
  virtual Bytes longest_message() const { return Bytes(UINT64_MAX); }
  virtual const char* why_no_longer_message() const { return ""; }
  // Whether a longer one of the program's goes in another way, or is to be refused. Collectives go in parts in any
  // case.
  virtual bool sends_longer_messages() const { return false; }

  // Of a message to a rank, for people; nothing if there is but one.
  virtual const char* name_of_method(int /*to*/, Bytes /*bytes*/) const { return ""; }
  // The number that the next send gets.
  virtual MessageId upcoming_message() const = 0;

 protected:
  std::unique_ptr<ThreadsInTurn> threads_in_turn_;

 private:
  const LocalCosts& local_;
};

}  // namespace hindcast::mpi
