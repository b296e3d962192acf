/* Sockets, whose other ends may be other ranks', and the hosts that they are on. */
#include <sys/socket.h>

#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptors.h"
#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY int accept4(int socket, struct sockaddr* address, socklen_t* length, int flags) {
  if (!await_readable("accept", socket)) return -1;
  return (int)syscall(SYS_accept4, socket, address, length, flags);
}
OWN_COPY int accept(int socket, struct sockaddr* address, socklen_t* length) {
  return accept4(socket, address, length, 0);
}

OWN_COPY int connect(int socket, const struct sockaddr* address, socklen_t length) {
  hindcast_rank_settle();
  return (int)changed(syscall(SYS_connect, socket, address, length));
}

static int await_message(const char* call, int socket, int flags) {
  return (flags & MSG_DONTWAIT) != 0 || await_readable(call, socket);
}

OWN_COPY ssize_t recvfrom(int socket, void* restrict data, size_t bytes, int flags, struct sockaddr* restrict address,
                          socklen_t* restrict length) {
  const int all = (flags & MSG_WAITALL) != 0 && (flags & MSG_DONTWAIT) == 0;
  size_t received = 0;
  do {
    ssize_t part = -1;
    if (await_message("recv", socket, flags))
      part = changed(syscall(SYS_recvfrom, socket, (char*)data + received, bytes - received, flags & ~MSG_WAITALL,
                             address, length));
    if (part <= 0) return received > 0 ? (ssize_t)received : part;
    received += (size_t)part;
  } while (all && received < bytes);
  return (ssize_t)received;
}
OWN_COPY ssize_t recv(int socket, void* data, size_t bytes, int flags) {
  return recvfrom(socket, data, bytes, flags, NULL, NULL);
}
OWN_COPY ssize_t recvmsg(int socket, struct msghdr* message, int flags) {
  return await_message("recvmsg", socket, flags) ? changed(syscall(SYS_recvmsg, socket, message, flags)) : -1;
}

OWN_COPY ssize_t sendto(int socket, const void* data, size_t bytes, int flags, const struct sockaddr* address,
                        socklen_t length) {
  return hindcast_rank_send(socket, data, bytes, flags, address, length);
}
OWN_COPY ssize_t send(int socket, const void* data, size_t bytes, int flags) {
  return sendto(socket, data, bytes, flags, NULL, 0);
}
OWN_COPY ssize_t sendmsg(int socket, const struct msghdr* message, int flags) {
  hindcast_rank_settle();
  if ((flags & MSG_DONTWAIT) == 0 && !await_writable("sendmsg", socket)) return -1;
  const ssize_t sent = changed(syscall(SYS_sendmsg, socket, message, flags | MSG_NOSIGNAL));
  if (sent < 0 && errno == EPIPE && (flags & MSG_NOSIGNAL) == 0) { /* the system's would end all ranks */
    raise(SIGPIPE);
    errno = EPIPE;
  }
  return sent;
}

OWN_COPY int shutdown(int socket, int how) {
  hindcast_rank_settle();
  return (int)changed(syscall(SYS_shutdown, socket, how));
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
OFFER(shutdown);
OFFER(getaddrinfo);
OFFER(gethostbyname);
