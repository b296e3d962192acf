// What there is once on a cell of the machine, for all processes that run on it: the system's buffers and the cache.
// Mostly that is one process.
#pragma once

#include <vector>

#include "mpi_impl/libraries/cellos/native/ring_buffer.hpp"
#include "mpi_impl/libraries/cellos/native/send_buffer.hpp"
#include "simulator/engine/thread.hpp"
#include "simulator/hardware/node/direct_mapped_cache.hpp"
#include "simulator/hardware/node/program_arrays.hpp"

namespace hindcast::cellos {

class alignas(cache_line) Node final : public EventSink {
 public:
  explicit Node(System& system);

  const std::vector<Cell*>& processes() const { return processes_; }
  void add(Cell& process) { processes_.push_back(&process); }
  void remove(Cell& process) { std::erase(processes_, &process); }

  // What the message controller, reading a broadcast's data, does not find in the cache.
  Bytes bytes_from_memory(const Broadcast& broadcast);
  // At the instant, by this computer's clock, when the program has the memory.
  PlaceInArray place_of(const void* program, Bytes bytes);
  // In a handler, at the end of a copy from the program's memory to a send buffer: both go through the cache.
  void copied_in(const PlaceInArray& program, Bytes bytes);
  // By a thread at the end of a copy from the ring buffer to the program's memory: the same.
  void copied_out(Thread& thread, const void* program, Bytes bytes) {
    copied(thread, From::ring_buffer, program, bytes);
  }
  // By a thread that has read or written the memory of its program, which alone goes through the cache.
  void touched(Thread& thread, const void* program, Bytes bytes) { copied(thread, From::nowhere, program, bytes); }
  // The end of a receive, for whose place in the ring buffer nobody waits: so many bytes were copied out, and the
  // message leaves the buffer then.
  void received(Time at, EventOrder order, Thread& thread, const void* program, Bytes bytes, Bytes of_message);
  // By a process of the node that will wait for room in a buffer for what leaves it.
  void expect_waiting_for_send_room();
  // A message leaves soon, or one is soon copied to the program's memory (simulator/engine/fetching.hpp).
  void fetch_for_start(FetchLevel level) const;
  void fetch_for_copy(const void* program) const { found_.fetch(program); }

 private:
  // A copy that is over, or will be. That it touched the cache is nothing that anybody waits for.
  enum class From : std::uint8_t { ring_buffer, nowhere };
  struct Copy {
    From from;
    PlaceInArray program;
    Bytes bytes;
    Bytes leaves_ring_buffer;
  };

  void copied(Thread& thread, From from, const void* program, Bytes bytes) {
    if (bytes == Bytes() || program == nullptr) return;
    copied(thread.clock(), thread.reserve_act(), thread, from, program, bytes, Bytes());
  }
  void copied(Time at, EventOrder order, Thread& thread, From from, const void* program, Bytes bytes,
              Bytes leaves_ring_buffer);

  void fire(const Event& event) override;
  // What threads have copied or touched by now, before anything else goes through the cache: which of two passes came
  // last decides what is there.
  void go_over_what_was_copied();
  void pass_over_sent(Bytes bytes);
  void pass_over_received(Bytes bytes);

  // The system's buffers go through the cache one message behind the other, and from the beginning again at the end.
  static constexpr std::uint64_t array_sent = 0;
  static constexpr std::uint64_t array_received = 1;

  // What every message looks at, in a line of this computer's cache with the count of the passes that are noted.
  System& system_;
  Bytes sent_;      // up to where the last message lay
  Bytes received_;  // the same
  ProgramArrays::Found found_;
  DirectMappedCache cache_;
  std::vector<Cell*> processes_;

 public:
  alignas(cache_line) SendBuffer send_buffer;
  RingBuffer ring;
  SendBuffer broadcast_buffer;
  SendBuffer host_buffer;  // for what goes to the host, by another net
};

}  // namespace hindcast::cellos
