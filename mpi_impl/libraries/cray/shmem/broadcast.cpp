// Broadcast: down a tree, where who has got the data puts it from there to others.
#include <fmt/format.h>
#include <mpp/shmem.h>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"
#include "mpi_impl/libraries/cray/shmem/symmetric.hpp"
#include "mpi_impl/libraries/cray/shmem/tree.hpp"

namespace hindcast::shmem::bodies {

void broadcast(const Call& call, void* target, const void* source, Elements elements, int root,
               const ActiveSetArguments& arguments, long* sync) {
  call.check_length(elements, {3, "length"});
  const ActiveSet set(call, arguments, 5);
  if (root < 0 || root >= set.size())
    call.refuse({4, "PE_root"},
                fmt::format("is {}; it is counted within the active set, from 0 to {}", root, set.size() - 1));
  const SyncWords words(call, set, sync, _SHMEM_BCAST_SYNC_SIZE, 8);
  const std::size_t bytes = elements.bytes().count();
  const SymmetricArray targets(call, set, target, elements.bytes(), {1, "target"});
  const SymmetricArray sources(call, set, source, elements.bytes(), {2, "source"});

  const std::byte* data = set.me() == root ? sources.here(0) : targets.here(0);
  pass_down(set, root, words, 0, [&](int member) {
    targets.put(member, 0, data, bytes);
    words.send_after_data(member, 0);
  });
}

}  // namespace hindcast::shmem::bodies
