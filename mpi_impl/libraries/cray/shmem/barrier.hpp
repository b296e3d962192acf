// Members of an active set wait for each other. All PEs do so by the barrier network; others by messages, up a tree to
// the first when all have come, and down from there to all. No message of the next barrier can meet one of this: the
// words may be used again at once.
#pragma once

#include "mpi_impl/libraries/cray/shmem/active_set.hpp"

namespace hindcast::shmem {

constexpr int barrier_words = 5;

// The root goes on when all have come; others may do so at once. By words from `first_word` on, one less than a barrier
// takes.
void let_all_come(const Call& call, const ActiveSet& set, int root, const SyncWords& words, int first_word);

// By words from `first_word` on. It does not wait for what was put before.
void pass_barrier(const Call& call, const ActiveSet& set, const SyncWords& words, int first_word);

}  // namespace hindcast::shmem
