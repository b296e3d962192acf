// What reaches only a part of memory, and only where that has been made ready: a method whose units, or whose
// processors from the other side, cannot move payloads wherever they lie. What they do not reach passes through buffers
// of the library's, into which the sender's processor copies and out of which the receiver's does.
#pragma once

#include "simulator/engine/recorder.hpp"

namespace hindcast::mpi {

class ReachableMemory {
 public:
  virtual bool reaches(const void* memory, Bytes bytes) const = 0;

 protected:
  ~ReachableMemory() = default;
};

struct LibraryBuffers {
  const ReachableMemory* memory;
  Bytes longest;               // what is no longer passes through buffers, wherever it lies
  FixedStep set_up;            // making a longer payload's memory ready, at each end that has to
  bool sender_sets_up = true;  // if not, the sender's own processor moves the payload

  bool leave_in_place(const void* payload, Bytes bytes) const {
    return bytes > longest && memory->reaches(payload, bytes);
  }
};

}  // namespace hindcast::mpi
