// Broadcast: down a tree, where who has got the data puts it from there to others. It begins when all have come, as
// nobody may leave it before: a program may use two pSync arrays by turns, because all have left a call when the first
// comes to the call after the next.
#include <fmt/format.h>
#include <mpp/shmem.h>

#include "mpi_impl/libraries/cray/shmem/barrier.hpp"
#include "mpi_impl/libraries/cray/shmem/bodies.hpp"
#include "mpi_impl/libraries/cray/shmem/symmetric.hpp"
#include "mpi_impl/libraries/cray/shmem/tree.hpp"

namespace hindcast::shmem::bodies {

namespace {

constexpr int data_word = 0;
constexpr int first_word_up = 1;
static_assert(first_word_up + barrier_words <= _SHMEM_BCAST_SYNC_SIZE);

}  // namespace

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
  let_all_come(call, set, root, words, first_word_up);
  pass_down(set, root, words, data_word, [&](int member) {
    targets.put(member, 0, data, bytes);
    words.send_after_data(member, data_word);
  });
}

}  // namespace hindcast::shmem::bodies
