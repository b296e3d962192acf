// Who is there; and what had a meaning on other machines.
#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace hindcast::shmem::bodies {

void start(const Call& /*call*/, int /*npes*/) {}
int my_pe(const Call& call) { return call.me(); }
int pes(const Call& call) { return call.pes(); }

// Loads and stores reach the own memory only.
void* pointer_to(const Call& call, void* target, int pe) {
  call.check_pe(pe, {2, "pe"});
  return pe == call.me() && can_reach_memory(call, target, pe) != 0 ? target : nullptr;
}

int can_reach_pe(const Call& call, int pe) { return pe >= 0 && pe < call.pes() ? 1 : 0; }
int can_reach_memory(const Call& call, const void* address, int pe) {
  return can_reach_pe(call, pe) != 0 && call.self().counterpart(address, Bytes(1), pe) != nullptr ? 1 : 0;
}

void leave_cache_alone(const Call& /*call*/) {}
void leave_cache_alone(const Call& /*call*/, const void* /*line*/) {}

}  // namespace hindcast::shmem::bodies
