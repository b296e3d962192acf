// MPI_Comm_idup: the duplicate is made at once, but for its contexts, which rank 0 (of the group that comes first)
// chooses and which go down a binomial tree.
#include <memory>

#include "mpi_impl/collectives/algorithms.hpp"
#include "mpi_impl/collectives/choice.hpp"
#include "mpi_impl/collectives/nonblocking.hpp"

namespace hindcast::mpi::body {

namespace {

Task tell_context(Collective& collective, Comm& from, Block context) {
  if (!from.is_inter()) {
    co_await bcast_binomial(collective, context, 0);
    co_return;
  }
  Collective within(collective);
  if (from.rank == 0 && from.comes_first) co_await collective.send(context, 0);
  if (from.rank == 0 && !from.comes_first) co_await collective.receive(context, 0);
  co_await bcast_binomial(within, context, 0);
}

struct DuplicateCall {
  Comm* from;
  Comm* copy;
  const Op* reduction() const { return nullptr; }
  std::vector<const Datatype*> types() const { return {}; }
  Task start(Collective& collective, const Algorithm&) const { return start_across(collective); }
  Task start_across(Collective& collective) const {
    return tell_context(collective, *from, bytes_at(&copy->context, sizeof copy->context));
  }
};

}  // namespace

void Comm_idup(Process& process, Comm& comm, MPI_Comm& handle, MPI_Request& request) {
  handle = MPI_COMM_NULL;
  const bool decides = comm.comes_first && comm.rank == 0;
  Comm& copy = make_duplicate(process, decides ? process.world().new_context() : 0, comm);
  handle = copy.handle;
  request = make_request(process, comm,
                         std::make_unique<NonblockingCollective<DuplicateCall>>(process, comm,
                                                                                DuplicateCall{&comm, &copy}, Choice{}))
                .handle;
}

}  // namespace hindcast::mpi::body
