// Collect and fcollect: every member's array, one behind the other, to all.
//
// Of equal lengths (fcollect) everybody knows what goes where: after round k a member has the arrays of the 2^k members
// up to itself, and puts them to the one that is 2^k behind it. Of different lengths (collect) a member first learns
// how much lies before its own array, from sums that go round in the same rounds; then it puts its array to everybody.
#include <mpp/shmem.h>

#include <algorithm>
#include <bit>

#include "mpi_impl/libraries/cray/shmem/barrier.hpp"
#include "mpi_impl/libraries/cray/shmem/bodies.hpp"
#include "mpi_impl/libraries/cray/shmem/symmetric.hpp"

namespace hindcast::shmem::bodies {

namespace {

constexpr int collect_rounds_max = 31;  // there are fewer than 2^31 PEs
static_assert(collect_rounds_max + barrier_words <= _SHMEM_COLLECT_SYNC_SIZE);

int rounds_of(const ActiveSet& set) { return std::bit_width(static_cast<unsigned>(set.size() - 1)); }

// How many bytes all members before the caller have together.
std::size_t bytes_before(const ActiveSet& set, const SyncWords& words, std::size_t mine) {
  std::size_t up_to_me = mine;
  for (int round = 0; 1 << round < set.size(); ++round) {
    const int distance = 1 << round;
    // One more than the sum, as 0 cannot be sent.
    if (set.me() + distance < set.size())
      words.send(set.me() + distance, round, static_cast<std::int64_t>(up_to_me) + 1);
    if (set.me() >= distance) up_to_me += static_cast<std::size_t>(words.await(set.me() - distance, round) - 1);
  }
  return up_to_me - mine;
}

// The arrays of `count` members up to the caller, which may lie around the end of the target.
void put_arrays(const ActiveSet& set, const SymmetricArray& targets, int member, int count, std::size_t bytes_each) {
  const int first = (set.me() - count + 1 + set.size()) % set.size();
  const int before_end = std::min(count, set.size() - first);
  const auto bytes = [&](int arrays) { return static_cast<std::size_t>(arrays) * bytes_each; };
  targets.put(member, bytes(first), targets.here(bytes(first)), bytes(before_end));
  targets.put(member, 0, targets.here(0), bytes(count - before_end));
}

}  // namespace

void collect(const Call& call, void* target, const void* source, Elements elements, const ActiveSetArguments& arguments,
             long* sync) {
  call.check_length(elements, {3, "length"});
  const ActiveSet set(call, arguments, 4);
  const SyncWords words(call, set, sync, _SHMEM_COLLECT_SYNC_SIZE, 7, rounds_of(set));
  const std::size_t bytes = elements.bytes().count();
  const SymmetricArray sources(call, set, source, elements.bytes(), {2, "source"});
  const std::size_t offset = bytes_before(set, words, bytes);
  const SymmetricArray targets(call, set, target, Bytes(offset + bytes), {1, "target"});
  for (int distance = 0; distance < set.size(); ++distance)
    targets.put(set.behind_me(distance), offset, sources.here(0), bytes);
  call.self().quiet(call.function());
  pass_barrier(call, set, words, collect_rounds_max);
}

void fcollect(const Call& call, void* target, const void* source, Elements elements,
              const ActiveSetArguments& arguments, long* sync) {
  call.check_length(elements, {3, "length"});
  const ActiveSet set(call, arguments, 4);
  const int n = set.size();
  const SyncWords words(call, set, sync, _SHMEM_COLLECT_SYNC_SIZE, 7);
  const std::size_t bytes = elements.bytes().count();
  const SymmetricArray sources(call, set, source, elements.bytes(), {2, "source"});
  const SymmetricArray targets(call, set, target, Bytes(bytes * static_cast<std::size_t>(n)), {1, "target"});
  targets.put(set.me(), bytes * static_cast<std::size_t>(set.me()), sources.here(0), bytes);
  call.self().quiet(call.function());
  for (int round = 0; 1 << round < n; ++round) {
    const int distance = 1 << round;
    put_arrays(set, targets, set.behind_me(distance), std::min(distance, n - distance), bytes);
    words.send_after_data(set.behind_me(distance), round);
    words.await(set.behind_me(n - distance), round);
  }
}

}  // namespace hindcast::shmem::bodies
