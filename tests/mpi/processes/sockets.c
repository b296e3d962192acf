/* ranks: 2
 * Ranks that find each other by TCP: one listens on its host and waits there, the other comes late; more bytes than a
 * socket holds go to and fro, then the two make a communicator of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { large = 8 << 20 };

static void compute_for(double seconds) {
  const double until = MPI_Wtime() + seconds;
  while (MPI_Wtime() < until) usleep(10);
}

/* Its port goes by a message, and its host's name too. */
static int listen_and_accept(double wait) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_ANY)}};
  socklen_t length = sizeof address;
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(bind(listening, (struct sockaddr*)&address, sizeof address) == 0);
  CHECK(listen(listening, 1) == 0);
  CHECK(getsockname(listening, (struct sockaddr*)&address, &length) == 0);
  int port = ntohs(address.sin_port);
  char host[256];
  CHECK(gethostname(host, sizeof host) == 0);
  MPI_Send(&port, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Send(host, sizeof host, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  const double began = MPI_Wtime();
  const int accepted = accept(listening, NULL, NULL);
  CHECK(accepted >= 0);
  CHECK(MPI_Wtime() - began > 0.9 * wait);
  CHECK(MPI_Wtime() - began < wait + 0.1);
  close(listening);
  return accepted;
}

static int look_up_and_connect(int by_new_name, double late) {
  int port;
  char host[256], service[16];
  MPI_Recv(&port, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(host, sizeof host, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const int connecting = socket(AF_INET, SOCK_STREAM, 0);
  compute_for(late);
  if (by_new_name) {
    const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo* found;
    snprintf(service, sizeof service, "%d", port);
    CHECK_INT(getaddrinfo(host, service, &hints, &found), 0);
    CHECK(connect(connecting, found->ai_addr, found->ai_addrlen) == 0);
    freeaddrinfo(found);
  } else {
    const struct hostent* found = gethostbyname(host);
    CHECK(found != NULL && found->h_addrtype == AF_INET);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    memcpy(&address.sin_addr, found->h_addr_list[0], sizeof address.sin_addr);
    CHECK(connect(connecting, (struct sockaddr*)&address, sizeof address) == 0);
  }
  return connecting;
}

static void push(int end, const char* data, int by_write) {
  if (by_write)
    CHECK_INT(write(end, data, large), large);
  else
    CHECK_INT(send(end, data, large, 0), large);
}

static void pull(int end, char* data, int by_read) {
  ssize_t got = 0;
  while (by_read && got < large) {
    const ssize_t part = read(end, data + got, (size_t)(large - got));
    CHECK(part > 0);
    got += part;
  }
  if (!by_read) CHECK_INT(recv(end, data, large, MSG_WAITALL), large);
  for (int i = 0; i < large; i += 4093) CHECK_INT(data[i], i % 101);
}

static void to_and_fro(int end, int old_calls) {
  char* const data = malloc(large);
  if (world_rank() == 0) {
    for (int i = 0; i < large; ++i) data[i] = (char)(i % 101);
    push(end, data, old_calls);
    memset(data, 0, large);
    pull(end, data, old_calls);
  } else {
    pull(end, data, old_calls);
    push(end, data, old_calls);
  }
  free(data);
}

/* Nothing comes for a while; then something does. */
static void wait_with_a_limit(int end, int by_poll) {
  if (world_rank() == 1) {
    compute_for(3e-3);
    CHECK_INT(send(end, "x", 1, 0), 1);
    return;
  }
  for (int looks = 0; looks < 2; ++looks) {
    const double began = MPI_Wtime();
    int ready;
    fd_set ends;
    FD_ZERO(&ends);
    FD_SET(end, &ends);
    struct timeval limit = {0, looks == 0 ? 1000 : 1000000};
    struct pollfd one = {.fd = end, .events = POLLIN};
    ready = by_poll ? poll(&one, 1, looks == 0 ? 1 : 1000) : select(end + 1, &ends, NULL, NULL, &limit);
    CHECK_INT(ready, looks);
    if (!by_poll) CHECK_INT(FD_ISSET(end, &ends) != 0, looks);
    CHECK(MPI_Wtime() - began > (looks == 0 ? 0.9e-3 : 1e-4));
    CHECK(MPI_Wtime() - began < 0.1);
  }
  char got;
  CHECK_INT(recv(end, &got, 1, MSG_DONTWAIT), 1);
  CHECK_INT(recv(end, &got, 1, MSG_DONTWAIT), -1);
}

/* A socket that is not waited for says that it is full, whoever is at its other end. */
static void fill_without_waiting(int by_write) {
  static char block[1 << 16];
  int ends[2], calls = 0;
  ssize_t taken;
  CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  CHECK_INT(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
  do {
    taken = by_write ? write(ends[0], block, sizeof block) : send(ends[0], block, sizeof block, 0);
  } while (taken > 0 && ++calls < 1000);
  CHECK(taken == -1 && errno == EAGAIN);
  close(ends[0]);
  close(ends[1]);
}

static void join(int end) {
  MPI_Comm both;
  CHECK_INT(MPI_Comm_join(end, &both), MPI_SUCCESS);
  int mine = world_rank(), theirs = -1;
  MPI_Sendrecv(&mine, 1, MPI_INT, 0, 0, &theirs, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
  CHECK_INT(theirs, 1 - world_rank());
  MPI_Comm_disconnect(&both);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int way = 0; way < 2; ++way) {
    const double late = 2e-3;
    MPI_Barrier(MPI_COMM_WORLD);
    const int end = world_rank() == 0 ? listen_and_accept(late) : look_up_and_connect(way, late);
    to_and_fro(end, way);
    MPI_Barrier(MPI_COMM_WORLD);
    wait_with_a_limit(end, way);
    fill_without_waiting(way);
    MPI_Barrier(MPI_COMM_WORLD);
    join(end);
    close(end);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) puts("ok"); /* the system decides how many looks at a full socket it takes */
  MPI_Finalize();
  return 0;
}
