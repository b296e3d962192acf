// One processing element, a rank's: its calls to remote memory and to the barrier network, which public SHMEM and MPI
// are made of.
//
// A put returns when its data has left the program's memory: when it is in the E-registers, or what does not fit in
// them has left the node. It arrives later, and quiet waits for that. A get returns with the data, an atomic operation
// with what the word was. Addresses are real ones of the PE that they are in. Puts of one PE to another are written in
// the order of the calls.
#pragma once

#include <cstdint>
#include <optional>

#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/cray/native/system.hpp"
#include "simulator/engine/rank.hpp"

namespace hindcast::shmem {

// Something that a PE waits for, which its memory or what handlers change makes true. It says for whom what it is.
class Condition : public Wait {
 public:
  // By the thread at its time, and by handlers.
  virtual bool holds() const = 0;

 protected:
  ~Condition() = default;
};

class PeAnswer;
class PeWaiter;

class alignas(cache_line) Pe final : public NativePart<Pe>, private RemoteMemoryUser {
 public:
  // The rank's `native` is this PE from now on.
  Pe(System& system, Rank& rank, int node);
  ~Pe();
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;

  static Pe* of(const Rank& rank) { return native_part<Pe>(rank); }

  System& system() { return system_; }
  Rank& rank() { return rank_; }
  const Rank& rank() const { return rank_; }
  int number() const { return rank_.id; }
  int node() const { return unit_.node(); }
  const Costs& costs() const { return system_.costs(); }

  // Where symmetric memory of this PE's lies in another's. Null: not all of these bytes are symmetric.
  void* counterpart(const void* address, Bytes bytes, int pe) {
    return system_.symmetric_memory().counterpart(*this, address, bytes, system_.pe(pe));
  }

  // --- on the rank's threads; `call` is how the deadlock report names it ---

  // The number of the next operation, for a recorder's marks; and of something that is no operation of these.
  MessageId upcoming_message() const { return message_id(number(), operations_ + 1); }
  MessageId next_message() { return works_for_ != 0 ? works_for_ : message_id(number(), ++operations_); }
  // The operations from now on are steps of this message, of a library above, and have no numbers of their own; 0: of
  // none.
  void work_for(MessageId message) { works_for_ = message; }

  void put(const char* call, int pe, void* there, const void* here, Bytes bytes) {
    put(call, pe, in_one_piece(there, bytes), in_one_piece(here, bytes));
  }
  void get(const char* call, int pe, void* here, const void* there, Bytes bytes) {
    get(call, pe, in_one_piece(here, bytes), in_one_piece(there, bytes));
  }
  // In elements, which may be cut differently here and there. `written`, if it is given, is told when the data is
  // there.
  void put(const char* call, int pe, const Strided& there, const Strided& here, DoneSink* written = nullptr);
  void get(const char* call, int pe, const Strided& here, const Strided& there);

  // Return what the word was. The word has 4 or 8 bytes.
  std::uint64_t atomic(const char* call, int pe, void* word, int bytes, const AtomicRequest& request);

  // For errands, which wait themselves (pe_waits.hpp). Nobody changes what is got before it is there.
  void begin_get_of_what_stays(PeAnswer& answer, void* here, const void* there, Bytes bytes) {
    begin_get(answer, in_one_piece(here, bytes), in_one_piece(there, bytes), true);
  }
  void begin_put(int pe, void* there, const void* here, Bytes bytes) {
    begin_put(pe, in_one_piece(there, bytes), in_one_piece(here, bytes));
  }
  Errand puts_written(const char* call);
  void begin_atomic(PeAnswer& answer, AtomicTarget& target, const AtomicRequest& request);
  // Of so many bytes, of which the first are these, and the rest nobody looks at.
  void begin_put_with_filler(int pe, void* there, const void* here, Bytes bytes, Bytes with_filler) {
    begin_put(pe, in_one_piece(there, with_filler), in_one_piece(here, with_filler), nullptr, bytes);
  }

  // By the processor, which reads and writes each byte.
  void copy(const RatedStep& step, Bytes bytes, MessageId message = 0);
  Errand copies(const RatedStep& step, Bytes bytes, MessageId message);
  // What the last call for symmetric memory has told the program: 0, or what was wrong.
  long& heap_error() { return heap_error_; }

  // Null: nobody else comes there.
  MemoryPort* memory_port() { return memory_port_; }

  // Until all own puts are written and acknowledged.
  void quiet(const char* call);
  // What is put to a PE from now on is written there after what was put there before.
  void fence(const char* call);

  // Until it holds: looks at it, and again whenever this PE's memory has been written by others or the thread was woken
  // by a handler.
  void wait_for(const Condition& condition);

  // The hardware's barrier over all PEs, apart from what is put meanwhile.
  void barrier(const char* call);
  // The same while the thread goes on, if the barrier can be polled: `over` completes when all are in it.
  void begin_barrier(Completion& over);
  bool can_poll_barrier() const { return costs().barrier_is_polled; }

 private:
  friend class PeWaiter;
  friend class PutsWait;

  void changed(MessageId message) override;
  void spend_elements(const Strided& here, const Strided& there, MessageId message);
  static std::uint64_t odd_bytes(const Strided& here, const Strided& there);
  void spend_odd_bytes(const Strided& here, const Strided& there, MessageId message);
  bool sees_its_time(const Thread& thread);
  void begin_put(int pe, const Strided& there, const Strided& here, DoneSink* written = nullptr,
                 Bytes moved_max = RemoteMemory::all_bytes);
  void begin_get(PeAnswer& answer, const Strided& here, const Strided& there, bool stays_as_it_is = false);

  System& system_;
  Rank& rank_;
  MemoryPort* const memory_port_;
  std::uint64_t operations_ = 0;
  MessageId works_for_ = 0;
  PeWaiter* waiters_ = nullptr;  // threads that wait for what changed() tells of
  RemoteMemoryUnit unit_;
  long heap_error_ = 0;
};

}  // namespace hindcast::shmem
