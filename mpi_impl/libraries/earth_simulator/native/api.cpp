// The functions of es_ina.h: what is wrong is told in one line.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "mpi_impl/libraries/earth_simulator/include/es_ina.h"
#include "mpi_impl/libraries/earth_simulator/native/rcu_client.hpp"
#include "simulator/programs/launcher.hpp"
#include "simulator/programs/process/library_call.hpp"

using namespace hindcast;

namespace hindcast::earth_simulator {

namespace {

[[noreturn]] void refuse_ina(const char* function, const std::string& what) {
  programs::RunningProgram& program = *programs::RunningProgram::current();
  program.launch().abort_run(1, fmt::format("rank {}: {}: {}", program.rank().id, function, what));
}

RcuClient& caller_of(const programs::LibraryCall& call) {
  RcuClient* client = RcuClient::of(call.program().rank());
  if (client == nullptr) refuse_ina(call.function(), "this machine has no units for INA transfers");
  return *client;
}

void require_global(RcuClient& self, const char* function, const void* memory, std::size_t bytes) {
  if (!self.units().global_memory.is_global(memory, Bytes(bytes)))
    refuse_ina(function, fmt::format("{} bytes of memory that is not global (it is LMEM); INA instructions reach GMEM "
                                     "only: get it by es_global_alloc",
                                     bytes));
}

// A processor that loads from it faults: no such address is mapped.
constexpr std::uint64_t beyond_pointers = std::uint64_t{0x4553} << 48;

void* global_from(const void* memory) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uint64_t>(memory) ^ beyond_pointers);
}
void* memory_from(const void* global) { return global_from(global); }

struct InaArguments {
  const char* function;
  RcuClient& self;
  RcuClient& other;
  Strided here;
  Strided there;
};

constexpr std::size_t reach_max = std::size_t{1} << 48;  // of which addresses there are no more

// From the first byte to the last. Of numbers that cannot be it is more than any memory has.
std::size_t reach_of(const es_ina_items& items, long stride) {
  const auto apart = stride < 0 ? -static_cast<std::size_t>(stride) : static_cast<std::size_t>(stride);
  std::size_t reach = 0;
  if (__builtin_mul_overflow(items.items - 1, apart, &reach) || __builtin_add_overflow(reach, items.item_bytes, &reach))
    return SIZE_MAX;
  return reach;
}

// What was a negative number has become one that no memory is as large as.
void require_possible(const char* function, const es_ina_items& items) {
  if (items.items == 1 && items.item_bytes > reach_max)
    refuse_ina(function, fmt::format("argument 3 (bytes) is {}; it must not be negative, and at most {}",
                                     static_cast<std::ptrdiff_t>(items.item_bytes), reach_max));
  std::size_t data = 0;
  if (__builtin_mul_overflow(items.items, items.item_bytes, &data) || data > reach_max ||
      std::max(reach_of(items, items.here_stride), reach_of(items, items.there_stride)) > reach_max)
    refuse_ina(function,
               fmt::format("argument 3 (items) is {} items of {} bytes, {} bytes apart here and {} there; "
                           "neither number may be negative, and all must be within {} bytes",
                           static_cast<std::ptrdiff_t>(items.items), static_cast<std::ptrdiff_t>(items.item_bytes),
                           items.here_stride, items.there_stride, reach_max));
}

const std::byte* begin_of(const void* first, const es_ina_items& items, long stride) {
  const auto* begin = static_cast<const std::byte*>(first);
  return stride < 0 && items.items > 0 ? begin + static_cast<long>(items.items - 1) * stride : begin;
}

InaArguments arguments_of(const programs::LibraryCall& library_call, const void* here, const es_global_address& there,
                          const es_ina_items& items) {
  const char* function = library_call.function();
  RcuClient& self = caller_of(library_call);
  require_possible(function, items);
  const auto& clients = self.units().clients;
  if (there.process < 0 || static_cast<std::size_t>(there.process) >= clients.size() ||
      clients[static_cast<std::size_t>(there.process)] == nullptr)
    refuse_ina(function, fmt::format("there is no process {}: the global address is not one", there.process));
  void* const memory = memory_from(there.address);
  RcuClient& other = *clients[static_cast<std::size_t>(there.process)];
  if (here == nullptr) refuse_ina(function, "argument 'here' is a null pointer; give the address of the data");
  const std::size_t reach_there = reach_of(items, items.there_stride);
  require_global(self, function, begin_of(here, items, items.here_stride), reach_of(items, items.here_stride));
  require_global(self, function, begin_of(memory, items, items.there_stride), reach_there);
  if (!other.own_memory().is_told(begin_of(memory, items, items.there_stride), Bytes(reach_there)))
    refuse_ina(function,
               fmt::format("the {} bytes there are not in what process {} has told a global address of; give "
                           "what es_global_address_of has given there, for all of the memory, and do not free "
                           "that before",
                           reach_there, there.process));
  return {function,
          self,
          other,
          {const_cast<void*>(here), items.items, items.item_bytes, items.here_stride},
          {memory, items.items, items.item_bytes, items.there_stride}};
}

