// Intercommunicators made of two groups, and merged into one.
#include <fmt/format.h>

#include <algorithm>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

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

// Between leaders.
template <typename Record>
void exchange_with_leader(Process& process, Comm& peer_comm, int leader, int tag, const Record& mine, Record& theirs) {
  const Datatype& byte = *predefined_datatype(MPI_BYTE);
  exchange(process, peer_comm, peer_comm.context, {&mine, sizeof mine, byte, leader, tag},
           {&theirs, sizeof theirs, byte, leader, tag}, MPI_STATUS_IGNORE);
}

// On a leader: what its group has to know. The one with the lower rank in the world chooses the contexts.
Offer meet_other_leader(Process& process, Comm& comm, Comm& peer_comm, int remote_leader, int tag) {
  World& world = process.world();
  if (remote_leader < 0 || remote_leader >= peer_comm.peer_count)
    throw Error{MPI_ERR_RANK, fmt::format("argument 4 (remote_leader) is {}, but {} has ranks 0 to {}", remote_leader,
                                          peer_comm.name(), peer_comm.peer_count - 1)};
  const bool chooses = process.world_rank() < peer_comm.world_rank(remote_leader);
  const Offer mine{chooses ? take_context(process, comm.size + 1) : 0, world.hand_over(comm.group, 1)};
  Offer theirs;
  exchange_with_leader(process, peer_comm, remote_leader, tag, mine, theirs);
  return {chooses ? mine.context : theirs.context, world.hand_over(world.take_over(theirs.group), comm.size)};
}

// Nobody of the two groups goes on before all of them have joined, or know that one cannot.
void join_both(Process& process, Comm& comm, int leader, Comm* peer_comm, int remote_leader, int tag,
               std::uint32_t context) {
  Obstacle worst = join(process, context);
  if (process.endpoint().contexts() != nullptr) {
    worst = worst_of_all(process, comm, worst);
    if (comm.rank == leader) {
      Obstacle theirs = Obstacle::none;
      exchange_with_leader(process, *peer_comm, remote_leader, tag, worst, theirs);
      worst = std::max(worst, theirs);
    }
    broadcast_from(process, comm, leader, writable_bytes_of(worst));
  }
  give_up_if(worst, process, context);
}

// Whose ranks come first in a merged communicator; `high` is what the two groups have said.
bool goes_first(const Comm& comm, bool high, bool remote_high) {
  return high == remote_high ? comm.comes_first : !high;
}

GroupPointer merged(World& world, const Group& first, const Group& second) {
  std::vector<int> members;
  for (const Group* group : {&first, &second})
    for (int rank = 0; rank < group->size(); ++rank) members.push_back(group->world_rank(rank));
  return world.groups().get(std::move(members));
}

}  // namespace

void Intercomm_create(Process& process, Comm& comm, int leader, Comm* peer_comm, int remote_leader, int tag,
                      MPI_Comm& handle) {
  Offer offer;
  if (comm.rank == leader) offer = meet_other_leader(process, comm, *peer_comm, remote_leader, tag);
  broadcast_from(process, comm, leader, writable_bytes_of(offer));
  GroupPointer remote = process.world().take_over(offer.group);
  if (overlap(*comm.group, *remote)) {
    if (Contexts* limited = process.endpoint().contexts(); limited != nullptr && offer.context != 0)
      limited->leave(offer.context);
    throw Error{MPI_ERR_COMM, "argument 1 (local_comm): the two groups have members in common; they must have none"};
  }
  join_both(process, comm, leader, peer_comm, remote_leader, tag, offer.context);
  handle = make_intercomm(process, offer.context, comm.group, std::move(remote), *comm.errhandler).handle;
}

void Intercomm_merge(Process& process, Comm& comm, int high, MPI_Comm& handle) {
  int number = 0;
  bool first = comm.comes_first;
  if (comm.rank == 0) {
    const bool mine = high != 0;
    bool theirs = false;
    exchange_with_remote_first(process, comm, bytes_of(mine), writable_bytes_of(theirs));
    World& world = process.world();
    first = goes_first(comm, mine, theirs);
    number = world.hand_over(
        first ? merged(world, *comm.group, *comm.remote) : merged(world, *comm.remote, *comm.group), comm.size);
  }
  broadcast_from_first(process, comm.within_group(), writable_bytes_of(number));
  GroupPointer group = process.world().take_over(number);
  const std::uint32_t context = agree_on_context(process, comm, {comm.group.get(), comm.remote.get(), first});
  handle = make_comm(process, context, std::move(group), *comm.errhandler).handle;
}

}  // namespace hindcast::mpi::body
