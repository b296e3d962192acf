#include "mpi_impl/libraries/cray/shmem/barrier.hpp"

#include <mpp/shmem.h>

#include "mpi_impl/libraries/cray/shmem/bodies.hpp"
#include "mpi_impl/libraries/cray/shmem/tree.hpp"

namespace hindcast::shmem {

namespace {

constexpr int arity = barrier_words - 1;  // a word for each child, and one for the way down
static_assert(barrier_words <= _SHMEM_BARRIER_SYNC_SIZE);

void pass_up(const ActiveSet& set, int root, const SyncWords& words, int first_word) {
  const Tree tree(arity, set, root);
  for (int place = 0; place < tree.children(); ++place) words.await(tree.child(place), first_word + place);
  if (!tree.is_root()) words.send(tree.parent(), first_word + tree.place());
}

void pass_tree(const ActiveSet& set, const SyncWords& words, int first_word) {
  pass_up(set, 0, words, first_word);
  const int released = first_word + arity;
  pass_down(set, 0, words, released, [&](int member) { words.send(member, released); });
}

}  // namespace

void let_all_come(const Call& call, const ActiveSet& set, int root, const SyncWords& words, int first_word) {
  if (set.is_everybody())
    call.self().barrier(call.function());
  else
    pass_up(set, root, words, first_word);
}

void pass_barrier(const Call& call, const ActiveSet& set, const SyncWords& words, int first_word) {
  if (set.is_everybody())
    call.self().barrier(call.function());
  else
    pass_tree(set, words, first_word);
}

namespace bodies {

void barrier_all(const Call& call) {
  call.self().quiet(call.function());
  call.self().barrier(call.function());
}

void barrier(const Call& call, const ActiveSetArguments& arguments, long* sync) {
  const ActiveSet set(call, arguments, 1);
  const SyncWords words(call, set, sync, _SHMEM_BARRIER_SYNC_SIZE, 4);
  call.self().quiet(call.function());
  pass_barrier(call, set, words, 0);
}

}  // namespace bodies

}  // namespace hindcast::shmem
