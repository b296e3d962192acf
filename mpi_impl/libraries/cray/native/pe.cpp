#include "mpi_impl/libraries/cray/native/pe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace hindcast::shmem {

// A thread that waits for a condition.
class Pe::Waiter {
 public:
  Waiter(Pe& pe, Thread& thread, const Condition& condition)
      : pe_(pe), thread_(thread), condition_(condition), next_(pe.waiters_) {
    pe.waiters_ = this;
    pe.unit_.tell(&pe);
  }
  ~Waiter() {
    Waiter** place = &pe_.waiters_;
    while (*place != this) place = &(*place)->next_;
    *place = next_;
    if (pe_.waiters_ == nullptr) pe_.unit_.tell(nullptr);
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  void wait() { thread_.wait(condition_); }
  void wake_if_it_holds(MessageId message) {
    if (condition_.holds()) thread_.wake(message);
  }
  Waiter* next() const { return next_; }

 private:
  Pe& pe_;
  Thread& thread_;
  const Condition& condition_;
  Waiter* next_;
};

// An answer from another PE, which the thread waits for.
class Pe::Answer final : public DoneSink, public Wait {
 public:
  Answer(const char* call, int pe, MessageId message)
      : call_(call), pe_(pe), message_(message), thread_(*Thread::current()) {}
  void wait() {
    while (!is_there_) thread_.wait(*this);
  }

 private:
  void done() override {
    is_there_ = true;
    thread_.wake(message_);
  }
  BlockedOn describe() const override { return {call_, fmt::format("for the answer of PE {}", pe_), {pe_}}; }

  const char* call_;
  int pe_;
  MessageId message_;
  Thread& thread_;
  bool is_there_ = false;
};

namespace {

// Of puts under way. What it waits for cannot be undone: it need not be looked at at the thread's own time.
class PutsCondition final : public Condition {
 public:
  enum class Kind : std::uint8_t { fit_in_registers, are_written };
  PutsCondition(OutgoingPuts& puts, Kind kind, const char* call) : puts_(puts), kind_(kind), call_(call) {}
  bool holds() const override {
    return kind_ == Kind::are_written ? puts_.are_written() : puts_.fits_since().has_value();
  }
  BlockedOn describe() const override {
    return {
        call_, kind_ == Kind::are_written ? "until all puts are written" : "until what was put has left the PE", {}};
  }

