// A blocking collective: runs to its end before the call returns.
#pragma once

#include "mpi_impl/collectives/framework/calls.hpp"
#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/collectives/framework/collective.hpp"
#include "mpi_impl/collectives/framework/off_stack.hpp"
#include "mpi_impl/collectives/framework/tags.hpp"

namespace hindcast::mpi {

template <typename Call>
class BlockingCollective {
 public:
  BlockingCollective(Process& process, Comm& comm, const Call& call, const Choice& choice)
      : process_(process),
        gate_(*Thread::current()),
        collective_(process, comm, choice.parameters, call.reduction(), how_to_wait(process, comm, call, choice), gate_,
                    tag_of_next(process, comm, CollectiveOrder::Sequence::begun, call)),
        task_(mpi::start(call, collective_, choice.algorithm)) {}

  void run() {
    Rounds(process_, gate_, collective_, task_).run();
    task_.get();
    collective_.throw_if_truncated();
  }

 private:
  static Collective::Waits how_to_wait(Process& process, const Comm& comm, const Call& call, const Choice& choice) {
    const bool is_suspended = process.background.is_empty() && may_be_suspended(process, comm, call, choice.algorithm);
    return is_suspended ? Collective::Waits::suspended : Collective::Waits::in_each_round;
  }

  Process& process_;
  Gate gate_;
  Collective collective_;
  const Task task_;
};

}  // namespace hindcast::mpi
