// The symmetric heap as Fortran has it: a block's address goes to a pointer of Cray's, and errors to a variable.
#include <mpp/shmem.h>

#include <cstdint>

#include "mpi_impl/libraries/cray/shmem/call.hpp"

namespace {

constexpr int bad_length = -1;
constexpr int no_memory = -2;

void report(const char* function, int error, int* code, int abort) {
  *code = error;
  if (error == 0 || abort == 0) return;
  hindcast::shmem::Call(function).refuse(
      {2, "length"}, error == bad_length ? "is not positive" : "is more than the symmetric heap has left");
}

std::size_t bytes_of_words(int words) { return static_cast<std::size_t>(words) * sizeof(std::int64_t); }

}  // namespace

extern "C" {

// Lengths are in words of 64 bits.
SHMEM_FUNCTION void shpalloc_(void** address, const int* length, int* code, const int* abort) {
  *address = *length > 0 ? shmalloc(bytes_of_words(*length)) : nullptr;
  report("SHPALLOC", *length <= 0 ? bad_length : *address == nullptr ? no_memory : 0, code, *abort);
}

SHMEM_FUNCTION void shpdeallc_(void** address, int* code, const int*) {
  shfree(*address);
  *address = nullptr;
  *code = 0;
}

SHMEM_FUNCTION void shpclmove_(void** address, const int* length, int* status, const int* abort) {
  if (*length <= 0) return report("SHPCLMOVE", bad_length, status, *abort);
  void* moved = shrealloc(*address, bytes_of_words(*length));
  const bool has_moved = moved != *address;
  if (moved == nullptr) return report("SHPCLMOVE", no_memory, status, *abort);
  *address = moved;
  *status = has_moved ? 1 : 0;
}

}  // extern "C"
