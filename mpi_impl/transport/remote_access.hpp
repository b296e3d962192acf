// Puts and gets of the machine's own, which need no call of the target's library: by hardware, or by an operating
// system that is interrupted. Of windows, what lies together at both ends goes so.
#pragma once

#include <cstdint>

#include "simulator/engine/completion.hpp"
#include "simulator/hardware/node/atomic.hpp"

namespace hindcast::mpi {

class RemoteAccess {
 public:
  // Whether there are such between the calling rank and this one of the engine's.
  virtual bool reaches(int rank) const = 0;
  // And from where it lies to where it belongs.
  virtual bool moves(const void* /*here*/, const void* /*there*/, Bytes) const { return true; }
  // By a thread of the rank's. What is `here` may not change before `over` completes, or be looked at by then.
  virtual void put(int to, void* there, const void* here, Bytes bytes, Completion& over) = 0;
  virtual void get(int from, void* here, const void* there, Bytes bytes, Completion& over) = 0;
  // Whether an origin combines by getting what is there and putting the result, in turn with others.
  virtual bool combines_from_afar() const { return false; }
  // On a word of 4 or 8 bytes, by the memory that it is in; returns what the word was.
  virtual bool has_atomics() const { return false; }
  virtual std::uint64_t atomic(int /*at*/, void* /*word*/, int /*bytes*/, const AtomicRequest&) { return 0; }
  // Until all puts that are over are written as well.
  virtual void finish_puts() = 0;

 protected:
  ~RemoteAccess() = default;
};

}  // namespace hindcast::mpi
