#include "simulator/hardware/node/remote_memory.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

namespace hindcast {

namespace {

const StepKind waits_for_memory{"wait for the memory at the other end", ""};

constexpr Bytes word_bytes(8);

}  // namespace

// On its way there and, with an answer, on its way back.
struct RemoteMemory::Operation : Transfer {
  Kind kind = Kind::put;
  std::uint8_t width = 0;  // of an atomic operation's word; 0: it is a target
  bool is_answer = false;
  RemoteMemoryUnit* caller = nullptr;
  RemoteMemoryUnit* other = nullptr;
  DoneSink* done = nullptr;
  std::uint64_t number = 0;  // of a put, among its caller's
  Strided read_from;
  Strided write_to;
  Bytes data_bytes;
  std::byte* data = nullptr;
  std::byte short_data[64];
  AtomicRequest request;
  union {
    void* word;
    AtomicTarget* target;
  };
  std::uint64_t* old_value = nullptr;
};

RemoteMemory::RemoteMemory(Engine& engine, Network& network, const Numbers& numbers)
    : engine_(engine), network_(network), numbers_(numbers), owner_(engine.new_owner()) {}

RemoteMemory::Operation& RemoteMemory::new_operation(Kind kind, RemoteMemoryUnit& caller, RemoteMemoryUnit& other,
                                                     MessageId message) {
  auto& operation = *new (pool_.take(sizeof(Operation))) Operation;
  operation.kind = kind;
  operation.caller = &caller;
  operation.other = &other;
  operation.from = caller.node();
  operation.to = other.node();
  operation.bytes = numbers_.header;
  operation.sink = this;
  operation.message = message;
  return operation;
}

void RemoteMemory::take_data(Operation& operation, Bytes bytes) {
  const bool is_short = bytes.count() <= sizeof operation.short_data;
  operation.data = is_short ? operation.short_data : static_cast<std::byte*>(pool_.take(bytes.count()));
  operation.data_bytes = bytes;
  gather(operation.read_from, bytes, operation.data);
}

// The caller of a put may change its list while the data is under way.
void RemoteMemory::keep_offsets(Operation& put) {
  const std::size_t bytes = put.write_to.items * sizeof(std::int64_t);
  put.write_to.offsets = static_cast<const std::int64_t*>(std::memcpy(pool_.take(bytes), put.write_to.offsets, bytes));
}

void RemoteMemory::free(Operation& operation) {
  if (operation.kind == Kind::put && operation.write_to.offsets != nullptr)
    pool_.give_back(const_cast<std::int64_t*>(operation.write_to.offsets),
                    operation.write_to.items * sizeof(std::int64_t));
  if (operation.data != nullptr && operation.data != operation.short_data)
    pool_.give_back(operation.data, operation.data_bytes.count());
  operation.~Operation();
  pool_.give_back(&operation, sizeof(Operation));
}

// --- by threads ---

RemoteMemory::Operation& RemoteMemory::new_put(RemoteMemoryUnit& caller, RemoteMemoryUnit& other, const Strided& here,
                                               const Strided& there, MessageId message) {
  Operation& put = new_operation(Kind::put, caller, other, message);
  put.read_from = here;
  put.write_to = there;
  if (there.offsets != nullptr) keep_offsets(put);
  take_data(put, std::min(here.bytes(), there.bytes()));
  put.bytes = numbers_.header + put.data_bytes;
  put.pace = &numbers_.put;
  put.number = caller.puts().add(put.data_bytes);
  return put;
}

RemoteMemory::Operation& RemoteMemory::new_get(RemoteMemoryUnit& caller, RemoteMemoryUnit& other, const Strided& here,
                                               const Strided& there, MessageId message, DoneSink& done) {
  Operation& get = new_operation(Kind::get, caller, other, message);
  get.read_from = there;
  get.write_to = here;
  get.done = &done;
  return get;
}

RemoteMemory::Operation& RemoteMemory::new_atomic(RemoteMemoryUnit& caller, RemoteMemoryUnit& other, void* word,
                                                  int bytes, const AtomicRequest& request, MessageId message,
                                                  std::uint64_t& old_value, DoneSink& done) {
  Operation& atomic = new_operation(Kind::atomic, caller, other, message);
  const bool has_two_words =
      request.operation == AtomicOperation::compare_swap || request.operation == AtomicOperation::masked_swap;
  atomic.bytes = numbers_.header + word_bytes + (has_two_words ? word_bytes : Bytes());
  atomic.request = request;
  atomic.width = static_cast<std::uint8_t>(bytes);
  atomic.word = word;
  atomic.old_value = &old_value;
  atomic.done = &done;
  return atomic;
}

RemoteMemory::Operation& RemoteMemory::new_atomic(RemoteMemoryUnit& caller, RemoteMemoryUnit& other,
                                                  AtomicTarget& target, const AtomicRequest& request, MessageId message,
                                                  std::uint64_t& old_value, DoneSink& done) {
  Operation& atomic = new_atomic(caller, other, nullptr, 0, request, message, old_value, done);
  atomic.target = &target;
  return atomic;
}

// --- in handlers ---

// A call begins, or the memory at the other end has done its part.
void RemoteMemory::fire(const Event& event) {
  auto& operation = *reinterpret_cast<Operation*>(event.data);
  network_.submit(operation);
}

void RemoteMemory::entered(Transfer& transfer) {
  auto& operation = static_cast<Operation&>(transfer);
  if (operation.kind != Kind::put) return;
  operation.caller->puts().entered(operation.number, operation.since, operation.injected);
  operation.caller->changed(operation.message);
}

void RemoteMemory::arrived(Transfer& transfer) {
  auto& operation = static_cast<Operation&>(transfer);
  if (operation.kind == Kind::put) return written(operation);
  operation.is_answer ? answered(operation) : serve(operation);
}

void RemoteMemory::written(Operation& put) {
  scatter(put.data, put.data_bytes, put.write_to);
  RemoteMemoryUnit& caller = *put.caller;
  if (caller.acknowledged_by_ != put.to) {
    caller.acknowledged_by_ = put.to;
    caller.way_back_ = network_.latency(put.to, put.from);
  }
  caller.puts().written(engine_.now() + caller.way_back_);
  put.other->changed(put.message);
  if (put.other != &caller) caller.changed(put.message);
  free(put);
}

// The memory is read, or the operation performed, at once; what it takes passes before the answer leaves.
void RemoteMemory::serve(Operation& operation) {
  if (operation.kind == Kind::get) {
    take_data(operation, std::min(operation.read_from.bytes(), operation.write_to.bytes()));
    operation.bytes = numbers_.header + operation.data_bytes;
    operation.pace = &numbers_.get;
  } else {
    *operation.old_value = operation.width == 0 ? operation.target->perform(operation.request)
                                                : perform_on_word(operation.word, operation.width, operation.request);
    operation.bytes = numbers_.header + word_bytes;
    operation.other->changed(operation.message);
  }
  const FixedStep& step = operation.kind == Kind::get ? numbers_.service : numbers_.performed;
  const Time now = engine_.now();
  const Time begin = later_of(now, operation.other->memory_is_free_);
  const Time end = begin + step.cost;
  operation.other->memory_is_free_ = end;
  if (Recorder* recorder = engine_.recorder()) {
    const int node = operation.other->node();
    if (begin > now) recorder->in_hardware(node, Step{&waits_for_memory, operation.message, now, begin});
    recorder->in_hardware(node, Step{&step.kind, operation.message, begin, end});
  }
  operation.is_answer = true;
  std::swap(operation.from, operation.to);
  if (end == now) return network_.submit(operation);
  engine_.at(end, EventKind::hardware, owner_, *this, request_of(operation));
}

void RemoteMemory::answered(Operation& operation) {
  if (operation.kind == Kind::get) scatter(operation.data, operation.data_bytes, operation.write_to);
  operation.done->done();
  free(operation);
}

}  // namespace hindcast
