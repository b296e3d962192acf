// The symmetric heap's calls. Nobody goes on before all have a block, and none is freed before all have called.
#include <fmt/format.h>

#include <bit>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"

namespace hindcast::shmem::bodies {

namespace {

SymmetricMemory& heap(const Call& call) { return call.self().system().symmetric_memory(); }

void check(const Call& call, BlockFault fault) {
  if (fault != BlockFault::none)
    call.refuse({1, "block"}, "is no block of the symmetric heap; give what shmalloc has returned, once");
}

}  // namespace

long heap_error_of(BlockFault fault) {
  switch (fault) {
    case BlockFault::none:
      return no_error;
    case BlockFault::outside_the_heap:
      return -3;
    case BlockFault::already_free:
      return -4;
    default:
      return -5;
  }
}

long* heap_error(const Call& call) { return &call.self().heap_error(); }

void* allocate(const Call& call, std::size_t size) {
  return allocate_aligned(call, SymmetricMemory::alignment_usual, size);
}

void* allocate_aligned(const Call& call, std::size_t alignment, std::size_t size) {
  constexpr std::size_t alignment_max = SymmetricMemory::heap_alignment;
  if (!std::has_single_bit(alignment) || alignment > alignment_max)
    call.refuse({1, "alignment"},
                fmt::format("is {}; it must be a power of two, at most {}", alignment, alignment_max));
  void* block = heap(call).allocate(call.self(), call.function(), Bytes(size), alignment);
  *heap_error(call) = block == nullptr ? no_memory : no_error;
  barrier_all(call);
  return block;
}

void* reallocate(const Call& call, void* block, std::size_t size) {
  if (block == nullptr) return allocate(call, size);
  if (size == 0) {
    free(call, block);
    return nullptr;
  }
  const SymmetricMemory::Moved moved = try_to_reallocate(call, block, size);
  check(call, moved.fault);
  return moved.block;
}

SymmetricMemory::Moved try_to_reallocate(const Call& call, void* block, std::size_t size) {
  barrier_all(call);
  const auto moved = heap(call).reallocate(call.self(), call.function(), block, Bytes(size));
  const bool is_full = moved.fault == BlockFault::none && moved.block == nullptr;
  *heap_error(call) = is_full ? long{no_memory} : heap_error_of(moved.fault);
  if (moved.fault == BlockFault::none) barrier_all(call);
  return moved;
}

void free(const Call& call, void* block) {
  if (block != nullptr) check(call, try_to_free(call, block));
}

BlockFault try_to_free(const Call& call, void* block) {
  barrier_all(call);
  const BlockFault fault = heap(call).free(call.self(), call.function(), block);
  *heap_error(call) = heap_error_of(fault);
  return fault;
}

}  // namespace hindcast::shmem::bodies
