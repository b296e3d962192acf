// Communicators made from others of their kind, freed and asked.
#include <fmt/format.h>

#include <cstring>
#include <span>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/communicators/split.hpp"
#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/processes/leaving.hpp"

namespace hindcast::mpi::body {

namespace {

int compare_groups(const Comm& a, const Comm& b) {
  const int groups = Group::compare(*a.group, *b.group);
  if (!a.is_inter() || groups == MPI_UNEQUAL) return groups;
  const int remote = Group::compare(*a.remote, *b.remote);
  return remote == MPI_IDENT ? groups : remote;
}

void refuse_strangers(const Comm& comm, const Group& group) {
  for (int rank = 0; rank < group.size(); ++rank)
    if (!comm.group->has(group.world_rank(rank)))
      throw Error{MPI_ERR_GROUP, fmt::format("argument 2 (group): its rank {} is not in {}; take members of it only",
                                             rank, comm.name())};
}

// Ranks may bring groups that have no members in common.
MPI_Comm create_within(Process& process, Comm& comm, const GroupPointer& group) {
  const bool is_member = group->has(process.world_rank());
  const std::uint32_t context = agree_on_context(process, comm, {is_member ? group.get() : nullptr});
  return is_member ? make_comm(process, context, group, *comm.errhandler).handle : MPI_COMM_NULL;
}

// On every rank: what the first rank of the remote group brings.
GroupPointer remote_group(Process& process, Comm& comm, const GroupPointer& mine) {
  int number = 0;
  if (comm.rank == 0) {
    const int offered = process.world().hand_over(mine, 1);
    exchange_with_remote_first(process, comm, bytes_of(offered), writable_bytes_of(number));
    number = process.world().hand_over(process.world().take_over(number), comm.size);
  }
  broadcast_from_first(process, comm, writable_bytes_of(number));
  return process.world().take_over(number);
}

MPI_Comm create_across(Process& process, Comm& comm, const GroupPointer& group) {
  GroupPointer remote = remote_group(process, comm, group);
  const bool is_member = remote->size() > 0 && group->has(process.world_rank());
  NewGroups groups;
  if (is_member) groups = {group.get(), remote.get(), group->world_rank(0) < remote->world_rank(0)};
  const std::uint32_t context = agree_on_context(process, comm, groups);
  if (!is_member) return MPI_COMM_NULL;
  return make_intercomm(process, context, group, std::move(remote), *comm.errhandler).handle;
}

}  // namespace

void Comm_size(Process&, Comm& comm, int& size) { size = comm.size; }
void Comm_rank(Process&, Comm& comm, int& rank) { rank = comm.rank; }
void Comm_test_inter(Process&, Comm& comm, int& flag) { flag = comm.is_inter(); }
void Comm_remote_size(Process&, Comm& comm, int& size) { size = comm.peer_count; }
void Comm_group(Process& process, Comm& comm, MPI_Group& handle) { handle = process.groups.give(comm.group); }
void Comm_remote_group(Process& process, Comm& comm, MPI_Group& handle) { handle = process.groups.give(comm.remote); }

void Comm_compare(Process&, Comm& a, Comm& b, int& result) {
  if (a.handle == b.handle) {
    result = MPI_IDENT;
  } else if (a.is_inter() != b.is_inter()) {
    result = MPI_UNEQUAL;
  } else {
    const int groups = compare_groups(a, b);
    result = groups == MPI_IDENT ? MPI_CONGRUENT : groups;
  }
}

void Comm_dup(Process& process, Comm& comm, MPI_Comm& handle) {
  handle = MPI_COMM_NULL;
  const std::uint32_t context = agree_on_context(process, comm, groups_of(comm));
  handle = make_duplicate(process, context, comm).handle;
}

void Comm_dup_with_info(Process& process, Comm& comm, const Info* info, MPI_Comm& handle) {
  handle = MPI_COMM_NULL;
  const std::uint32_t context = agree_on_context(process, comm, groups_of(comm));
  Comm& copy = make_duplicate(process, context, comm);
  set_hints(copy, info);
  handle = copy.handle;
}

void Comm_split(Process& process, Comm& comm, int color, int key, MPI_Comm& handle) {
  Comm* part = split(process, comm, color, key);
  handle = part != nullptr ? part->handle : MPI_COMM_NULL;
}

void Comm_split_type(Process& process, Comm& comm, int type, int key, const Info* info, MPI_Comm& handle) {
  if (type != MPI_COMM_TYPE_SHARED && type != MPI_UNDEFINED)
    throw Error{MPI_ERR_ARG,
                fmt::format("argument 2 (split_type) is {}; give MPI_COMM_TYPE_SHARED or MPI_UNDEFINED", type)};
  const int color = type == MPI_UNDEFINED ? type : process.world().node_number(process.rank().node_name);
  Comm* part = split(process, comm, color, key);
  handle = part != nullptr ? part->handle : MPI_COMM_NULL;
  if (part != nullptr) set_hints(*part, info);
}

void Comm_create(Process& process, Comm& comm, GroupObject& group, MPI_Comm& handle) {
  refuse_strangers(comm, *group.group);
  handle = comm.is_inter() ? create_across(process, comm, group.group) : create_within(process, comm, group.group);
}

void Comm_create_group(Process& process, Comm& comm, GroupObject& group, int tag, MPI_Comm& handle) {
  refuse_strangers(comm, *group.group);
  handle = MPI_COMM_NULL;
  if (!group.group->has(process.world_rank())) return;
  const std::uint32_t context = agree_on_context_in_group(process, comm, *group.group, tag);
  handle = make_comm(process, context, group.group, *comm.errhandler).handle;
}

void Comm_free(Process& process, MPI_Comm& handle, Comm& comm) {
  comm.attributes.remove_all(process, comm.handle);
  settle_before_goodbye(process, comm);
  handle = MPI_COMM_NULL;
  free_comm(process, comm);
}

namespace {

// A call counts as long as it lasts, whether or not it ends with an error.
class Disconnecting {
 public:
  explicit Disconnecting(Process& process) : process_(process) { ++process_.disconnecting; }
  ~Disconnecting() { --process_.disconnecting; }
  Disconnecting(const Disconnecting&) = delete;
  Disconnecting& operator=(const Disconnecting&) = delete;

