// What the functions of mpp/shmem.h do, by subject: each subject is a source file.
#pragma once

#include <mpp/shmem.h>

#include <bit>
#include <cstring>
#include <type_traits>

#include "mpi_impl/libraries/cray/shmem/active_set.hpp"
#include "mpi_impl/libraries/cray/shmem/call.hpp"
#include "mpi_impl/libraries/cray/shmem/operators.hpp"

namespace hindcast::shmem {

// Fortran's real(16).
__extension__ typedef __float128 Quad;

}  // namespace hindcast::shmem

namespace hindcast::shmem::bodies {

// --- queries.cpp: who is there, and what does nothing ---

void start(const Call& call, int npes);
int my_pe(const Call& call);
int pes(const Call& call);
void* pointer_to(const Call& call, void* target, int pe);
int can_reach_pe(const Call& call, int pe);
int can_reach_memory(const Call& call, const void* address, int pe);
void leave_cache_alone(const Call& call);
void leave_cache_alone(const Call& call, const void* line);

// --- transfers.cpp ---

// From one element to the next, in elements.
struct Strides {
  std::ptrdiff_t target;
  std::ptrdiff_t source;
};
// Numbers of elements, as long as an element: 4 bytes or 8.
struct Index {
  const void* numbers;
  std::size_t bytes_each;

