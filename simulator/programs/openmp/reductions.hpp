// Reductions of tasks. The program describes what is reduced in arrays that the compiler lays out (libgomp's
// interface):
//
//   [0] how many items   [1] bytes for one thread   [2] alignment, later the memory for all threads   [3] allocator
//   [4] the next array   [5] not 0: others were registered before those that follow   [6] where the memory ends
//   then for each item: its address, its offset in a thread's memory, a word of the library's
#pragma once

#include "simulator/programs/openmp/team.hpp"

namespace hindcast::programs::openmp {

// With memory for so many threads, or with that of the `first` one of a team to register the same.
void register_reductions(std::uintptr_t* arrays, std::uintptr_t* before, const std::uintptr_t* first, unsigned threads);
void forget_reductions(std::uintptr_t* arrays);

// A group for the tasks of one share, by each member.
void begin_share_group(Member& member);
void register_for_share(Member& member, WorkShare& share, std::uintptr_t* arrays);

void begin_group(Member& member);
void end_group(Member& member);

}  // namespace hindcast::programs::openmp
