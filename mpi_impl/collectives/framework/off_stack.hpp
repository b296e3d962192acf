// A collective that its thread waits for until it is over. Where the thread may, it waits once for the whole of it, and
// the algorithm goes on within the engine's loop: a switch to the thread and back at every round would take as long as
// all the rest.
#pragma once

#include <algorithm>
#include <cfenv>
#include <cstdint>
#include <iterator>

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/framework/collective.hpp"

namespace hindcast::mpi {

// What one message or copy carries at most, as far as that is known beforehand.
template <typename Call>
Bytes longest_message(const Call& call, const Algorithm& algorithm, int ranks) {
  using O = CollectiveOperation;
  const bool has_equal_blocks = call.operation != O::allgatherv && call.operation != O::reduce_scatter;
  if (!has_equal_blocks || !choice_knows_bytes(call.operation)) return Bytes(UINT64_MAX);
  constexpr O of_one_block[] = {O::barrier, O::bcast, O::reduce, O::allreduce, O::scan, O::exscan};
  const bool is_one_block = algorithm.carries == Carries::single_block ||
                            std::ranges::find(of_one_block, call.operation) != std::end(of_one_block);
  const auto all = static_cast<std::uint64_t>(is_one_block ? 1 : ranks);
  return Bytes(call.bytes() * all * (algorithm.carries == Carries::blocks_between_groups ? all : 1));
}

// Whether it can go on off the stack of the calling thread. The operation of the program's own could not, nor what it
// does when arithmetic traps.
template <typename Call>
bool may_be_suspended(Process& process, const Comm& comm, const Call& call, const Algorithm* algorithm) {
  const Op* op = call.reduction();
  const bool runs_code_of_program = op != nullptr && (!op->is_predefined() || fegetexcept() != 0);
  return Thread::current()->may_go_on_off_stack() && !comm.is_inter() && !runs_code_of_program &&
         process.endpoint().works_off_stack(longest_message(call, *algorithm, comm.size));
}

// The rounds of one, up to its end.
class Rounds : public Continuation, public Wait {
 public:
  Rounds(Process& process, Gate& gate, Collective& collective, const Task& task)
      : process_(process), thread_(*Thread::current()), gate_(gate), collective_(collective), task_(task) {}

  void run() {
    while (!task_.is_done()) {
      thread_.go_on_with(this);
      mpi::wait(process_, gate_, *this);
      thread_.go_on_with(nullptr);
      if (!task_.is_done()) collective_.resume();
    }
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
  Process& process_;
  Thread& thread_;
  Gate& gate_;
  Collective& collective_;
  const Task& task_;
};

}  // namespace hindcast::mpi
