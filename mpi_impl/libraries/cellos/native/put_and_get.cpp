#include "mpi_impl/libraries/cellos/native/put_and_get.hpp"

#include <algorithm>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/libraries/cellos/native/steps.hpp"

namespace hindcast::cellos {

namespace {

// Data leaves and comes back as fast as the net takes it, and the cells' systems serve each other.
RemoteMemory::Numbers numbers_of(const Costs& costs) { return {costs.header, Bytes(), {}, {}, {}, {}}; }

}  // namespace

PutAndGet::PutAndGet(System& system, Network& network)
    : memory_(system.engine(), network, numbers_of(system.costs())) {}

void PutAndGet::put(Cell& caller, Cell& other, const Strided& here, const Strided& there, DoneSink& sink) {
  Thread& thread = *Thread::current();
  const MessageId message = caller.next_message();
  spend_put_start(thread, caller.costs(), message);
  auto& operation = memory_.new_put(caller.memory_unit(), other.memory_unit(), here, there, message, &sink);
  thread.act(memory_, RemoteMemory::request_of(operation), std::min(here.bytes(), there.bytes()));
}

void PutAndGet::get(Cell& caller, Cell& other, const Strided& here, const Strided& there, DoneSink& sink) {
  Thread& thread = *Thread::current();
  const MessageId message = caller.next_message();
  spend_put_start(thread, caller.costs(), message);
  auto& operation = memory_.new_get(caller.memory_unit(), other.memory_unit(), here, there, message, sink);
  thread.act(memory_, RemoteMemory::request_of(operation));
}

std::uint64_t PutAndGet::request_of(const LibraryPut& put) {
  return RemoteMemory::request_of(memory_.new_put(put.caller.memory_unit(), put.other.memory_unit(), put.here,
                                                  put.there, put.message, &put.done, &put.written));
}

}  // namespace hindcast::cellos
