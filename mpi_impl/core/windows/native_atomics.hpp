// Operations on one element that the target's memory does by itself, on machines where it can.
#pragma once

#include "mpi_impl/core/windows/origin.hpp"

namespace hindcast::mpi {

// Whether it has been done, and `before` is what was there. Not if earlier packets to the target, which it would
// overtake, may still be on their way.
bool fetch_natively(Process& process, Window& window, const TargetArguments& target, const Op& op, const void* operand,
                    void* before);
bool swap_natively(Process& process, Window& window, const TargetArguments& target, const void* compared,
                   const void* data, void* before);

}  // namespace hindcast::mpi
