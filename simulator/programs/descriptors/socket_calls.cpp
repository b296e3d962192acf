// Sockets, whose other ends may be other ranks', and the hosts that they are on.
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>

#include "simulator/programs/descriptors/own_descriptors.hpp"
#include "simulator/programs/libc/own_calls.hpp"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace {

// Whether it is ready now, or the program does not wait for it; else errno says what has ended the wait.
bool await_socket(const char* call, int socket, short events) {
  const bool is_waited_for = (fcntl(hindcast_rank_descriptor(socket), F_GETFL) & O_NONBLOCK) == 0;
  pollfd one{socket, events, 0};
  const hindcast_descriptor_wait wait{call, &one, 1, is_waited_for ? -1 : 0, nullptr, true};
  return hindcast_rank_await(&wait) >= 0;
}

bool await_message(const char* call, int socket, int flags) {
  return (flags & MSG_DONTWAIT) != 0 || await_socket(call, socket, POLLIN);
}

// What the system's call has given, which has changed what a descriptor is ready for.
ssize_t changed(ssize_t result) {
  if (result >= 0) hindcast_rank_has_changed_descriptor();
  return result;
}

}  // namespace

extern "C" {

int hindcast_accept4(int socket, sockaddr* address, socklen_t* length, int flags) {
  if (!await_socket("accept", socket, POLLIN)) return -1;
  return accept4(hindcast_rank_descriptor(socket), address, length, flags);
}
int hindcast_accept(int socket, sockaddr* address, socklen_t* length) {
  return hindcast_accept4(socket, address, length, 0);
}

int hindcast_connect(int socket, const sockaddr* address, socklen_t length) {
  hindcast_rank_settle();
  return static_cast<int>(changed(connect(hindcast_rank_descriptor(socket), address, length)));
}

ssize_t hindcast_recvfrom(int socket, void* data, size_t bytes, int flags, sockaddr* address, socklen_t* length) {
  const int own = hindcast_rank_descriptor(socket);
  const bool all = (flags & MSG_WAITALL) != 0 && (flags & MSG_DONTWAIT) == 0;
  size_t received = 0;
  do {
    ssize_t part = -1;
    if (await_message("recv", socket, flags))
      part = changed(
          recvfrom(own, static_cast<char*>(data) + received, bytes - received, flags & ~MSG_WAITALL, address, length));
    if (part <= 0) return received > 0 ? static_cast<ssize_t>(received) : part;
    received += static_cast<size_t>(part);
  } while (all && received < bytes);
  return static_cast<ssize_t>(received);
}
ssize_t hindcast_recv(int socket, void* data, size_t bytes, int flags) {
  return hindcast_recvfrom(socket, data, bytes, flags, nullptr, nullptr);
}
ssize_t hindcast_recvmsg(int socket, msghdr* message, int flags) {
  if (!await_message("recvmsg", socket, flags)) return -1;
  return changed(recvmsg(hindcast_rank_descriptor(socket), message, flags));
}

ssize_t hindcast_sendto(int socket, const void* data, size_t bytes, int flags, const sockaddr* address,
                        socklen_t length) {
  return hindcast_rank_send(socket, data, bytes, flags, address, length);
}
ssize_t hindcast_send(int socket, const void* data, size_t bytes, int flags) {
  return hindcast_rank_send(socket, data, bytes, flags, nullptr, 0);
}
ssize_t hindcast_sendmsg(int socket, const msghdr* message, int flags) {
  hindcast_rank_settle();
  if ((flags & MSG_DONTWAIT) == 0 && !await_socket("sendmsg", socket, POLLOUT)) return -1;
  const ssize_t sent = changed(sendmsg(hindcast_rank_descriptor(socket), message, flags | MSG_NOSIGNAL));
  if (sent < 0 && errno == EPIPE && (flags & MSG_NOSIGNAL) == 0) {  // the system's would end all ranks
    hindcast_raise(SIGPIPE);
    errno = EPIPE;
  }
  return sent;
}

int hindcast_shutdown(int socket, int how) {
  hindcast_rank_settle();
  return static_cast<int>(changed(shutdown(hindcast_rank_descriptor(socket), how)));
}

int hindcast_getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** result) {
  return getaddrinfo(hindcast_rank_known_host(host), service, hints, result);
}

}  // extern "C"
