// What the first of a communicator's ranks does for all, once all have come to it and have given the same arguments.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "mpi_impl/core/communicators/communicator.hpp"
#include "mpi_impl/core/error.hpp"

namespace hindcast::mpi {

// Called by all. `same` is what all have to give alike, `obstacle` what the calling rank has found wrong by itself. If
// nothing is, rank 0 acts; everybody gets what that gives, or throws what it throws.
void* decide(Process& process, Comm& comm, std::span<const std::byte> same, const std::optional<Error>& obstacle,
             const std::function<void*()>& act);

}  // namespace hindcast::mpi
