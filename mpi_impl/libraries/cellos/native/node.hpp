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

class Node final : public EventSink {
 public:
  explicit Node(System& system);

  const std::vector<Cell*>& processes() const { return processes_; }
  void add(Cell& process) { processes_.push_back(&process); }

  // What the message controller, reading a broadcast's data, does not find in the cache.
  Bytes bytes_from_memory(const Broadcast& broadcast);
  // By a thread at the end of a copy between the program's memory and one of the system's buffers: what is copied, and
  // where to, goes through the cache then. Nowhere: the program alone has read or written it.
  enum class Copied : std::uint8_t { in, out, nowhere };
  void copied(Thread& thread, Copied way, const void* program, Bytes bytes) {
    if (bytes == Bytes() || program == nullptr) return;
    copied(thread.clock(), thread.reserve_act(), thread, Copy{way, place_of(program, bytes), bytes, Bytes()});
  }
  // The end of a receive, for whose place in the ring buffer nobody waits: so many bytes were copied out, and the
  // message leaves the buffer then.
  void received(Time at, EventOrder order, Thread& thread, const void* program, Bytes bytes, Bytes of_message);
  // In handlers: there may be room in a buffer for what leaves the cell.
  void wake_those_without_send_room();

  RingBuffer ring;
  SendBuffer send_buffer;
  SendBuffer broadcast_buffer;
  SendBuffer host_buffer;  // for what goes to the host, by another net

 private:
  // A copy that is over, or will be. That it touched the cache is nothing that anybody waits for.
  struct Copy {
    Copied way;
    PlaceInArray program;
    Bytes bytes;
    Bytes leaves_ring_buffer;
  };

  PlaceInArray place_of(const void* program, Bytes bytes);
  void copied(Time at, EventOrder order, Thread& thread, const Copy& copy);

  void fire(const Event& event) override;
  void pass_over_buffer(Copied way, Bytes bytes);

  System& system_;
  std::vector<Cell*> processes_;
  DirectMappedCache cache_;
  std::uint64_t filled_[2] = {0, 0};  // up to where in the buffer the last message lay, by Copied
};

}  // namespace hindcast::cellos
