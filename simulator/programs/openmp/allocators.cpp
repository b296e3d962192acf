// OpenMP's allocators. Their memory is all of one kind, the rank's own; of what an allocator may be told, the
// alignment, the size of its pool and what happens when that is full make a difference.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "simulator/programs/launcher.hpp"
#include "simulator/programs/openmp/team.hpp"
#include "simulator/programs/process/running_program.hpp"

namespace hindcast::programs::openmp {

namespace {

// OpenMP's numbers for what an allocator is told.
enum Trait : int { alignment_trait = 2, pool_size_trait = 4, fallback_trait = 5, fallback_allocator_trait = 6 };
enum Fallback : std::uintptr_t { to_default_memory = 11, to_null = 12, to_abort = 13, to_allocator = 14 };
constexpr std::uintptr_t predefined_max = 8;
constexpr std::uintptr_t spaces_max = 4;

struct TraitGiven {
  int key;
  std::uintptr_t value;
};

Allocators& allocators() { return Runtime::calling("OpenMP's memory").allocators; }

Allocator* find(std::uintptr_t handle) {
  if (handle == 0) handle = Runtime::settings("OpenMP's memory").allocator;
  return handle <= predefined_max ? nullptr : reinterpret_cast<Allocator*>(handle);
}

void* take(std::size_t alignment, std::size_t bytes, std::uintptr_t handle) {
  if (bytes == 0) return nullptr;
  Allocator* const allocator = find(handle);
  if (allocator == nullptr) return take_aligned(alignment, bytes);
  if (bytes <= allocator->pool_bytes - allocator->used) {
    void* const memory = take_aligned(std::max(alignment, allocator->alignment), bytes);
    allocator->used += bytes;
    allocators().taken[memory] = {allocator, bytes};
    return memory;
  }
  switch (allocator->fallback) {
    case to_null:
      return nullptr;
    case to_abort:
      RunningProgram::calling("omp_alloc")
          .launch()
          .abort_run(1, fmt::format("an allocator of OpenMP has no room for {} bytes more", bytes));
    case to_allocator:
      return take(alignment, bytes, allocator->fallback_allocator);
    default:
      return take_aligned(alignment, bytes);
  }
}

void give_back(void* memory) {
  const auto found = allocators().taken.find(memory);
  if (found != allocators().taken.end()) {
    found->second.allocator->used -= found->second.bytes;
    allocators().taken.erase(found);
  }
  std::free(memory);
}

void* take_cleared(std::size_t alignment, std::size_t count, std::size_t bytes_each, std::uintptr_t handle) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, bytes_each, &bytes)) return nullptr;
  void* const memory = take(alignment, bytes, handle);
  return memory != nullptr ? std::memset(memory, 0, bytes) : nullptr;
}

}  // namespace

void* take_aligned(std::size_t alignment, std::size_t bytes) {
  alignment = std::max(alignment, alignof(std::max_align_t));
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

}  // namespace hindcast::programs::openmp

using namespace hindcast::programs::openmp;

extern "C" {

// 0 for what cannot be asked for.
std::uintptr_t hindcast_omp_init_allocator(std::uintptr_t space, int count, const TraitGiven* traits) {
  if (space > spaces_max) return 0;
  auto allocator = std::make_unique<Allocator>();
  for (int i = 0; i < count; ++i) {
    const std::uintptr_t value = traits[i].value;
    if (value == ~std::uintptr_t{}) continue;  // the default
    if (traits[i].key == alignment_trait && !std::has_single_bit(value)) return 0;
    if (traits[i].key == fallback_trait && (value < to_default_memory || value > to_allocator)) return 0;
    if (traits[i].key == alignment_trait) allocator->alignment = value;
    if (traits[i].key == pool_size_trait) allocator->pool_bytes = value;
    if (traits[i].key == fallback_trait) allocator->fallback = value;
    if (traits[i].key == fallback_allocator_trait) allocator->fallback_allocator = value;
  }
  return reinterpret_cast<std::uintptr_t>(allocators().all.emplace_back(std::move(allocator)).get());
}
// It may still have memory, which is given back to it.
void hindcast_omp_destroy_allocator(std::uintptr_t) {}
std::uintptr_t hindcast_omp_get_default_allocator() { return Runtime::settings("omp_get_default_allocator").allocator; }
void hindcast_omp_set_default_allocator(std::uintptr_t handle) {
  Runtime::settings("omp_set_default_allocator").allocator = handle != 0 ? handle : 1;
}

void* hindcast_omp_alloc(std::size_t bytes, std::uintptr_t handle) { return take(1, bytes, handle); }
void* hindcast_omp_aligned_alloc(std::size_t alignment, std::size_t bytes, std::uintptr_t handle) {
  return take(alignment, bytes, handle);
}
void* hindcast_omp_calloc(std::size_t count, std::size_t bytes_each, std::uintptr_t handle) {
  return take_cleared(1, count, bytes_each, handle);
}
void* hindcast_omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t bytes_each,
                                  std::uintptr_t handle) {
  return take_cleared(alignment, count, bytes_each, handle);
}
void hindcast_omp_free(void* memory, std::uintptr_t) {
  if (memory != nullptr) give_back(memory);
}
void* hindcast_omp_realloc(void* before, std::size_t bytes, std::uintptr_t handle, std::uintptr_t) {
  void* const memory = take(1, bytes, handle);
  if (before == nullptr || (memory == nullptr && bytes > 0)) return memory;
  if (memory != nullptr) {
    const auto found = allocators().taken.find(before);
    const std::size_t had = found != allocators().taken.end() ? found->second.bytes : malloc_usable_size(before);
    std::memcpy(memory, before, std::min(had, bytes));
  }
  give_back(before);
  return memory;
}

}  // extern "C"
