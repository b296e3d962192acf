// What MPL's collective calls do, on messages of two tasks: trees where one has what all want, or wants what all have,
// and rounds where each wants something of each. No source says which MPL took.
#pragma once

#include "mpi_impl/libraries/mpl/calls/members.hpp"
#include "mpi_impl/libraries/mpl/include/mpl.h"

namespace hindcast::mpl {

// Ranks are those of the group.
void synchronize(const Members& members);
void broadcast(const Members& members, void* data, std::size_t bytes, int root);
void gather(const Members& members, const void* mine, void* all, std::size_t bytes, int root);
void scatter(const Members& members, const void* all, void* mine, std::size_t bytes, int root);
void concatenate(const Members& members, const void* mine, void* all, std::size_t bytes);
void exchange_all(const Members& members, const void* all, void* received, std::size_t bytes);
void shift(const Members& members, const void* mine, void* received, std::size_t bytes, int step, bool is_round);
// The combination is in the order of ranks.
void reduce(const Members& members, const void* mine, void* result, std::size_t bytes, mpc_function function, int root);
void combine_prefix(const Members& members, const void* mine, void* result, std::size_t bytes, mpc_function function);

}  // namespace hindcast::mpl
