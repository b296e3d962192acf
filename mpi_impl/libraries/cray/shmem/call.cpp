#include "mpi_impl/libraries/cray/shmem/call.hpp"

#include <fmt/format.h>

#include "simulator/programs/launcher.hpp"

namespace hindcast::shmem {

namespace {

Pe& calling_pe(const programs::LibraryCall& call) {
  programs::RunningProgram& program = call.program();
  Pe* pe = Pe::of(program.rank());
  if (pe == nullptr)
    program.launch().abort_run(1, fmt::format("rank {}: {}: this machine has no SHMEM (its messages.library is not "
                                              "'t3e'); run the program on one that has, such as -m t3e-900",
                                              program.rank().id, call.function()));
  if (const int pes = pe->system().pes(); pe->number() >= pes)
    program.launch().abort_run(
        1, fmt::format("rank {}: {}: SHMEM is for the {} PEs that the run began with, and this one was started later; "
                       "MPI reaches it",
                       program.rank().id, call.function(), pes));
  return *pe;
}

}  // namespace

Call::Call(const char* function) : call_(function), self_(calling_pe(call_)) {}

void Call::mark_sent(Bytes bytes, int pe) const {
  Thread::current()->mark(marks_of_messages.sent, self_.upcoming_message(), bytes.count(), pe);
}

void Call::mark_received(MessageId message, Bytes bytes) const {
  Thread::current()->mark(marks_of_messages.received, message, bytes.count(), sender_of(message));
}

void Call::refuse(const std::string& what) const {
  self_.system().end_run(1, fmt::format("rank {}: {}: {}", self_.rank().id, call_.function(), what));
}

void Call::refuse(Argument argument, const std::string& what) const {
  refuse(fmt::format("argument {} ({}) {}", argument.number, argument.name, what));
}

void Call::check_pe(int pe, Argument argument) const {
  if (pe < 0 || pe >= pes())
    refuse(argument, fmt::format("is {}, but there are PEs 0 to {}; give one of them", pe, pes() - 1));
}

void Call::check_length(const Elements& elements, Argument argument) const {
  // Also what was a negative number.
  constexpr std::size_t length_max = std::size_t{1} << 48;
  if (elements.length > length_max)
    refuse(argument, fmt::format("is {}; it must not be negative, and at most {}",
                                 static_cast<std::ptrdiff_t>(elements.length), length_max));
}

void Call::check_here(const void* memory, Argument argument) const {
  if (memory == nullptr) refuse(argument, "is a null pointer; give the address of the data");
}

void Call::check_symmetric(const volatile void* memory, Bytes bytes, Argument argument) const {
  there(me(), memory, bytes, argument);
}

void* Call::there(int pe, const volatile void* memory, Bytes bytes, Argument argument) const {
  System& system = self_.system();
  void* counterpart =
      system.symmetric_memory().counterpart(self_, const_cast<const void*>(memory), bytes, system.pe(pe));
  if (counterpart == nullptr)
    refuse(argument,
           fmt::format("is not symmetric: its {} bytes must all be of a global or static variable, or of the symmetric "
                       "heap (shmalloc)",
                       bytes.count()));
  return counterpart;
}

// By its place within a page, which is the same on all PEs, and wherever their memories have been put.
int Call::home_of(const volatile void* variable) const {
  constexpr std::uintptr_t page = 4096;
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(variable) % page / sizeof(long) %
                          static_cast<std::uintptr_t>(pes()));
}

}  // namespace hindcast::shmem
