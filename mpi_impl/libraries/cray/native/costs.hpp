// What the machine's file says of SHMEM: the steps that its calls are made of.
#pragma once

#include <optional>

#include "mpi_impl/libraries/cray/native/local_memory.hpp"
#include "simulator/engine/recorder.hpp"
#include "simulator/engine/units.hpp"

namespace hindcast::shmem {

struct Costs {
  FixedStep put;      // a call, up to the first word's way out
  FixedStep get;      // up to the request's
  FixedStep atomic;   // the same
  FixedStep element;  // more for each element of a put or get that are not next to each other
  RatedStep odd;      // bytes that are no whole words at a word's place, in either memory
  RatedStep load;     // moves a put's data from memory to where it leaves
  FixedStep quiet;
  FixedStep fence;
  FixedStep barrier;
  FixedStep poll;     // one look at a word of the own memory
  RatedStep copy;     // within the own memory, by the processor
  RatedStep combine;  // operations of a reduction
  Time clock_read;
  std::optional<MemoryCosts> memory;  // nothing: nobody waits for anybody there
  Bytes symmetric_heap;               // of each PE
  bool fence_waits = false;           // puts to one PE may overtake each other: a fence is a quiet
  bool barrier_is_polled = true;      // a thread may ask whether the barrier is over, and do something else meanwhile
};

}  // namespace hindcast::shmem
