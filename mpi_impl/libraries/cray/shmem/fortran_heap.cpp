// The symmetric heap as Fortran has it: a block's address goes to a pointer of Cray's, and errors to a variable, or
// else they end the run.
#include <mpp/shmem.h>

#include <cstdint>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace {

using namespace hindcast::shmem;

constexpr Argument address_argument{1, "addr"};

[[noreturn]] void refuse(const Call& call, long error) {
  if (error == bodies::bad_length) call.refuse({2, "length"}, "is not positive");
  if (error == bodies::no_memory) call.refuse({2, "length"}, "is more than the symmetric heap has left");
  if (error == bodies::heap_error_of(BlockFault::outside_the_heap))
    call.refuse(address_argument, "is outside the symmetric heap; give what SHPALLOC has set");
  if (error == bodies::heap_error_of(BlockFault::already_free))
    call.refuse(address_argument, "is of a block that is free already");
  call.refuse(address_argument, "is not the beginning of a block; give what SHPALLOC has set");
}

void report(const Call& call, long error, int* code, int abort) {
  *code = static_cast<int>(error);
  if (error < 0 && abort != 0) refuse(call, error);
}

std::size_t bytes_of_words(int words) { return static_cast<std::size_t>(words) * sizeof(std::int64_t); }

}  // namespace

extern "C" {

// Lengths are in words of 64 bits.
SHMEM_FUNCTION void shpalloc_(void** address, const int* length, int* code, const int* abort) {
  const Call call("SHPALLOC");
  *address = nullptr;
  if (*length <= 0) return report(call, bodies::bad_length, code, *abort);
  *address = bodies::allocate(call, bytes_of_words(*length));
  report(call, *bodies::heap_error(call), code, *abort);
}

SHMEM_FUNCTION void shpdeallc_(void** address, int* code, const int* abort) {
  const Call call("SHPDEALLC");
  report(call, bodies::heap_error_of(bodies::try_to_free(call, *address)), code, *abort);
}

SHMEM_FUNCTION void shpclmove_(void** address, const int* length, int* status, const int* abort) {
  const Call call("SHPCLMOVE");
  if (*length <= 0) return report(call, bodies::bad_length, status, *abort);
  const SymmetricMemory::Moved moved = bodies::try_to_reallocate(call, *address, bytes_of_words(*length));
  report(call, *bodies::heap_error(call), status, *abort);
  if (moved.block == nullptr) return;
  *status = moved.block == *address ? 0 : 1;
  *address = moved.block;
}

}  // extern "C"
