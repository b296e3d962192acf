// A nonblocking collective: what it was called with, its algorithm, and where that stands.
#pragma once

#include <utility>
#include <vector>

#include "mpi_impl/collectives/framework/calls.hpp"
#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/core/requests/background.hpp"

namespace hindcast::mpi {

// A Call keeps what the algorithm refers to, and starts it.
template <typename Call>
class NonblockingCollective final : public Activity {
 public:
  NonblockingCollective(Process& process, Comm& comm, Call call, const Choice& choice, int tag)
      : Activity(*Thread::current()),
        process_(process),
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
  const char* name() const override { return "a collective in progress"; }
  BlockedOn describe() const override { return collective_.waiting().describe(); }

 private:
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
  Call call_;
  std::vector<const Datatype*> types_;
  Collective collective_;
  Task task_;
};

}  // namespace hindcast::mpi
