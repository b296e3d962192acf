#include "mpi_impl/core/communicators/collective_order.hpp"

#include <fmt/format.h>

#include <string_view>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/process.hpp"
#include "simulator/programs/process/backtrace.hpp"

namespace hindcast::mpi {

namespace {

// Ranks may ask for threads or not, and so begin by different calls.
bool may_differ(std::string_view call) { return call.starts_with("MPI_Init"); }

}  // namespace

// The groups of an intercommunicator may meet in calls that differ, as a server's and its client's do.
void CollectiveOrder::look_at(const Process& process, const Comm& comm) {
  const std::string call = process.call->name;
  if (comm.is_inter() || comm.size == 1 || may_differ(call)) return;
  const Place place{comm.context, comm.world_rank(0), comm.collectives_begun};
  auto entry = called_.find(place);
  if (entry == called_.end())
    entry = called_.emplace(place, Called{call, comm.rank, programs::place_of_caller(), comm.size}).first;
  Called& called = entry->second;
  if (called.call != call)
    throw Error{MPI_ERR_OTHER,
                fmt::format("rank {} of {} has called {}{} where this rank calls {}; all its ranks must make the same "
                            "collective calls in the same order",
                            called.rank, comm.name(), called.call,
                            called.where.empty() ? "" : fmt::format(" (in {})", called.where), call),
                &comm};
  if (--called.still_to_come == 0) called_.erase(entry);
}

int begin_collective(Process& process, Comm& comm) {
  if (CollectiveOrder* order = process.world().collective_order()) [[unlikely]]
    order->look_at(process, comm);
  return comm.next_collective_tag();
}

}  // namespace hindcast::mpi
