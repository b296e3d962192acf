/* Sockets, whose other ends may be other ranks', and the hosts that they are on. */
#include <sys/socket.h>

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptors.h"
#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY int accept4(int socket, struct sockaddr* address, socklen_t* length, int flags) {
  await_readable(socket);
  return (int)syscall(SYS_accept4, socket, address, length, flags);
}
OWN_COPY int accept(int socket, struct sockaddr* address, socklen_t* length) {
  return accept4(socket, address, length, 0);
}

OWN_COPY int connect(int socket, const struct sockaddr* address, socklen_t length) {
  hindcast_rank_settle_ns();
  return (int)syscall(SYS_connect, socket, address, length);
}

static void await_message(int socket, int flags) {
  if ((flags & MSG_DONTWAIT) == 0) await_readable(socket);
}

OWN_COPY ssize_t recvfrom(int socket, void* restrict data, size_t bytes, int flags, struct sockaddr* restrict address,
                          socklen_t* restrict length) {
  const int all = (flags & MSG_WAITALL) != 0 && (flags & MSG_DONTWAIT) == 0;
  size_t received = 0;
  do {
    await_message(socket, flags);
    const ssize_t part =
        syscall(SYS_recvfrom, socket, (char*)data + received, bytes - received, flags & ~MSG_WAITALL, address, length);
    if (part <= 0) return received > 0 ? (ssize_t)received : part;
    received += (size_t)part;
  } while (all && received < bytes);
  return (ssize_t)received;
}
OWN_COPY ssize_t recv(int socket, void* data, size_t bytes, int flags) {
  return recvfrom(socket, data, bytes, flags, NULL, NULL);
}
OWN_COPY ssize_t recvmsg(int socket, struct msghdr* message, int flags) {
  await_message(socket, flags);
  return syscall(SYS_recvmsg, socket, message, flags);
}

/* What is longer than the room goes on when there is more, unless the program does not wait for that. */
OWN_COPY ssize_t sendto(int socket, const void* data, size_t bytes, int flags, const struct sockaddr* address,
                        socklen_t length) {
  const int waits = (flags & MSG_DONTWAIT) == 0 && is_waited_for(socket);
  size_t sent = 0;
  hindcast_rank_settle_ns();
  do {
    if (waits) await_writable(socket);
    const ssize_t part =
        syscall(SYS_sendto, socket, (const char*)data + sent, bytes - sent, flags | MSG_DONTWAIT, address, length);
    if (part >= 0)
      sent += (size_t)part;
    else if (waits && errno == EAGAIN)
      hindcast_rank_look();
    else
      return sent > 0 ? (ssize_t)sent : part;
  } while (waits && sent < bytes);
  return (ssize_t)sent;
}
OWN_COPY ssize_t send(int socket, const void* data, size_t bytes, int flags) {
  return sendto(socket, data, bytes, flags, NULL, 0);
}
OWN_COPY ssize_t sendmsg(int socket, const struct msghdr* message, int flags) {
  hindcast_rank_settle_ns();
  if ((flags & MSG_DONTWAIT) == 0) await_writable(socket);
  return syscall(SYS_sendmsg, socket, message, flags);
}

OWN_COPY int getaddrinfo(const char* restrict host, const char* restrict service, const struct addrinfo* restrict hints,
                         struct addrinfo** restrict result) {
  return hindcast_rank_addresses(host, service, hints, result);
}

/* As libc has it, the next call overwrites the answer. */
OWN_COPY struct hostent* gethostbyname(const char* name) {
  enum { bytes = 1024 };
  static struct answer {
    struct hostent host;
    char names[bytes];
  } * answer;
  if (answer == NULL) answer = malloc(sizeof *answer);
  struct hostent* found = NULL;
  int error = 0;
  if (answer == NULL) return NULL;
  gethostbyname_r(hindcast_rank_known_host(name), &answer->host, answer->names, bytes, &found, &error);
  h_errno = error;
  return found;
}

OFFER(accept);
OFFER(accept4);
OFFER(connect);
OFFER(recv);
OFFER(recvfrom);
OFFER(recvmsg);
OFFER(send);
OFFER(sendto);
OFFER(sendmsg);
OFFER(getaddrinfo);
OFFER(gethostbyname);
