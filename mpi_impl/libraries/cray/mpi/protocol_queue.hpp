// How protocol messages get from one rank to another. This is all in which the old library of the T3E and the new one
// differ, but for protocol Tn, which needs slots, and the barrier: two macros of the source, of which one puts a
// message into another rank's queue (PUTP), and one absorbs what has come into the own.
#pragma once

#include "mpi_impl/libraries/cray/mpi/message.hpp"
#include "simulator/engine/thread/errand.hpp"

namespace hindcast::mpi {

// The library above, for a put that cannot go on.
class T3eAbsorber {
 public:
  // Works on what has come into the own queue, so that others can go on. What that makes to be put is put later.
  virtual Errand absorb() = 0;
  // What it looks at for a message that it takes soon, in two levels.
  virtual void fetch_for(const T3eMessage& message, FetchLevel level) const = 0;

 protected:
  ~T3eAbsorber() = default;
};

class T3eProtocolQueue {
 public:
  virtual ~T3eProtocolQueue() = default;

  // On the rank's thread. The message is the receiver's from then on.
  virtual Errand put(T3eMessage& message, int to_rank) = 0;
  // Whether it is over in no time but the thread's: the thread need not give way for it.
  virtual bool puts_at_once() const = 0;
  // What the thread has to know before a put so as to need not to wait in it for what became of the one before. It is
  // to be waited for as long as this is not null.
  virtual const Wait* await_earlier_put() = 0;
  // Messages that were put may still have to be put again. It is over when that cannot be.
  virtual Errand finish_puts() = 0;

  // In a call that makes progress, and has settled: how many messages have `come`.
  virtual Errand absorb(std::size_t& come) = 0;
  // In one that takes one after the other, before each: whether it has to settle first, and then whether something has
  // to be put again.
  virtual bool has_to_settle() const = 0;
  virtual bool has_to_put_again() const = 0;
  virtual Errand put_again() = 0;
  // The next one of those that have come, or null if none is known to have come by now.
  virtual T3eMessage* take() = 0;
  // What a take looks at (simulator/engine/fetching.hpp), or null if it need not be fetched.
  virtual const Fetchable* looked_at_in_take() const { return nullptr; }
  // It polls from here on, until the thread has been woken, because of a message or something else.
  virtual void begin_wait() = 0;
  virtual Errand end_wait(const Wait& why) = 0;

  // In a handler: the rank has gone, and nobody will take what has come or is to come.
  virtual void close(LostMessages& lost) = 0;
};

}  // namespace hindcast::mpi
