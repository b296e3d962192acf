#include "mpi_impl/core/communicator.hpp"

#include <fmt/format.h>

#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi {

std::string Comm::name() const {
  if (given_name != nullptr && !given_name->empty()) return *given_name;
  if (handle == MPI_COMM_WORLD) return "MPI_COMM_WORLD";
  if (handle == MPI_COMM_SELF) return "MPI_COMM_SELF";
  return fmt::format("a communicator of {} rank{}", size, size == 1 ? "" : "s");
}

namespace {

Comm& fill(Comm& comm, const Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler) {
  comm.context = context;
  comm.rank = group->rank_of(process.world_rank());
  comm.size = group->size();
  comm.collectives_begun = 0;
  comm.uses = 0;
  comm.freed = false;
  comm.group = std::move(group);
  comm.errhandler = &errhandler;
  ++errhandler.uses;
  return comm;
}

void destroy(Process& process, Comm& comm) {
  --comm.errhandler->uses;
  free_errhandler_if_unused(process, *comm.errhandler);
  comm.errhandler = nullptr;
  comm.group.reset();
  comm.given_name.reset();
  process.comms.destroy(comm);
}

}  // namespace

Comm& make_comm(Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler) {
  return fill(process.comms.create(), process, context, std::move(group), errhandler);
}

Comm& make_predefined_comm(Process& process, std::uint32_t context, GroupPointer group, Errhandler& errhandler) {
  return fill(process.comms.create_predefined(), process, context, std::move(group), errhandler);
}

void free_comm(Process& process, Comm& comm) {
  if (comm.uses == 0) {
    destroy(process, comm);
  } else {
    comm.freed = true;
    process.comms.hide(comm);
  }
}

void stop_using(Process& process, Comm& comm) {
  if (--comm.uses == 0 && comm.freed) destroy(process, comm);
}

void set_errhandler(Process& process, Comm& comm, Errhandler& errhandler) {
  ++errhandler.uses;
  Errhandler& before = *comm.errhandler;
  comm.errhandler = &errhandler;
  --before.uses;
  free_errhandler_if_unused(process, before);
}

void free_errhandler_if_unused(Process& process, Errhandler& errhandler) {
  if (errhandler.is_predefined() || errhandler.uses > 0 || errhandler.handles_given > 0) return;
  process.errhandlers.destroy(errhandler);
}

}  // namespace hindcast::mpi
