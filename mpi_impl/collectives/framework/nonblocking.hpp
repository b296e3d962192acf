// A nonblocking collective: what it was called with, its algorithm, and where that stands.
#pragma once

#include <utility>
#include <vector>

#include "mpi_impl/collectives/framework/calls.hpp"
#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/collectives/framework/off_stack.hpp"
#include "mpi_impl/core/requests/background.hpp"

namespace hindcast::mpi {

// A Call keeps what the algorithm refers to, and starts it.
template <typename Call>
class NonblockingCollective final : public Activity {
 public:
  NonblockingCollective(Process& process, Comm& comm, Call call, const Choice& choice, int tag)
      : Activity(*Thread::current()),
        process_(process),
        comm_(comm),
        algorithm_(choice.algorithm),
        call_(std::move(call)),
        types_(call_.types()),
        collective_(process, comm, choice.parameters, call_.reduction(), Collective::Waits::in_background, gate_, tag),
        task_(start(call_, collective_, choice.algorithm)) {
    for (const Datatype* type : types_)
      if (type != nullptr) use(*type);
    end_if_done();
  }
  ~NonblockingCollective() override {
    for (const Datatype* type : types_)
      if (type != nullptr) process_.datatypes.stop_using(*type);
  }

  Time round_is_over_at() const override { return collective_.waiting().round_is_over_at(); }
  void go_on() override {
    collective_.resume();
    end_if_done();
  }
  bool may_be_suspended() const override {
    if constexpr (requires { call_.operation; })
      return algorithm_ != nullptr && Thread::current()->progress() == Progress::hardware &&
             mpi::may_be_suspended(process_, comm_, call_, algorithm_);
    return false;
  }
  void run_to_end(const Wait& why) override {
    collective_.suspend_rounds();
    RoundsOfRequest(process_, gate_, collective_, task_, why).run();
    end_if_done();
  }
  const char* name() const override { return "a collective in progress"; }
  BlockedOn describe() const override { return collective_.waiting().describe(); }

 private:
  class RoundsOfRequest final : public Rounds {
   public:
    RoundsOfRequest(Process& process, Gate& gate, Collective& collective, const Task& task, const Wait& why)
        : Rounds(process, gate, collective, task), why_(why) {}
    BlockedOn describe() const override { return why_.describe(); }

   private:
    const Wait& why_;
  };

  void end_if_done() {
    if (!task_.is_done()) return;
    try {
      task_.get();
      collective_.throw_if_truncated();
    } catch (const Error& error) {
      error_ = error;
    }
    end_now();
  }

  Process& process_;
  Comm& comm_;
  const Algorithm* algorithm_;
  Call call_;
  std::vector<const Datatype*> types_;
  Collective collective_;
  Task task_;
};

}  // namespace hindcast::mpi