 private:
  Process& process_;
};

}  // namespace

void Comm_disconnect(Process& process, MPI_Comm& handle, Comm& comm) {
  process.requests.for_each([&](Request& request) {
    if (request.comm == &comm && request.active && !request.finished)
      wait_for(process, request.operation(), RequestsWait(process, RequestsWait::What::all, 1, &request.handle));
  });
  settle_before_goodbye(process, comm);
  const Disconnecting disconnecting(process);
  meet(process, comm);
  settle_before_goodbye(process, comm);
  Comm_free(process, handle, comm);
}

// Hints that are not among these stay (MPI-4.0, 7.4.4), as a window's and a file's do.
void Comm_set_info(Process&, Comm& comm, Info& info) {
  if (comm.hints == nullptr) comm.hints = std::make_unique<Hints>();
  comm.hints->set_all(info.hints);
}

void Comm_get_info(Process& process, Comm& comm, MPI_Info& handle) {
  Info& info = process.infos.create();
  if (comm.hints != nullptr) info.hints = *comm.hints;
  handle = info.handle;
}

void Comm_set_name(Process&, Comm& comm, const char* name) {
  comm.given_name = std::make_unique<std::string>(name, strnlen(name, MPI_MAX_OBJECT_NAME - 1));
}

void Comm_get_name(Process&, Comm& comm, char* name, int& length) {
  std::string text;
  if (comm.given_name != nullptr)
    text = *comm.given_name;
  else if (is_predefined(HandleKind::comm, comm.handle))
    text = comm.name();
  std::memcpy(name, text.c_str(), text.size() + 1);
  length = static_cast<int>(text.size());
}

}  // namespace hindcast::mpi::body
