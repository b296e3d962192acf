#include "mpi_impl/libraries/cray/native/pe.hpp"

#include <algorithm>
#include <cassert>

#include "mpi_impl/libraries/cray/native/pe_waits.hpp"

namespace hindcast::shmem {

Pe::Pe(System& system, Rank& rank, int node)
    : system_(system),
      rank_(rank),
      memory_port_(system.memory_port(node)),
      unit_(node, system.remote_memory().numbers().registers) {
  assert(rank.id == system.known_pes());
  attach(rank, *this);
  system.add(*this);
}

Pe::~Pe() { detach(rank_, *this); }

void Pe::changed(MessageId message) {
  for (PeWaiter* waiter = waiters_; waiter != nullptr; waiter = waiter->next()) waiter->wake_if_it_holds(message);
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

void Pe::put(const char* call, int pe, const Strided& there, const Strided& here, DoneSink* written) {
  begin_put(pe, there, here, written);
  if (std::min(here.bytes(), there.bytes()) > Bytes()) PutsWait(*this, PutsWait::Kind::fit_in_registers, call).wait();
}

// The data leaves while the processor still loads it: the transfer begins with the first word.
void Pe::begin_put(int pe, const Strided& there, const Strided& here, DoneSink* written, Bytes moved_max) {
  const Bytes bytes = std::min(here.bytes(), there.bytes());
  if (bytes == Bytes()) return Thread::current()->spend(costs().put);
  Thread& thread = *Thread::current();
  const MessageId message = next_message();
  thread.spend(costs().put, message);
  spend_elements(here, there, message);
  spend_odd_bytes(here, there, message);
  auto& operation =
      system_.remote_memory().new_put(unit_, system_.pe(pe).unit_, here, there, message, nullptr, written, moved_max);
  thread.act(system_.remote_memory(), RemoteMemory::request_of(operation), bytes);
  thread.spend(costs().load, bytes.count(), message);
}

void Pe::get(const char* call, int pe, const Strided& here, const Strided& there) {
  PeAnswer answer(call, pe, next_message());
  begin_get(answer, here, there);
  answer.wait();
}

void Pe::begin_get(PeAnswer& answer, const Strided& here, const Strided& there, bool stays_as_it_is) {
  Thread& thread = *Thread::current();
  thread.spend(costs().get, answer.message());
  if (std::min(here.bytes(), there.bytes()) == Bytes()) return answer.is_not_needed();
  spend_elements(here, there, answer.message());
  spend_odd_bytes(here, there, answer.message());
  auto& operation = system_.remote_memory().new_get(unit_, system_.pe(answer.pe()).unit_, here, there, answer.message(),
                                                    answer, stays_as_it_is);
  answer.is_of(operation);
  thread.act(system_.remote_memory(), RemoteMemory::request_of(operation));
}

std::uint64_t Pe::atomic(const char* call, int pe, void* word, int bytes, const AtomicRequest& request) {
  PeAnswer answer(call, pe, next_message());
  Thread::current()->spend(costs().atomic, answer.message());
  auto& operation = system_.remote_memory().new_atomic(unit_, system_.pe(pe).unit_, word, bytes, request,
                                                       answer.message(), answer.value(), answer);
  Thread::current()->act(system_.remote_memory(), RemoteMemory::request_of(operation));
  answer.wait();
  return answer.value();
}

void Pe::begin_atomic(PeAnswer& answer, AtomicTarget& target, const AtomicRequest& request) {
  Thread::current()->spend(costs().atomic, answer.message());
  auto& operation = system_.remote_memory().new_atomic(unit_, system_.pe(answer.pe()).unit_, target, request,
                                                       answer.message(), answer.value(), answer);
  Thread::current()->act(system_.remote_memory(), RemoteMemory::request_of(operation));
}

void Pe::copy(const RatedStep& step, Bytes bytes, MessageId message) {
  Thread& thread = *Thread::current();
  if (memory_port_ == nullptr) return thread.spend(step, bytes.count(), message);
  memory_port_->move(thread, step.kind, step.rate, bytes, message);
}

Errand Pe::copies(const RatedStep& step, Bytes bytes, MessageId message) {
  return moves_through(memory_port_, step.kind, step.rate, bytes, message);
}

void Pe::quiet(const char* call) {
  Thread::current()->spend(costs().quiet);
  PutsWait(*this, PutsWait::Kind::are_written, call).wait();
}

Errand Pe::puts_written(const char* call) {
  PutsWait in_registers(*this, PutsWait::Kind::fit_in_registers, call);
  while (!in_registers.is_over()) co_await woken(in_registers);
  Thread::current()->spend(costs().quiet);
  PutsWait written(*this, PutsWait::Kind::are_written, call);
  while (!written.is_over()) co_await woken(written);
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
  PeWaiter waiter(*this, thread, condition);
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
