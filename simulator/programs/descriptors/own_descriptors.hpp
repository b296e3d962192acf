// Descriptors as a rank's program knows them, for calls of libc that have an answer here.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <csignal>
#include <cstdint>

extern "C" {

// What the program knows a file by that has been opened: it may have closed 0, 1 or 2.
int hindcast_rank_opened(int descriptor);
// The descriptor of this process behind one of the program's; -1 if that is closed.
int hindcast_rank_descriptor(int descriptor);

// Waits for descriptors of this computer, in simulated time.
struct hindcast_descriptor_wait {
  const char* call;  // who waits, for reports
  pollfd* files;
  unsigned long count;
  std::int64_t ns;       // at most; negative: as long as it takes
  const sigset_t* mask;  // of signals, meanwhile; null: the thread's own
  bool is_restarted;     // after a signal's handler with SA_RESTART
};
// As poll does.
int hindcast_rank_await(const hindcast_descriptor_wait* wait);
// What descriptors are ready for may have changed by what the rank has done.
void hindcast_rank_has_changed_descriptor();
// As sendto does, without waiting in the system.
ssize_t hindcast_rank_send(int socket, const void* data, size_t bytes, int flags, const sockaddr* address,
                           socklen_t length);

// The time passes that a look takes at what is this computer's, such as a socket.
void hindcast_rank_look();
// Lets everybody's clock come up to the rank's, for what it shares with others past the simulator.
void hindcast_rank_settle();
}
