// Operations of several rounds that a rank has begun and not waited for: nonblocking collectives. They go on only while
// the rank is in a call of MPI's that makes progress, in the order in which they were begun. Whether a round is over is
// looked at when now = L, so that it does not depend on how far the rank has run ahead. If several threads of the rank
// wait, the first who began to has them go on. There may be thousands, so only those are looked at of whose round the
// end is known.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mpi_impl/core/error.hpp"
#include "mpi_impl/core/requests/sent_buffers.hpp"
#include "mpi_impl/transport/endpoint.hpp"
#include "simulator/engine/completion.hpp"

namespace hindcast::mpi {

class Background;
class Process;

class Activity : private GateListener {
 public:
  explicit Activity(Thread& thread) : gate_(thread) {}
  virtual ~Activity() = default;
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  bool has_ended() const { return end_.is_known(); }
  // Known as soon as the activity has ended.
  Operation& end() { return end_; }
  // What went wrong, once it has ended.
  const std::optional<Error>& error() const { return error_; }
  // What is still to be done with its results before the program is told of the end. It may be none.
  std::function<void()> when_finished;
  // The activity sends this data, which the program is not to change meanwhile. Called only in runs that look for that.
  void watch(std::unique_ptr<SentData> sent) { sent_data_ = std::move(sent); }
  // To be called before the program is told of the activity's end.
  void look_at_what_was_sent(Comm& comm) {
    if (sent_data_ != nullptr && !error_ && sent_data_->has_changed()) [[unlikely]]
      error_ = sent_data_->error(comm);
  }

  // From when on the current round is over, as far as is known: never if it is not.
  virtual Time round_is_over_at() const = 0;
  // When it is: the next rounds, up to one that is not over.
  virtual void go_on() = 0;
  // Whether a thread that waits for nothing else need not be woken at each round.
  virtual bool may_be_suspended() const { return false; }
  // Then: to its end, with `why` the thread waits.
  virtual void run_to_end(const Wait& /*why*/) {}
  // What the current round waits for.
  virtual BlockedOn describe() const = 0;
  // What a status says of it, beside that there is nothing to say.
  virtual void tell(MPI_Status&) const {}
  // A send and a receive: the program may free the request meanwhile. A collective's it may not.
  virtual bool may_be_freed() const { return false; }
  // What it is, to a program that does with its request what it may not.
  virtual const char* name() const { return "an operation in progress"; }
  // Its communicator is a window's own, whose error handler nobody has chosen: such errors are MPI_COMM_WORLD's.
  virtual bool has_hidden_communicator() const { return false; }

 protected:
  friend class Background;
  // The end is at the thread's clock: which of several ended first may be asked, so nothing may put that off any more.
  void end_now() {
    Thread& thread = *Thread::current();
    if (!thread.clock_is_certain()) thread.settle();
    end_.complete(thread.clock());
  }
  bool is_going_on_ = false;  // by a thread that may have given way meanwhile
  // It never ends by itself: in a call it only goes on with what had come when the call looked for it, or others could
  // keep the rank in that call for ever.
  bool serves_others_ = false;
  Gate gate_;  // opens when the end of the round is known
  Operation end_;
  std::optional<Error> error_;

 private:
  void opened(const Thread& thread, MessageId message) override;

  std::unique_ptr<SentData> sent_data_;
  Background* background_ = nullptr;  // that it goes on in
  std::uint64_t place_ = 0;           // in the order of beginnings
};

// What a persistent request begins anew at each start.
class Restartable {
 public:
  virtual ~Restartable() = default;
  virtual std::unique_ptr<Activity> begin() = 0;
  // What is to be done with the program's buffers before each beginning, and after each end. It may be none.
  std::function<void()> before;
  std::function<void()> after;
};

class Background {
 public:
  bool is_empty() const { return activities_ == 0; }
  // It has begun, and not ended yet.
  void add(Activity& activity);

  // Everything that can go on at the thread's clock does.
  void make_progress();
  // How often the rank has looked at what had arrived, or waited for it.
  std::uint64_t looks() const { return looks_; }
  void has_looked() { ++looks_; }
  // As the endpoint's wait and wait_until, with progress meanwhile.
  void wait(Process& process, Gate& gate, const Wait& why);
  void wait_until(Process& process, Time time, const Wait& why);
  // The thread will wait for this one. If nothing else goes on, and it may be suspended, it has ended afterwards.
  void run_to_end_if_alone(Activity& activity, const Wait& why);

 private:
  friend class Activity;

  Activity* first_that_can_go_on(Time looked_at, Time now) const;
  Time next_round_is_over_at() const;
  void have_go_on(Activity& activity);
  void take_out(Activity& activity);
  // The end of its round is known.
  void put_among_known(Activity& activity);

  std::uint64_t looks_ = 0;
  std::uint64_t begun_ = 0;
  std::size_t activities_ = 0;
  std::vector<Activity*> known_;  // in the order of their beginnings
  std::vector<Gate*> waiting_;    // of threads, the same
};

}  // namespace hindcast::mpi
