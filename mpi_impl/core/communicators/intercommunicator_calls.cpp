// Intercommunicators made of two groups, and merged into one.
#include <fmt/format.h>

#include <optional>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/communicators/joining_groups.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

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
  std::optional<WayToLeader> way;
  if (comm.rank == leader) {
    if (remote_leader < 0 || remote_leader >= peer_comm->peer_count)
      throw Error{MPI_ERR_RANK, fmt::format("argument 4 (remote_leader) is {}, but {} has ranks 0 to {}", remote_leader,
                                            peer_comm->name(), peer_comm->peer_count - 1)};
    way.emplace(WayToLeader{*peer_comm, peer_comm->context, remote_leader, tag});
  }
  handle = join_groups(process, comm, leader, way ? &*way : nullptr).handle;
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
  broadcast_from_first(process, comm, writable_bytes_of(number));
  GroupPointer group = process.world().take_over(number);
  const std::uint32_t context = agree_on_context(process, comm, {comm.group.get(), comm.remote.get(), first});
  handle = make_comm(process, context, std::move(group), *comm.errhandler).handle;
}

}  // namespace hindcast::mpi::body
