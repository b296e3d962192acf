#include "mpi_impl/core/communicators/agreement.hpp"

#include <algorithm>

#include "mpi_impl/core/communicators/knomial.hpp"
#include "mpi_impl/core/communicators/members.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/point_to_point.hpp"
#include "mpi_impl/transport/group_operations.hpp"

namespace hindcast::mpi {

namespace {

// Where bytes go to or come from: a rank of a communicator, under a context and tag of it.
struct Channel {
  Comm& comm;
  std::uint32_t context;
  int tag;
};

// For messages within the calling rank's group. Collectives over an intercommunicator send messages there too, with
// tags of the intercommunicator. So the tags of these come from the same sequence: otherwise one of them might be that
// of a collective in progress.
Channel collective_channel(Process& process, Comm& comm) {
  Comm& within = comm.within_group();
  return {within, within.collective_context(), begin_collective(process, comm)};
}

void send_bytes(Process& process, const Channel& channel, std::span<const std::byte> bytes, int to) {
  send(process, channel.comm, channel.context,
       {bytes.data(), static_cast<MPI_Count>(bytes.size()), *predefined_datatype(MPI_BYTE), to, channel.tag},
       SendMode::standard);
}

void receive_bytes(Process& process, const Channel& channel, std::span<std::byte> bytes, int from) {
  receive(process, channel.comm, channel.context,
          {bytes.data(), static_cast<MPI_Count>(bytes.size()), *predefined_datatype(MPI_BYTE), from, channel.tag},
          MPI_STATUS_IGNORE);
}

// A rank in a binomial tree; `rank_at` gives the rank of a place.
template <typename RankAt>
struct InTree {
  Knomial tree;
  RankAt rank_at;
  int parent() const { return rank_at(tree.place() - tree.distance_to_parent()); }
  int child(int stride) const { return rank_at(tree.place() + stride); }
};
template <typename RankAt>
InTree<RankAt> in_tree(int place, int places, RankAt rank_at) {
  return {Knomial(place, places, 2), rank_at};
}

// Whose root is rank 0.
auto in_tree(const Comm& comm) {
  return in_tree(comm.rank, comm.size, [](int place) { return place; });
}

template <typename Self>
void broadcast(Process& process, const Channel& channel, const Self& self, std::span<std::byte> data) {
  if (!self.tree.is_root()) receive_bytes(process, channel, data, self.parent());
  for (int stride = self.tree.widest_stride(); stride > 0; stride /= 2)
    if (self.tree.has_child(stride)) send_bytes(process, channel, data, self.child(stride));
}

// Nearest first: each with the number of ranks from it on.
template <typename Visit>
void for_children(const Knomial& tree, Visit visit) {
  for (int stride = 1; stride <= tree.widest_stride(); stride *= 2)
    if (tree.has_child(stride)) visit(stride, static_cast<std::size_t>(tree.held(stride, stride)));
}

std::size_t held_by(const Knomial& tree) { return static_cast<std::size_t>(tree.held()); }

// A group whose ranks all are of a communicator, apart from its other messages by a tag of the program's.
Channel group_channel(Comm& comm, int tag) { return {comm, comm.aside_context(), tag}; }
auto in_tree_of(const Comm& comm, const Group& group, int place) {
  return in_tree(place, group.size(), [&](int of) { return comm.group->rank_of(group.world_rank(of)); });
}

// Up a binomial tree, and down again.
Obstacle worst_of_group(Process& process, const Channel& channel, const Group& group, Obstacle worst) {
  const auto self = in_tree_of(channel.comm, group, group.rank_of(process.world_rank()));
  for_children(self.tree, [&](int stride, std::size_t) {
    Obstacle theirs = Obstacle::none;
    receive_bytes(process, channel, writable_bytes_of(theirs), self.child(stride));
    worst = std::max(worst, theirs);
  });
  if (!self.tree.is_root()) send_bytes(process, channel, bytes_of(worst), self.parent());
  broadcast(process, channel, self, writable_bytes_of(worst));
  return worst;
}

// What the machine does by itself for the members of a communicator.
Offers offers_of_machine(Process& process, const Comm& comm) {
  const GroupOperations* machine = process.group_operations();
  return machine != nullptr && !comm.is_inter() ? machine->offers(members_of(comm), true) : Offers{};
}

void wait_for_all(Process& process, const Comm& comm, Operation& over) {
  wait_for(
      process, over,
      PeerWait(process.call(), comm, PeerWait::What::receive, comm.collective_context(), MPI_ANY_SOURCE, MPI_ANY_TAG));
}

void meet_by_machine(Process& process, const Comm& comm) {
  Operation over;
  process.endpoint().group_operations()->meet(members_of(comm), over);
  wait_for_all(process, comm, over);
}

Obstacle worst_by_machine(Process& process, const Comm& comm, Obstacle mine) {
  Operation over;
  auto worst = static_cast<std::int32_t>(mine);
  process.endpoint().group_operations()->meet(members_of(comm), over, &worst);
  wait_for_all(process, comm, over);
  return static_cast<Obstacle>(worst);
}

// The first ranks of the groups of an intercommunicator to be made, of ranks of another one.
void exchange_with_first_of(Process& process, Comm& comm, const Group& remote, std::span<const std::byte> mine,
                            std::span<std::byte> theirs) {
  const int first = comm.remote->rank_of(remote.world_rank(0));
  const Datatype& byte = *predefined_datatype(MPI_BYTE);
  exchange(process, comm, comm.aside_context(), {mine.data(), static_cast<MPI_Count>(mine.size()), byte, first, 0},
           {theirs.data(), static_cast<MPI_Count>(theirs.size()), byte, first, 0}, MPI_STATUS_IGNORE);
}

// On the first rank of a group: taken there, or by the first of the other group.
std::uint32_t context_on_first(Process& process, Comm& comm, const NewGroups& groups) {
  const int remote_size = groups.remote != nullptr ? groups.remote->size() : groups.to_be_born;
  const int members = groups.group->size() + remote_size;
  const std::uint32_t mine = groups.comes_first ? take_context(process, members) : 0;
  if (groups.remote == nullptr) return mine;
  std::uint32_t theirs = 0;
  exchange_with_first_of(process, comm, *groups.remote, bytes_of(mine), writable_bytes_of(theirs));
  return groups.comes_first ? mine : theirs;
}

}  // namespace

void broadcast_from(Process& process, Comm& comm, int root, std::span<std::byte> data) {
  const int size = comm.size;
  const auto self =
      in_tree((comm.rank - root + size) % size, size, [root, size](int place) { return (place + root) % size; });
  broadcast(process, collective_channel(process, comm), self, data);
}

std::vector<std::byte> gather_at_first(Process& process, Comm& comm, std::span<const std::byte> mine) {
  const Channel channel = collective_channel(process, comm);
  const auto self = in_tree(comm);
  std::vector<std::byte> part(mine.size() * held_by(self.tree));
  std::copy(mine.begin(), mine.end(), part.begin());
  for_children(self.tree, [&](int stride, std::size_t ranks) {
    receive_bytes(process, channel,
                  std::span(part).subspan(mine.size() * static_cast<std::size_t>(stride), mine.size() * ranks),
                  self.child(stride));
  });
  if (self.tree.is_root()) return part;
  send_bytes(process, channel, part, self.parent());
  return {};
}

void scatter_from_first(Process& process, Comm& comm, std::span<const std::byte> all, std::span<std::byte> mine) {
  const Channel channel = collective_channel(process, comm);
  const auto self = in_tree(comm);
  std::vector<std::byte> received;
  if (!self.tree.is_root()) {
    received.resize(mine.size() * held_by(self.tree));
    receive_bytes(process, channel, received, self.parent());
    all = received;
  }
  for (int stride = self.tree.widest_stride(); stride > 0; stride /= 2) {
    if (!self.tree.has_child(stride)) continue;
    const auto ranks = static_cast<std::size_t>(self.tree.held(stride, stride));
    send_bytes(process, channel, all.subspan(mine.size() * static_cast<std::size_t>(stride), mine.size() * ranks),
               self.child(stride));
  }
  std::copy_n(all.begin(), mine.size(), mine.begin());
}

std::vector<std::byte> gather_lists_at_first(Process& process, Comm& comm, std::span<const std::byte> mine) {
  const Channel channel = collective_channel(process, comm);
  const auto self = in_tree(comm);
  std::vector<std::byte> part(mine.begin(), mine.end());
  for_children(self.tree, [&](int stride, std::size_t) {
    std::uint64_t bytes = 0;
    receive_bytes(process, channel, writable_bytes_of(bytes), self.child(stride));
    const std::size_t before = part.size();
    part.resize(before + bytes);
    receive_bytes(process, channel, std::span(part).subspan(before), self.child(stride));
  });
  if (self.tree.is_root()) return part;
  const std::uint64_t bytes = part.size();
  send_bytes(process, channel, bytes_of(bytes), self.parent());
  send_bytes(process, channel, part, self.parent());
  return {};
}

std::vector<std::byte> scatter_lists_from_first(Process& process, Comm& comm,
                                                const std::vector<std::vector<std::byte>>& all) {
  std::vector<std::uint64_t> sizes;
  for (const std::vector<std::byte>& list : all) sizes.push_back(list.size());
  std::uint64_t size = 0;
  scatter_from_first(process, comm, std::as_bytes(std::span(sizes)), writable_bytes_of(size));
  const Channel channel = collective_channel(process, comm);
  if (comm.rank == 0) {
    for (int rank = 1; rank < comm.size; ++rank)
      send_bytes(process, channel, all[static_cast<std::size_t>(rank)], rank);
    return all.front();
  }
  std::vector<std::byte> mine(size);
  receive_bytes(process, channel, mine, 0);
  return mine;
}

void exchange_with_remote_first(Process& process, Comm& comm, std::span<const std::byte> mine,
                                std::span<std::byte> theirs) {
  exchange_with_first_of(process, comm, *comm.remote, mine, theirs);
}

void meet(Process& process, Comm& comm) {
  if (offers_of_machine(process, comm).barrier) return meet_by_machine(process, comm);
  gather_at_first(process, comm, {});
  if (comm.is_inter() && comm.rank == 0) exchange_with_remote_first(process, comm, {}, {});
  broadcast_from_first(process, comm, {});
}

std::uint32_t take_context(Process& process, int members) {
  Contexts* limited = process.endpoint().contexts();
  return limited != nullptr ? limited->take(members) : process.world().new_context();
}

Obstacle join(Process& process, std::uint32_t context) {
  if (context == 0) return Obstacle::no_context;
  Contexts* limited = process.endpoint().contexts();
  return limited == nullptr || limited->join(context) ? Obstacle::none : Obstacle::no_room;
}

Obstacle worst_of_all(Process& process, Comm& comm, Obstacle mine) {
  if (process.endpoint().contexts() == nullptr) return mine;
  if (offers_of_machine(process, comm).barrier) return worst_by_machine(process, comm, mine);
  Obstacle worst = mine;
  for (const Obstacle obstacle : records_in<Obstacle>(gather_at_first(process, comm, bytes_of(mine))))
    worst = std::max(worst, obstacle);
  if (comm.is_inter() && comm.rank == 0) {
    Obstacle theirs = Obstacle::none;
    exchange_with_remote_first(process, comm, bytes_of(worst), writable_bytes_of(theirs));
    worst = std::max(worst, theirs);
  }
  broadcast_from_first(process, comm, writable_bytes_of(worst));
  return worst;
}

void give_up_if(Obstacle worst, Process& process, std::uint32_t context, const Comm* comm) {
  if (worst == Obstacle::none) return;
  Contexts* limited = process.endpoint().contexts();
  if (limited == nullptr) throw Error{MPI_ERR_OTHER, "no more communicators can be made in this run", comm};
  if (context != 0) limited->leave(context);
  throw Error{MPI_ERR_OTHER, limited->why_not(worst), comm};
}

std::uint32_t agree_on_context(Process& process, Comm& comm, const NewGroups& groups) {
  const Channel channel = collective_channel(process, comm);
  std::uint32_t context = 0;
  Obstacle mine = Obstacle::none;
  if (groups.group != nullptr) {
    const int place = groups.group->rank_of(process.world_rank());
    if (place == 0) context = context_on_first(process, comm, groups);
    broadcast(process, channel, in_tree_of(comm, *groups.group, place), writable_bytes_of(context));
    mine = join(process, context);
  }
  give_up_if(worst_of_all(process, comm, mine), process, context);
  return context;
}

std::uint32_t agree_on_context_in_group(Process& process, Comm& comm, const Group& group, int tag) {
  const Channel channel = group_channel(comm, tag);
  const int place = group.rank_of(process.world_rank());
  std::uint32_t context = place == 0 ? take_context(process, group.size()) : 0;
  broadcast(process, channel, in_tree_of(comm, group, place), writable_bytes_of(context));
  Obstacle worst = join(process, context);
  if (process.endpoint().contexts() != nullptr) worst = worst_of_group(process, channel, group, worst);
  give_up_if(worst, process, context);
  return context;
}

}  // namespace hindcast::mpi
