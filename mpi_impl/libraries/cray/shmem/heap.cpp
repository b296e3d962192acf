// The symmetric heap's calls. Nobody goes on before all have a block, and none is freed before all have called.
#include <fmt/format.h>

#include <bit>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace hindcast::shmem::bodies {

namespace {

SymmetricMemory& heap(const Call& call) { return call.self().system().symmetric_memory(); }

[[noreturn]] void refuse_block(const Call& call) {
  call.refuse({1, "block"}, "is no block of the symmetric heap; give what shmalloc has returned, once");
}

}  // namespace

void* allocate(const Call& call, std::size_t size) {
  return allocate_aligned(call, SymmetricMemory::alignment_usual, size);
}

void* allocate_aligned(const Call& call, std::size_t alignment, std::size_t size) {
  constexpr std::size_t alignment_max = SymmetricMemory::heap_alignment;
  if (!std::has_single_bit(alignment) || alignment > alignment_max)
    call.refuse({1, "alignment"},
                fmt::format("is {}; it must be a power of two, at most {}", alignment, alignment_max));
  void* block = heap(call).allocate(call.self(), call.function(), Bytes(size), alignment);
  barrier_all(call);
  return block;
}

void* reallocate(const Call& call, void* block, std::size_t size) {
  if (block == nullptr) return allocate(call, size);
  if (size == 0) {
    free(call, block);
    return nullptr;
  }
  barrier_all(call);
  const auto moved = heap(call).reallocate(call.self(), call.function(), block, Bytes(size));
  if (!moved) refuse_block(call);
  barrier_all(call);
  return *moved;
}

void free(const Call& call, void* block) {
  if (block == nullptr) return;
  barrier_all(call);
  if (!heap(call).free(call.self(), call.function(), block)) refuse_block(call);
}

}  // namespace hindcast::shmem::bodies