 private:
  OutgoingPuts& puts_;
  Kind kind_;
  const char* call_;
};

}  // namespace

Pe::Pe(System& system, Rank& rank, int node)
    : system_(system),
      rank_(rank),
      unit_(node, system.remote_memory().numbers().registers),
      memory_port_(system.memory_port(node)) {
  assert(rank.id == system.known_pes());
  attach(rank, *this);
  system.add(*this);
}

Pe::~Pe() { detach(rank_, *this); }

void Pe::changed(MessageId message) {
  for (Waiter* waiter = waiters_; waiter != nullptr; waiter = waiter->next()) waiter->wake_if_it_holds(message);
}

// What a call with a stride takes more; those next to each other are one.
void Pe::spend_elements(const Strided& here, const Strided& there, MessageId message) {
  const std::uint64_t items = std::max(here.items, there.items);
  if (items > 1)
    Thread::current()->spend(costs().element.kind, costs().element.cost * static_cast<std::int64_t>(items), message,
                             items);
}

// E-registers move words of 4 or 8 bytes. What does not lie on both sides as those do the processor has to put
// together.
std::uint64_t Pe::odd_bytes(const Strided& here, const Strided& there) {
  constexpr std::uint64_t word = 4;
  const auto place = [](const Strided& data) { return reinterpret_cast<std::uintptr_t>(data.first) % word; };
  const auto is_whole = [](const Strided& data) {
    return data.items <= 1 || (data.item_bytes % word == 0 && data.stride % static_cast<std::int64_t>(word) == 0);
  };
  const std::uint64_t bytes = std::min(here.bytes(), there.bytes()).count();
  if (place(here) != place(there) || !is_whole(here) || !is_whole(there)) return bytes;
  const std::uint64_t before = std::min((word - place(here)) % word, bytes);
  return before + (bytes - before) % word;
}

void Pe::spend_odd_bytes(const Strided& here, const Strided& there, MessageId message) {
  if (const std::uint64_t odd = odd_bytes(here, there); odd > 0) Thread::current()->spend(costs().odd, odd, message);
}

// The data leaves while the processor still loads it: the transfer begins with the first word.
void Pe::put(const char* call, int pe, const Strided& there, const Strided& here, Bytes moved_max) {
  const Bytes bytes = std::min(here.bytes(), there.bytes());
  if (bytes == Bytes()) return Thread::current()->spend(costs().put);
  Thread& thread = *Thread::current();
  const MessageId message = next_message();
  thread.spend(costs().put, message);
  spend_elements(here, there, message);
  spend_odd_bytes(here, there, message);
  auto& operation =
      system_.remote_memory().new_put(unit_, system_.pe(pe).unit_, here, there, message, nullptr, nullptr, moved_max);
  thread.act(system_.remote_memory(), RemoteMemory::request_of(operation), bytes);
  thread.spend(costs().load, bytes.count(), message);
  wait_until_loaded(call);
}

void Pe::wait_until_loaded(const char* call) {
  Thread& thread = *Thread::current();
  const PutsCondition fit(unit_.puts(), PutsCondition::Kind::fit_in_registers, call);
  std::optional<Time> since = unit_.puts().fits_since();
  if (!since) {
    Waiter waiter(*this, thread, fit);
    while (!(since = unit_.puts().fits_since())) waiter.wait();
  }
  thread.idle_until(*since, fit);
}

template <typename Start>
void Pe::wait_for_answer(const char* call, int pe, Start start) {
  const MessageId message = next_message();
  Answer answer(call, pe, message);
  start(message, answer);
  answer.wait();
}

void Pe::get(const char* call, int pe, const Strided& here, const Strided& there, bool stays_as_it_is) {
  Thread& thread = *Thread::current();
  if (std::min(here.bytes(), there.bytes()) == Bytes()) return thread.spend(costs().get);
  wait_for_answer(call, pe, [&](MessageId message, DoneSink& done) {
    thread.spend(costs().get, message);
    spend_elements(here, there, message);
    spend_odd_bytes(here, there, message);
    auto& operation =
        system_.remote_memory().new_get(unit_, system_.pe(pe).unit_, here, there, message, done, stays_as_it_is);
    thread.act(system_.remote_memory(), RemoteMemory::request_of(operation));
  });
}

std::uint64_t Pe::atomic(const char* call, int pe, void* word, int bytes, const AtomicRequest& request) {
  std::uint64_t old_value = 0;
  wait_for_answer(call, pe, [&](MessageId message, DoneSink& done) {
    Thread::current()->spend(costs().atomic, message);
    auto& operation =
        system_.remote_memory().new_atomic(unit_, system_.pe(pe).unit_, word, bytes, request, message, old_value, done);
    Thread::current()->act(system_.remote_memory(), RemoteMemory::request_of(operation));
  });
  return old_value;
}

std::uint64_t Pe::atomic(const char* call, int pe, AtomicTarget& target, const AtomicRequest& request) {
  std::uint64_t old_value = 0;
  wait_for_answer(call, pe, [&](MessageId message, DoneSink& done) {
    Thread::current()->spend(costs().atomic, message);
    auto& operation =
        system_.remote_memory().new_atomic(unit_, system_.pe(pe).unit_, target, request, message, old_value, done);
    Thread::current()->act(system_.remote_memory(), RemoteMemory::request_of(operation));
  });
  return old_value;
}

void Pe::copy(const RatedStep& step, Bytes bytes, MessageId message) {
  Thread& thread = *Thread::current();
  if (memory_port_ == nullptr) return thread.spend(step, bytes.count(), message);
  memory_port_->move(thread, step.kind, step.rate, bytes, message);
}

void Pe::quiet(const char* call) {
  Thread& thread = *Thread::current();
  thread.spend(costs().quiet);
  const PutsCondition are_written(unit_.puts(), PutsCondition::Kind::are_written, call);
  if (!are_written.holds()) {
    Waiter waiter(*this, thread, are_written);
    while (!are_written.holds()) waiter.wait();
  }
  thread.idle_until(unit_.puts().acknowledged(), are_written);
}

void Pe::fence(const char* call) {
  if (costs().fence_waits) return quiet(call);
  Thread::current()->spend(costs().fence);
}

// What a thread that has just been woken sees is what there is at its time, a picosecond later: a write takes longer.
bool Pe::sees_its_time(const Thread& thread) {
  const Engine& engine = system_.engine();
  return thread.clock() == engine.now() + Time::ps(1) && engine.is_instant_over();
}

// The look that sees it is paid for. That it holds may change until the thread's time has come; that it does not may as
// well, but then a handler says so.
void Pe::wait_for(const Condition& condition) {
  Thread& thread = *Thread::current();
  Waiter waiter(*this, thread, condition);
  for (;; waiter.wait()) {
    if (!condition.holds()) continue;
    if (sees_its_time(thread)) break;
    thread.settle(&condition);
    if (condition.holds()) break;
  }
  thread.spend(costs().poll);
}

void Pe::barrier(const char* call) {
  Thread::current()->spend(costs().barrier);
  system_.barrier().pass(number(), call);
}

void Pe::begin_barrier(Completion& over) {
  assert(can_poll_barrier());
  Thread::current()->spend(costs().barrier);
  system_.barrier().begin(number(), over);
}

}  // namespace hindcast::shmem
