// What elements a reduction is of, as far as that says how quickly a processor combines them.
#pragma once

#include <cstdint>

namespace hindcast::mpi {

enum class Arithmetic : std::uint8_t { floating, integer };

}  // namespace hindcast::mpi