  std::int64_t number(std::size_t i) const {
    return bytes_each == 4 ? static_cast<const std::int32_t*>(numbers)[i]
                           : static_cast<const std::int64_t*>(numbers)[i];
  }
};

void put(const Call& call, void* target, const void* source, Elements elements, int pe);
void put_one(const Call& call, void* target, const void* value, std::size_t bytes, int pe);
void iput(const Call& call, void* target, const void* source, Strides strides, Elements elements, int pe);
void ixput(const Call& call, void* target, const void* source, Index index, std::size_t length, int pe);
void get(const Call& call, void* target, const void* source, Elements elements, int pe);
void get_one(const Call& call, void* value, const void* source, std::size_t bytes, int pe);
void iget(const Call& call, void* target, const void* source, Strides strides, Elements elements, int pe);
void ixget(const Call& call, void* target, const void* source, Index index, std::size_t length, int pe);

template <typename T>
T get_one(const Call& call, const void* source, int pe) {
  T value;
  get_one(call, &value, source, sizeof value, pe);
  return value;
}

// --- atomics.cpp ---

// On two bytes of a PE's memory, by its own address there.
std::uint64_t atomic_on_short(const Call& call, int pe, void* number, const AtomicRequest& request);

// On a number of 2, 4 or 8 bytes, argument 1; returned is what it was. The PE is argument `pe_number`.
std::uint64_t atomic(const Call& call, void* target, int bytes, const AtomicRequest& request, int pe, int pe_number);

template <typename T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
template <typename T>
std::uint64_t to_bits(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}
template <typename T>
T atomic_on(const Call& call, T* target, const AtomicRequest& request, int pe, int pe_number) {
  return std::bit_cast<T>(
      static_cast<BitsOf<T>>(atomic(call, target, static_cast<int>(sizeof(T)), request, pe, pe_number)));
}

template <typename T>
T swap(const Call& call, T* target, T value, int pe) {
  return atomic_on(call, target, {AtomicOperation::swap, to_bits(value)}, pe, 3);
}
template <typename T>
T compare_and_swap(const Call& call, T* target, T comparand, T value, int pe) {
  return atomic_on(call, target, {AtomicOperation::compare_swap, to_bits(value), to_bits(comparand)}, pe, 4);
}
template <typename T>
T masked_swap(const Call& call, T* target, T mask, T value, int pe) {
  return atomic_on(call, target, {AtomicOperation::masked_swap, to_bits(value), to_bits(mask)}, pe, 4);
}
template <typename T>
T fetch_and_add(const Call& call, T* target, T value, int pe) {
  return atomic_on(call, target, {AtomicOperation::fetch_add, to_bits(value)}, pe, 3);
}
template <typename T>
T fetch_and_increment(const Call& call, T* target, int pe) {
  return atomic_on(call, target, {AtomicOperation::fetch_increment}, pe, 2);
}
template <typename T>
void add(const Call& call, T* target, T value, int pe) {
  fetch_and_add(call, target, value, pe);
}
template <typename T>
void increment(const Call& call, T* target, int pe) {
  fetch_and_increment(call, target, pe);
}

// --- waiting.cpp ---

void fence(const Call& call);
void quiet(const Call& call);

// Reads a number of the program's.
using ReadNumber = std::int64_t (*)(const volatile void*);
void wait_until(const Call& call, const volatile void* variable, ReadNumber read, Bytes bytes, int condition,
                std::int64_t value);

template <typename T>
void wait_until(const Call& call, const volatile T* variable, int condition, T value) {
  const ReadNumber read = [](const volatile void* number) -> std::int64_t {
    return *static_cast<const volatile T*>(number);
  };
  wait_until(call, variable, read, Bytes(sizeof(T)), condition, value);
}

// --- barrier.cpp ---

void barrier_all(const Call& call);
void barrier(const Call& call, const ActiveSetArguments& set, long* sync);

// --- broadcast.cpp ---

void broadcast(const Call& call, void* target, const void* source, Elements elements, int root,
               const ActiveSetArguments& set, long* sync);

// --- collect.cpp ---

void collect(const Call& call, void* target, const void* source, Elements elements, const ActiveSetArguments& set,
             long* sync);
void fcollect(const Call& call, void* target, const void* source, Elements elements, const ActiveSetArguments& set,
              long* sync);

// --- reduction.cpp ---

// first[i] = first[i] op second[i]
using Combine = void (*)(void* first, const void* second, std::size_t count);
struct ReducedElement {
  std::size_t bytes;
  Combine combine;
};
void reduce(const Call& call, const ReducedElement& element, void* target, const void* source, int count,
            const ActiveSetArguments& set, void* work, long* sync);

template <typename T, typename Operator>
void reduce(const Call& call, T* target, const T* source, int count, const ActiveSetArguments& set, T* work,
            long* sync) {
  const Combine combine = [](void* first, const void* second, std::size_t elements) {
    auto* result = static_cast<T*>(first);
    const auto* operand = static_cast<const T*>(second);
    for (std::size_t i = 0; i < elements; ++i) result[i] = Operator()(result[i], operand[i]);
  };
  reduce(call, {sizeof(T), combine}, target, source, count, set, work, sync);
}

// --- locks.cpp ---

void set_lock(const Call& call, volatile long* lock);
void clear_lock(const Call& call, volatile long* lock);
int test_lock(const Call& call, volatile long* lock);
// In an integer of Fortran's default kind.
void set_lock(const Call& call, volatile int* lock);
void clear_lock(const Call& call, volatile int* lock);
int test_lock(const Call& call, volatile int* lock);

// --- events.cpp ---

void set_event(const Call& call, volatile long* event);
void clear_event(const Call& call, volatile long* event);
void wait_event(const Call& call, volatile long* event);
int test_event(const Call& call, volatile long* event);

// --- heap.cpp ---

// What the program's malloc_error holds, by which the last call of the heap's says what was wrong.
enum HeapError : long { no_error = 0, bad_length = -1, no_memory = -2 };
long heap_error_of(BlockFault fault);
long* heap_error(const Call& call);

void* allocate(const Call& call, std::size_t size);
void* allocate_aligned(const Call& call, std::size_t alignment, std::size_t size);
void* reallocate(const Call& call, void* block, std::size_t size);
void free(const Call& call, void* block);
// The same of an address that need not be a block's.
SymmetricMemory::Moved try_to_reallocate(const Call& call, void* block, std::size_t size);
BlockFault try_to_free(const Call& call, void* block);

}  // namespace hindcast::shmem::bodies
