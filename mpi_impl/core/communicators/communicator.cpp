#include "mpi_impl/core/communicators/communicator.hpp"

#include <fmt/format.h>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/transport/contexts.hpp"

namespace hindcast::mpi {

std::string Comm::name() const {
  if (given_name != nullptr && !given_name->empty()) return *given_name;
  if (handle == MPI_COMM_WORLD) return "MPI_COMM_WORLD";
  if (handle == MPI_COMM_SELF) return "MPI_COMM_SELF";
  if (is_inter()) return fmt::format("an intercommunicator from {} ranks to {}", size, peer_count);
  return fmt::format("a communicator of {} rank{}", size, size == 1 ? "" : "s");
}

Comm& Comm::within_group() {
  if (!is_inter()) return *this;
  group_comm->context = aside_context();  // a duplicate comes to know its context late
  return *group_comm;
}

namespace {

Comm& fill(Comm& comm, const Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler) {
  comm.context = context;
  comm.rank = group->rank_of(process.world_rank());
  comm.size = group->size();
  comm.peers = group.get();
  comm.peer_count = comm.size;
  comm.comes_first = true;
  comm.has_own_context = true;
  comm.collectives_begun = 0;
  comm.persistents_made = 0;
  comm.uses = 0;
  comm.freed = false;
  comm.group = std::move(group);
  comm.errhandler = &errhandler;
  ++errhandler.uses;
  return comm;
}

void destroy(Process& process, Comm& comm) {
  if (Contexts* limited = process.endpoint().contexts(); limited != nullptr && comm.has_own_context)
    limited->leave(comm.context);
  --comm.errhandler->uses;
  free_errhandler_if_unused(process, *comm.errhandler);
  comm.errhandler = nullptr;
  if (comm.group_comm != nullptr) free_comm(process, *comm.group_comm);
  comm.group_comm = nullptr;
  comm.group.reset();
  comm.remote.reset();
  comm.given_name.reset();
  comm.hints.reset();
  comm.topology.reset();
  comm.levels.reset();
  if (&comm == process.parent) process.parent = nullptr;
  process.comms.destroy(comm);
}

}  // namespace

Comm& make_comm(Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler) {
  return fill(process.comms.create(), process, context, std::move(group), errhandler);
}

Comm& make_intercomm(Process& process, std::uint32_t context, GroupPointer group, GroupPointer remote,
                     Errhandler& errhandler) {
  Comm& comm = make_comm(process, context, group, errhandler);
  comm.peers = remote.get();
  comm.peer_count = remote->size();
  comm.comes_first = group->world_rank(0) < remote->world_rank(0);
  comm.remote = std::move(remote);
  comm.group_comm = &make_comm(process, comm.aside_context(), std::move(group), errhandler);
  comm.group_comm->has_own_context = false;
  return comm;
}

Comm& make_duplicate(Process& process, std::uint32_t context, Comm& of) {
  Comm& comm = of.is_inter() ? make_intercomm(process, context, of.group, of.remote, *of.errhandler)
                             : make_comm(process, context, of.group, *of.errhandler);
  comm.has_own_context = context != 0;
  comm.topology = of.topology;
  if (of.hints != nullptr) comm.hints = std::make_unique<Hints>(*of.hints);
  try {
    of.attributes.copy_to(process, of.handle, comm.attributes, comm.handle);
  } catch (const Error&) {
    free_comm(process, comm);
    throw;
  }
  return comm;
}

Comm& make_predefined_comm(Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler) {
  return fill(process.comms.create_predefined(), process, context, std::move(group), errhandler);
}

void set_hints(Comm& comm, const Info* info) {
  comm.hints = info != nullptr ? std::make_unique<Hints>(info->hints) : nullptr;
}

void free_comm(Process& process, Comm& comm) {
  if (comm.uses == 0) {
    destroy(process, comm);
  } else {
    comm.freed = true;
    if (&comm == process.parent) process.parent = nullptr;
    process.comms.hide(comm);
  }
}

std::shared_ptr<const Comm> hold(Process& process, Comm& comm) {
  ++comm.uses;
  return {&comm, [&process, &comm](const Comm*) { stop_using(process, comm); }};
}

void replace_errhandler(Process& process, Errhandler*& of_object, Errhandler& errhandler) {
  ++errhandler.uses;
  Errhandler& before = *of_object;
  of_object = &errhandler;
  --before.uses;
  free_errhandler_if_unused(process, before);
}

void free_errhandler_if_unused(Process& process, Errhandler& errhandler) {
  if (errhandler.is_predefined() || errhandler.uses > 0 || errhandler.handles_given > 0) return;
  process.errhandlers.destroy(errhandler);
}

}  // namespace hindcast::mpi