es_ina_items one_item(std::size_t bytes) { return {1, bytes, 0, 0}; }

// --- what a thread waits for ---

class TransferWait final : public Wait {
 public:
  explicit TransferWait(const char* function) : function_(function) {}
  BlockedOn describe() const override { return {function_, "until its unit has moved the data", {}}; }

 private:
  const char* function_;
};

void pass_when_over(const char* function, Completion& over) {
  Thread& thread = *Thread::current();
  const TransferWait why(function);
  Gate gate(thread);
  gate.add(over);
  while (!gate.is_open()) thread.wait_without_polling(why);
  thread.idle_until(over.at(), why);
}

enum class Direction { put, get };

void start_transfer(const InaArguments& with, Direction direction, Completion& over) {
  if (direction == Direction::put) return with.self.put(with.other, with.here, with.there, over);
  with.self.get(with.other, with.here, with.there, over);
}

void transfer(const char* function, const void* here, const es_global_address& there, const es_ina_items& items,
              Direction direction) {
  if (items.items == 0 || items.item_bytes == 0) return;
  const programs::LibraryCall library_call(function);
  Completion over;
  start_transfer(arguments_of(library_call, here, there, items), direction, over);
  pass_when_over(function, over);
}

void start(const char* function, const void* here, const es_global_address& there, std::size_t bytes,
           Direction direction) {
  if (bytes == 0) return;
  const programs::LibraryCall library_call(function);
  const InaArguments with = arguments_of(library_call, here, there, one_item(bytes));
  start_transfer(with, direction, with.self.new_started());
}

}  // namespace

}  // namespace hindcast::earth_simulator

using namespace hindcast::earth_simulator;

extern "C" {

void* es_global_alloc(size_t bytes) {
  const programs::LibraryCall library_call("es_global_alloc");
  earth_simulator::RcuClient& self = caller_of(library_call);
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) return nullptr;
  self.units().global_memory.note(memory, Bytes(bytes), MemoryKind::global);
  self.own_memory().allocated(memory, Bytes(bytes));
  return memory;
}

void es_global_free(void* memory) {
  const programs::LibraryCall library_call("es_global_free");
  earth_simulator::RcuClient& self = caller_of(library_call);
  if (memory == nullptr) return;
  if (!self.own_memory().freed(memory))
    refuse_ina("es_global_free",
               "argument 1 (memory) is not what es_global_alloc has given to this process, or has been freed already; "
               "give that, once");
  self.units().global_memory.forget(memory);
  std::free(memory);
}

es_global_address es_global_address_of(const void* memory, size_t bytes) {
  const programs::LibraryCall library_call("es_global_address_of");
  earth_simulator::RcuClient& self = caller_of(library_call);
  if (memory == nullptr)
    refuse_ina("es_global_address_of", "argument 1 (memory) is a null pointer; give the address of the data");
  if (bytes > reach_max)
    refuse_ina("es_global_address_of", fmt::format("argument 2 (bytes) is {}; it must not be negative, and at most {}",
                                                   static_cast<std::ptrdiff_t>(bytes), reach_max));
  require_global(self, "es_global_address_of", memory, bytes);
  self.tell(memory, Bytes(bytes));
  return {self.rank().id, global_from(memory)};
}

void es_ina_put(es_global_address there, const void* here, size_t bytes) {
  transfer("es_ina_put", here, there, one_item(bytes), Direction::put);
}
void es_ina_get(void* here, es_global_address there, size_t bytes) {
  transfer("es_ina_get", here, there, one_item(bytes), Direction::get);
}
void es_ina_put_items(es_global_address there, const void* here, es_ina_items items) {
  transfer("es_ina_put_items", here, there, items, Direction::put);
}
void es_ina_get_items(void* here, es_global_address there, es_ina_items items) {
  transfer("es_ina_get_items", here, there, items, Direction::get);
}
void es_ina_start_put(es_global_address there, const void* here, size_t bytes) {
  start("es_ina_start_put", here, there, bytes, Direction::put);
}
void es_ina_start_get(void* here, es_global_address there, size_t bytes) {
  start("es_ina_start_get", here, there, bytes, Direction::get);
}
void es_ina_wait(void) {
  const programs::LibraryCall library_call("es_ina_wait");
  std::deque<Completion>& started = caller_of(library_call).started();
  for (Completion& over : started) pass_when_over("es_ina_wait", over);
  started.clear();
}

}  // extern "C"
