#include "mpi_impl/libraries/mpich/calls/communicator_keys.hpp"

#include <fmt/format.h>

#include "mpi_impl/libraries/mpich/include/mpi_nexus.h"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/library_call.hpp"

namespace hindcast::mpi {

namespace {

enum Which { tcp_buffer_size, nexus_method, tcp_skip, mpl_skip };

int copy_to_duplicate(int, int, void*, void* value, void* copy, int* flag) {
  *static_cast<void**>(copy) = value;
  *flag = 1;
  return MPI_SUCCESS;
}

int nothing_to_delete(int, int, void*, void*) { return MPI_SUCCESS; }

}  // namespace

CommunicatorKeys::CommunicatorKeys(Process& process, MpichEndpoint& endpoint, const EndRun& end_run)
    : process_(process), endpoint_(endpoint), end_run_(end_run) {
  attach(process.rank(), *this);
}

int CommunicatorKeys::key(int which) {
  Keyval*& key = keys_[static_cast<std::size_t>(which)];
  if (key == nullptr) {
    key = &make_keyval(process_, Keyval::Of::comm, copy_to_duplicate, nothing_to_delete, nullptr);
    key->uses = 1;  // the library's own: a program that frees it does not give its number to another one
  }
  key->freed = false;
  endpoint_.ask(*this);
  return key->handle;
}

ChannelChoice CommunicatorKeys::of(std::uint32_t context) {
  ChannelChoice choice;
  process_.comms.for_each([&](const Comm& comm) {
    if (comm.context <= context && context < comm.context + Comm::contexts) choice = choice_of(comm);
  });
  return choice;
}

ChannelChoice CommunicatorKeys::choice_of(const Comm& comm) const {
  ChannelChoice choice;
  choice.method = static_cast<const char*>(value(comm, nexus_method));
  choice.buffer = Bytes(static_cast<std::uint64_t>(positive(comm, tcp_buffer_size, "TCP_BUFFER_SIZE")));
  choice.tcp_every = positive(comm, tcp_skip, "NEXUS_TCP_SKIP");
  choice.mpl_every = positive(comm, mpl_skip, "NEXUS_MPL_SKIP");
  return choice;
}

const void* CommunicatorKeys::value(const Comm& comm, int which) const {
  const Keyval* key = keys_[static_cast<std::size_t>(which)];
  void* const* found = key != nullptr ? comm.attributes.find(*key) : nullptr;
  return found != nullptr ? *found : nullptr;
}

// 0 if there is none.
int CommunicatorKeys::positive(const Comm& comm, int which, const char* name) const {
  const auto* number = static_cast<const int*>(value(comm, which));
  if (number == nullptr) return 0;
  if (*number <= 0)
    end_run_(1, fmt::format("rank {}: the attribute {} of a communicator is {}; it must be more than 0",
                            process_.world_rank(), name, *number));
  return *number;
}

}  // namespace hindcast::mpi

int hindcast_nexus_key(int which) {
  using hindcast::mpi::CommunicatorKeys;
  namespace programs = hindcast::programs;
  const programs::LibraryCall call("mpi_nexus.h");
  programs::RunningProgram& program = call.program();
  CommunicatorKeys* keys = CommunicatorKeys::of(program.rank());
  if (keys == nullptr)
    program.launch().abort_run(1,
                               fmt::format("rank {}: mpi_nexus.h: this run has no MPI on Nexus; run the program on a "
                                           "machine whose MPI stands on it",
                                           program.rank().id));
  if (which < 0 || which >= CommunicatorKeys::count)
    program.launch().abort_run(1, fmt::format("rank {}: mpi_nexus.h: there is no key {}", program.rank().id, which));
  return keys->key(which);
}
