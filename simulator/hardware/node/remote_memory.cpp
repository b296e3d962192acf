#include "simulator/hardware/node/remote_memory.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

namespace hindcast {

namespace {

const StepKind waits_for_far_memory{"wait for the memory at the other end", ""};

constexpr Bytes word_bytes(8);

const RatedStep* pace_of(const std::optional<RatedStep>& step) { return step ? &*step : nullptr; }

}  // namespace

// What an event has to do with an operation.
enum class RemoteMemory::Stage : std::uint8_t {
  leaves,   // for the other end, or with its answer
  asked,    // there, by a signal, for data
  served,   // there, by an agent
  is_over,  // a put whose acknowledgement has come back as a signal
};

// On its way there and, with an answer, on its way back.
struct RemoteMemory::Operation : Transfer {
  Kind kind = Kind::put;
  std::uint8_t width = 0;  // of an atomic operation's word; 0: it is a target
  bool is_answer = false;
  bool stays_as_it_is = false;  // what a get brings, until that is over
  Stage stage = Stage::leaves;
  RemoteMemoryUnit* caller = nullptr;
  RemoteMemoryUnit* other = nullptr;
  DoneSink* done = nullptr;
  DoneSink* is_written = nullptr;  // of a put
  std::uint64_t number = 0;        // of a put, among its caller's
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
                                               const Strided& there, MessageId message, DoneSink* done,
                                               DoneSink* written, Bytes moved_max) {
  Operation& put = new_operation(Kind::put, caller, other, message);
  put.read_from = here;
  put.write_to = there;
  if (there.offsets != nullptr) keep_offsets(put);
  const Bytes bytes = std::min(here.bytes(), there.bytes());
  take_data(put, std::min(bytes, moved_max));
  put.bytes = numbers_.header + bytes;
  put.pace = pace_of(numbers_.put);
  put.done = done;
  put.is_written = written;
  put.number = caller.puts().add(bytes);
  return put;
}

RemoteMemory::Operation& RemoteMemory::new_get(RemoteMemoryUnit& caller, RemoteMemoryUnit& other, const Strided& here,
                                               const Strided& there, MessageId message, DoneSink& done,
                                               bool stays_as_it_is) {
  Operation& get = new_operation(Kind::get, caller, other, message);
  get.read_from = there;
  get.write_to = here;
  get.done = &done;
  get.stays_as_it_is = stays_as_it_is && there.items == 1;
  return get;
}

void RemoteMemory::go_on_from(Operation& get, const void* there) {
  assert(get.stays_as_it_is);
  get.read_from.first = const_cast<void*>(there);
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

void RemoteMemory::fire(const Event& event) {
  auto& operation = *reinterpret_cast<Operation*>(event.data);
  if (operation.stage == Stage::leaves) {
    if (operation.kind == Kind::get && !operation.is_answer && numbers_.signal) return ask_by_signal(operation);
    return network_.submit(operation);
  }
  if (operation.stage == Stage::asked) return arrived(operation);
  if (operation.stage == Stage::served) {
    perform(operation);
    if (operation.kind != Kind::get) operation.other->changed(operation.message);
    return answer(operation);
  }
  operation.done->done();
  free(operation);
}

void RemoteMemory::fetch(const Event& event, FetchLevel level) const {
  const auto& operation = *reinterpret_cast<const Operation*>(event.data);
  if (level <= 1 && operation.stage == Stage::leaves) network_.fetch(operation, level);
}

// The operation's later lines, then whose it is, or, of an answer, who is told.
void RemoteMemory::fetch(const Transfer& transfer, FetchLevel level) const {
  const auto& operation = static_cast<const Operation&>(transfer);
  constexpr int lines = sizeof(Operation) / cache_line;
  if (level == 0) return fetch_lines(&operation, 1, lines);
  if (operation.is_answer) {
    if (operation.done == nullptr) return;
    if (level == 1) return fetch_lines(operation.done, 0, 1);
    return operation.done->fetch(level - 2);
  }
  if (level > 1) return;
  fetch_lines(operation.other, 0, 2);
  if (operation.kind == Kind::put) fetch_lines(operation.caller, 0, 2);
  if (operation.kind == Kind::atomic) fetch_lines(operation.word, 0, operation.width == 0 ? 3 : 1);
}

bool RemoteMemory::looks_at_entry(const Transfer& transfer) const {
  const auto& operation = static_cast<const Operation&>(transfer);
  return operation.kind == Kind::put && !operation.is_answer;
}

void RemoteMemory::entered(Transfer& transfer) {
  if (!looks_at_entry(transfer)) return;
  auto& operation = static_cast<Operation&>(transfer);
  operation.caller->puts().entered(operation.number, operation.since, operation.injected);
  operation.caller->changed(operation.message);
}

void RemoteMemory::arrived(Transfer& transfer) {
  auto& operation = static_cast<Operation&>(transfer);
  if (operation.is_answer) return answered(operation);
  if (operation.other->agent_ != nullptr) return operation.other->agent_->serve(*this, operation);
  if (operation.kind == Kind::put) return written(operation);
  perform(operation);
  if (operation.kind == Kind::atomic) operation.other->changed(operation.message);
  serve_by_hardware(operation);
}

void RemoteMemory::ask_by_signal(Operation& get) {
  const Time now = engine_.now();
  const Time asked = now + numbers_.signal->cost;
  if (Recorder* recorder = engine_.recorder())
    recorder->in_hardware(get.from, Step{&numbers_.signal->kind, get.message, now, asked});
  get.stage = Stage::asked;
  engine_.at(asked, EventKind::hardware, owner_, *this, request_of(get));
}

// By hardware, which sends a signal back.
void RemoteMemory::written(Operation& put) {
  perform(put);
  RemoteMemoryUnit& caller = *put.caller;
  const Time acknowledged = engine_.now() + way_back(put);
  caller.puts().written(acknowledged);
  put.other->changed(put.message);
  if (put.other != &caller) caller.changed(put.message);
  if (put.done == nullptr) return free(put);
  put.stage = Stage::is_over;
  engine_.at(acknowledged, EventKind::hardware, owner_, *this, request_of(put));
}

// A latency is asked of the network again when another node has acknowledged.
Time RemoteMemory::way_back(Operation& put) {
  const Time now = engine_.now();
  if (numbers_.signal) {
    if (Recorder* recorder = engine_.recorder())
      recorder->in_hardware(put.to, Step{&numbers_.signal->kind, put.message, now, now + numbers_.signal->cost});
    return numbers_.signal->cost;
  }
  RemoteMemoryUnit& caller = *put.caller;
  if (caller.acknowledged_by_ != put.to) {
    caller.acknowledged_by_ = put.to;
    caller.way_back_ = network_.latency(put.to, put.from);
  }
  return caller.way_back_;
}

void RemoteMemory::perform(Operation& operation) {
  switch (operation.kind) {
    case Kind::put:
      scatter(operation.data, operation.data_bytes, operation.write_to);
      if (operation.is_written != nullptr) operation.is_written->done();
      return;
    case Kind::get: {
      const Bytes bytes = std::min(operation.read_from.bytes(), operation.write_to.bytes());
      if (!operation.stays_as_it_is) return take_data(operation, bytes);
      operation.data_bytes = bytes;
      return;
    }
    case Kind::atomic:
      *operation.old_value = operation.width == 0 ? operation.target->perform(operation.request)
                                                  : perform_on_word(operation.word, operation.width, operation.request);
  }
}

// The memory is read, or the operation performed, at once; what it takes passes before the answer leaves.
void RemoteMemory::serve_by_hardware(Operation& operation) {
  const FixedStep& step = operation.kind == Kind::get ? numbers_.service : numbers_.performed;
  const Time now = engine_.now();
  const Time begin = later_of(now, operation.other->memory_is_free_);
  const Time end = begin + step.cost;
  operation.other->memory_is_free_ = end;
  if (Recorder* recorder = engine_.recorder()) {
    const int node = operation.other->node();
    if (begin > now) recorder->in_hardware(node, Step{&waits_for_far_memory, operation.message, now, begin});
    recorder->in_hardware(node, Step{&step.kind, operation.message, begin, end});
  }
  if (end == now) return answer(operation);
  prepare_answer(operation);
  engine_.at(end, EventKind::hardware, owner_, *this, request_of(operation));
}

void RemoteMemory::prepare_answer(Operation& operation) {
  const bool brings_data = operation.kind == Kind::get;
  operation.bytes = numbers_.header + (brings_data                      ? operation.data_bytes
                                       : operation.kind == Kind::atomic ? word_bytes
                                                                        : Bytes());
  operation.pace = brings_data ? pace_of(numbers_.get) : nullptr;
  operation.is_answer = true;
  operation.stage = Stage::leaves;
  std::swap(operation.from, operation.to);
}

void RemoteMemory::answer(Operation& operation) {
  prepare_answer(operation);
  network_.submit(operation);
}

void RemoteMemory::answered(Operation& operation) {
  if (operation.kind == Kind::get) {
    const auto* there = static_cast<const std::byte*>(operation.read_from.first);
    scatter(operation.stays_as_it_is ? there : operation.data, operation.data_bytes, operation.write_to);
  }
  if (operation.kind == Kind::put) {
    operation.caller->puts().written(engine_.now());
    operation.caller->changed(operation.message);
  }
  if (operation.done != nullptr) operation.done->done();
  free(operation);
}

// --- by agents ---

RemoteMemory::Kind RemoteMemory::kind_of(const Operation& operation) { return operation.kind; }
MessageId RemoteMemory::message_of(const Operation& operation) { return operation.message; }

void RemoteMemory::perform_at(Operation& operation, Time at) {
  operation.stage = Stage::served;
  engine_.at(at, EventKind::hardware, owner_, *this, request_of(operation));
}

void RemoteMemory::perform_by(Thread& thread, Operation& operation, Time at) {
  operation.stage = Stage::served;
  thread.insert_act(at, thread.reserve_act(), *this, request_of(operation));
}

}  // namespace hindcast
