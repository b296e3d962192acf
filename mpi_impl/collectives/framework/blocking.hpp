// A blocking collective: runs to its end before the call returns. Where the thread may, it waits once for the whole of
// it, and the algorithm goes on within the engine's loop: a switch to the thread and back at every round would take as
// long as all the rest.
#pragma once

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <iterator>

#include "mpi_impl/collectives/framework/calls.hpp"
#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

template <typename Call>
class BlockingCollective final : public Continuation, public Wait {
 public:
  BlockingCollective(Process& process, Comm& comm, const Call& call, const Choice& choice)
      : process_(process),
        thread_(*Thread::current()),
        gate_(thread_),
        collective_(process, comm, choice.parameters, call.reduction(), how_to_wait(process, comm, call, choice), gate_,
                    comm.next_collective_tag()),
        task_(mpi::start(call, collective_, choice.algorithm)) {}

  void run() {
    while (!task_.is_done()) {
      thread_.go_on_with(this);
      mpi::wait(process_, gate_, *this);
      thread_.go_on_with(nullptr);
      if (!task_.is_done()) collective_.resume();
    }
    task_.get();
    collective_.throw_if_truncated();
  }

  // Up to a round that is not over, or one from which it has to go on by its thread.
  Onward go_on() override {
    bool is_over = process_.endpoint().has_waited(gate_, true);
    while (is_over) {
      if (collective_.round_ends_by_idling()) return Onward::runs();
      collective_.resume();
      if (task_.is_done()) return Onward::runs();
      is_over = process_.endpoint().has_waited(gate_, false);
      if (is_over && thread_.has_too_many_acts()) return Onward::runs();
    }
    return Onward::waits(*this);
  }
  void fetch(FetchLevel level) const override {
    if (level == 0) collective_.fetch();
  }
  BlockedOn describe() const override { return collective_.waiting().describe(); }

 private:
  static Collective::Waits how_to_wait(Process& process, const Comm& comm, const Call& call, const Choice& choice) {
    const bool may_be_suspended =
        Thread::current()->may_go_on_off_stack() && process.background.is_empty() && !comm.is_inter() &&
        process.endpoint().works_off_stack(longest_message(call, *choice.algorithm, comm.size)) &&
        !runs_code_of_program(call.reduction());
    return may_be_suspended ? Collective::Waits::suspended : Collective::Waits::in_each_round;
  }

  // What one message or copy carries at most, as far as that is known beforehand.
  static Bytes longest_message(const Call& call, const Algorithm& algorithm, int ranks) {
    using O = CollectiveOperation;
    const bool has_equal_blocks = call.operation != O::allgatherv && call.operation != O::reduce_scatter;
    if (!has_equal_blocks || !choice_knows_bytes(call.operation)) return Bytes(UINT64_MAX);
    constexpr O of_one_block[] = {O::barrier, O::bcast, O::reduce, O::allreduce, O::scan, O::exscan};
    const bool is_one_block = algorithm.carries == Carries::single_block ||
                              std::ranges::find(of_one_block, call.operation) != std::end(of_one_block);
    const auto all = static_cast<std::uint64_t>(is_one_block ? 1 : ranks);
    return Bytes(call.bytes() * all * (algorithm.carries == Carries::blocks_between_groups ? all : 1));
  }

  // Its own operation, or what it does when arithmetic traps: on its thread's stack.
  static bool runs_code_of_program(const Op* op) {
    return op != nullptr && (!op->is_predefined() || fegetexcept() != 0);
  }

  Process& process_;
  Thread& thread_;
  Gate gate_;
  Collective collective_;
  const Task task_;
};

}  // namespace hindcast::mpi
