// What goes between the ranks of a window: operations on a target's memory, synchronization, and answers. Data, if
// there are any, follow the packet.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "mpi_impl/core/datatypes/type_map.hpp"

namespace hindcast::mpi {

struct Answer;
struct Window;

// The datatype of a target's elements, as its origin describes it to the target.
struct TargetType {
  TypeMapPointer map;
  const TypeMap* basic;  // that all its data are of; null if they are of several kinds, or it does not matter
  MPI_Count count;
};

enum class PacketKind : std::uint8_t {
  put,
  get,
  accumulate,  // and gives back what was there before, if an answer is wanted
  compare_and_swap,
  lock,
  unlock,
  take_turn,  // at combining from afar
  leave_turn,
  flush,
  post,
  complete,
  answer,
};

struct alignas(16) Packet {
  PacketKind kind;
  bool is_exclusive = false;     // of a lock
  bool lies_together = true;     // the target's data
  std::uint8_t operation = 0;    // place of the MPI_Op's handle
  std::int32_t origin = 0;       // a rank of the window's
  Window* window = nullptr;      // the target's
  Answer* answer = nullptr;      // what waits for it at the origin, if anything does
  std::byte* address = nullptr;  // at the target
  union {
    const TypeMap* basic = nullptr;  // of data that lie together
    TargetType* type;                // of others; whoever works on the packet destroys it
  };
  std::uint64_t target_bytes = 0;  // of data there
  std::uint32_t described = 0;     // bytes that the description of the type takes, before the data
  std::int32_t data_tag = 0;       // of messages with the data, if they are not in the packet's
  std::uint64_t bytes = 0;         // of data that follow
};
static_assert(sizeof(Packet) == 64);

}  // namespace hindcast::mpi
