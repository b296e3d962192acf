// What the threads of a process all read and write. Ranks that run ahead at one instant depend on nothing else of each
// other's, so this is what several cores would have to be given one each of, or share with care:
//
//  - The variables below, and those of the layers above. tests/project/process_wide.toml names them all, and a test
//    finds any other.
//  - The state of the operating system's thread that all simulated threads share: Registers saves what is a simulated
//    thread's own of it.
//  - The engine: its queue of events, its clock, its pool, and the counts of threads that run and live. An act is put
//    into the queue by the thread itself unless interruptions may move it.
//  - What the layers above make once for all ranks: a library's world with its pools and its free messages, the
//    standard output, the working directory.
//  - SimGrid, in every switch.
#pragma once

namespace hindcast {

class Thread;

namespace process_wide {

// The simulated thread that runs; null in a handler. One for each core.
extern Thread* running_thread;

// The Itanium ABI's caught exceptions and their count, of the operating system's thread. They are looked up once, as
// looking them up anew would be four calls a switch. One for each core.
struct CaughtExceptions {
  void* exceptions;
  void* count;
};
extern CaughtExceptions* caught_exceptions;

// By the operating system's thread that runs the simulated ones.
void find_caught_exceptions();

}  // namespace process_wide

}  // namespace hindcast
