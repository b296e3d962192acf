#include "mpi_impl/core/communicators/joining_groups.hpp"

#include <algorithm>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

namespace {

// What leaders tell each other, and then their groups; the context is 0 if there are no more.
struct Offer {
  std::uint32_t context = 0;
  int group = 0;  // as World::hand_over numbers it
};

bool overlap(const Group& a, const Group& b) {
  for (int rank = 0; rank < a.size(); ++rank)
    if (b.has(a.world_rank(rank))) return true;
  return false;
}

template <typename Record>
void exchange_with_leader(Process& process, const WayToLeader& way, const Record& mine, Record& theirs) {
  const Datatype& byte = *predefined_datatype(MPI_BYTE);
  exchange(process, way.comm, way.context, {&mine, sizeof mine, byte, way.other, way.tag},
           {&theirs, sizeof theirs, byte, way.other, way.tag}, MPI_STATUS_IGNORE);
}

// On a leader: what its group has to know. The one with the lower rank in the world chooses the contexts.
Offer meet_other_leader(Process& process, Comm& comm, const WayToLeader& way) {
  World& world = process.world();
  const bool chooses = process.world_rank() < way.comm.world_rank(way.other);
  const Offer mine{chooses ? take_context(process, comm.size + 1) : 0, world.hand_over(comm.group, 1)};
  Offer theirs;
  exchange_with_leader(process, way, mine, theirs);
  return {chooses ? mine.context : theirs.context, world.hand_over(world.take_over(theirs.group), comm.size)};
}

// Nobody of the two groups goes on before all of them have joined, or know that one cannot.
void join_both(Process& process, Comm& comm, int leader, const WayToLeader* way, std::uint32_t context) {
  Obstacle worst = join(process, context);
  if (process.endpoint().contexts() != nullptr) {
    worst = worst_of_all(process, comm, worst);
    if (comm.rank == leader) {
      Obstacle theirs = Obstacle::none;
      exchange_with_leader(process, *way, worst, theirs);
      worst = std::max(worst, theirs);
    }
    broadcast_from(process, comm, leader, writable_bytes_of(worst));
  }
  give_up_if(worst, process, context);
}

}  // namespace

Comm& join_groups(Process& process, Comm& comm, int leader, const WayToLeader* way) {
  Offer offer;
  if (comm.rank == leader) offer = meet_other_leader(process, comm, *way);
  broadcast_from(process, comm, leader, writable_bytes_of(offer));
  GroupPointer remote = process.world().take_over(offer.group);
  if (overlap(*comm.group, *remote)) {
    if (Contexts* limited = process.endpoint().contexts(); limited != nullptr && offer.context != 0)
      limited->leave(offer.context);
    throw Error{MPI_ERR_COMM, "the two groups have members in common; they must have none"};
  }
  join_both(process, comm, leader, way, offer.context);
  return make_intercomm(process, offer.context, comm.group, std::move(remote), *comm.errhandler);
}

}  // namespace hindcast::mpi
