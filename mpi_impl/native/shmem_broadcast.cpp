// Broadcast: down a binomial tree with the root's PE at its root. Who has the data puts it to half of those that he is
// responsible for, then to half of what is left, and so on; they go on from their own target.
#include <fmt/format.h>
#include <mpp/shmem.h>

#include <bit>

#include "mpi_impl/native/shmem_bodies.hpp"
#include "mpi_impl/native/shmem_symmetric.hpp"

namespace hindcast::shmem::bodies {

void broadcast(const Call& call, void* target, const void* source, Elements elements, int root,
               const ActiveSetArguments& arguments, long* sync) {
  call.check_length(elements, {3, "length"});
  const ActiveSet set(call, arguments, 5);
  const int n = set.size();
  if (root < 0 || root >= n)
    call.refuse({4, "PE_root"}, fmt::format("is {}; it is counted within the active set, from 0 to {}", root, n - 1));
  const SyncWords words(call, set, sync, _SHMEM_BCAST_SYNC_SIZE, 8);
  const std::size_t bytes = elements.bytes().count();
  const SymmetricArray targets(call, set, target, elements.bytes(), {1, "target"});
  const SymmetricArray sources(call, set, source, elements.bytes(), {2, "source"});

  // Numbers behind the root: number k has its data from k without its lowest bit, and is responsible for those up to
  // that bit behind it.
  const auto me = static_cast<unsigned>((set.me() - root + n) % n);
  const auto member = [&](unsigned number) { return (root + static_cast<int>(number)) % n; };
  if (me != 0) words.await(member(me & (me - 1)), 0);
  const std::byte* data = me == 0 ? sources.here(0) : targets.here(0);
  unsigned distance = me == 0 ? std::bit_ceil(static_cast<unsigned>(n)) : me & -me;
  while ((distance >>= 1) > 0) {
    if (me + distance >= static_cast<unsigned>(n)) continue;
    targets.put(member(me + distance), 0, data, bytes);
    words.send(member(me + distance), 0);
  }
}

}  // namespace hindcast::shmem::bodies
