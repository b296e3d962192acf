// MPI_Comm_idup: the duplicate is made at once, but for its contexts, which rank 0 (of the group that comes first)
// takes and which go down a binomial tree. Where members have to be ready for a context, what is in the way of any then
// goes up the tree and down again, so that the duplicate is ready, or given up, on all when it is on one.
#include <algorithm>
#include <memory>

#include "mpi_impl/collectives/bcast/binomial.hpp"
#include "mpi_impl/collectives/framework/choice.hpp"
#include "mpi_impl/collectives/framework/nonblocking.hpp"
#include "mpi_impl/core/communicators/agreement.hpp"

namespace hindcast::mpi::body {

namespace {

struct DuplicateCall {
  Process* process;
  Comm* from;
  Comm* copy;
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return {}; }
  Task start(Collective& collective, const Algorithm&) const { return start_across(collective); }
  Task start_across(Collective& collective) const;
};

template <typename Record>
Block block_of(Record& record) {
  return bytes_at(&record, sizeof record);
}

// To rank 0 of a group, up a binomial tree.
Task gather_worst(Collective& collective, Obstacle& worst) {
  const int rank = collective.rank();
  int distance = 1;
  for (; distance < collective.size() && (rank & distance) == 0; distance *= 2) {
    if (rank + distance >= collective.size()) continue;
    Obstacle theirs = Obstacle::none;
    co_await collective.receive(block_of(theirs), rank + distance);
    worst = std::max(worst, theirs);
  }
  if (rank != 0) co_await collective.send(block_of(worst), rank - distance);
}

void join_or_not(Process& process, Comm& copy, Obstacle& mine) {
  mine = join(process, copy.context);
  copy.has_own_context = mine == Obstacle::none;
}

void end(const DuplicateCall& call, Obstacle worst) {
  if (worst == Obstacle::none) return;
  const std::uint32_t context = call.copy->context;
  call.copy->has_own_context = false;
  call.copy->attributes.remove_all(*call.process, call.copy->handle);
  free_comm(*call.process, *call.copy);
  give_up_if(worst, *call.process, context, call.from);
}

// Among the ranks of one group.
Task duplicate_within(Collective& collective, const DuplicateCall call) {
  co_await bcast_binomial(collective, block_of(call.copy->context), 0);
  Obstacle worst = Obstacle::none;
  join_or_not(*call.process, *call.copy, worst);
  if (call.process->endpoint().contexts() != nullptr) {
    co_await gather_worst(collective, worst);
    co_await bcast_binomial(collective, block_of(worst), 0);
  }
  end(call, worst);
}

// Of two groups.
Task duplicate_across(Collective& collective, const DuplicateCall call) {
  Collective within(collective);
  const bool is_first = call.from->rank == 0;
  const Block context = block_of(call.copy->context);
  if (is_first && call.from->comes_first) co_await collective.send(context, 0);
  if (is_first && !call.from->comes_first) co_await collective.receive(context, 0);
  co_await bcast_binomial(within, context, 0);
  Obstacle worst = Obstacle::none;
  join_or_not(*call.process, *call.copy, worst);
  if (call.process->endpoint().contexts() != nullptr) {
    co_await gather_worst(within, worst);
    Obstacle theirs = worst;
    if (is_first) co_await collective.exchange(block_of(worst), 0, block_of(theirs), 0);
    worst = std::max(worst, theirs);
    co_await bcast_binomial(within, block_of(worst), 0);
  }
  end(call, worst);
}

Task DuplicateCall::start_across(Collective& collective) const {
  return from->is_inter() ? duplicate_across(collective, *this) : duplicate_within(collective, *this);
}

// Without a context, until it has one.
Comm& make_copy(Process& process, Comm& comm) {
  const bool decides = comm.comes_first && comm.rank == 0;
  Comm& copy = make_duplicate(
      process, decides ? take_context(process, comm.size + (comm.is_inter() ? comm.peer_count : 0)) : 0, comm);
  copy.has_own_context = false;  // until it has joined
  return copy;
}

void begin_duplicate(Process& process, Comm& comm, Comm& copy, MPI_Comm& handle, MPI_Request& request) {
  handle = copy.handle;
  request =
      make_request(process, comm,
                   std::make_unique<NonblockingCollective<DuplicateCall>>(
                       process, comm, DuplicateCall{&process, &comm, &copy}, Choice{}, begin_collective(process, comm)))
          .handle;
}

}  // namespace

void Comm_idup(Process& process, Comm& comm, MPI_Comm& handle, MPI_Request& request) {
  handle = MPI_COMM_NULL;
  begin_duplicate(process, comm, make_copy(process, comm), handle, request);
}

void Comm_idup_with_info(Process& process, Comm& comm, const Info* info, MPI_Comm& handle, MPI_Request& request) {
  handle = MPI_COMM_NULL;
  Comm& copy = make_copy(process, comm);
  set_hints(copy, info);
  begin_duplicate(process, comm, copy, handle, request);
}

}  // namespace hindcast::mpi::body
