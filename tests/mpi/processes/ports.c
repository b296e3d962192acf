/* ranks: 2 4 5
 * Ports, services and sockets, by which groups find each other that talk through nothing else: even ranks accept, odd
 * ones connect, and the roots are not the first ranks. */
#include "check.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static MPI_Comm half;
static int accepts, root;

static void expect_both(MPI_Comm both) {
  int size, remote, is_inter, mine = world_rank(), sum = -1, expected = 0;
  MPI_Comm_test_inter(both, &is_inter);
  CHECK(is_inter);
  MPI_Comm_size(both, &size);
  MPI_Comm_remote_size(both, &remote);
  CHECK_INT(size + remote, world_size());
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, both);
  for (int r = 0; r < world_size(); ++r)
    if (r % 2 != world_rank() % 2) expected += r;
  CHECK_INT(sum, expected);
}

static MPI_Comm meet(const char* port) {
  MPI_Comm both = MPI_COMM_NULL;
  if (accepts)
    CHECK_INT(MPI_Comm_accept(port, MPI_INFO_NULL, root, half, &both), MPI_SUCCESS);
  else
    CHECK_INT(MPI_Comm_connect(port, MPI_INFO_NULL, root, half, &both), MPI_SUCCESS);
  return both;
}

/* The name goes by a message, and everybody has it. */
static void by_port(void) {
  char port[MPI_MAX_PORT_NAME] = "";
  if (world_rank() == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int round = 0; round < 3; ++round) {
    MPI_Comm both = meet(port);
    expect_both(both);
    MPI_Comm_disconnect(&both);
    CHECK(both == MPI_COMM_NULL);
  }
  if (world_rank() == 0) MPI_Close_port(port);
}

/* The name is published, and only roots look it up. */
static void by_service(void) {
  char port[MPI_MAX_PORT_NAME] = "";
  int is_root, rank;
  MPI_Comm_rank(half, &rank);
  is_root = rank == root;
  if (accepts && is_root) {
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("a service", MPI_INFO_NULL, port);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (!accepts && is_root) MPI_Lookup_name("a service", MPI_INFO_NULL, port);
  MPI_Comm both = meet(port);
  expect_both(both);
  MPI_Comm_disconnect(&both);
  if (accepts && is_root) {
    MPI_Unpublish_name("a service", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
}

/* Several wait at one port, and are met in the order in which they came. */
static void several_at_a_port(void) {
  char port[MPI_MAX_PORT_NAME] = "";
  int number = world_rank();
  if (world_rank() == 0) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (world_rank() == 0) {
    int seen = 0;
    for (int other = 1; other < world_size(); ++other) {
      MPI_Comm both;
      MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both);
      MPI_Recv(&number, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
      seen += number;
      MPI_Comm_disconnect(&both);
    }
    CHECK_INT(seen, world_size() * (world_size() - 1) / 2);
    MPI_Close_port(port);
  } else {
    MPI_Comm both;
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both);
    MPI_Send(&number, 1, MPI_INT, 0, 0, both);
    MPI_Comm_disconnect(&both);
  }
}

/* Whoever looks for a name until it is there lets time go on. */
static void looks_until_it_is_there(void) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm both;
  int looks = 0;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) {
    const double start = MPI_Wtime();
    while (MPI_Wtime() < start + 100e-6) {
    }
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Publish_name("late", MPI_INFO_NULL, port);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both);
    MPI_Unpublish_name("late", MPI_INFO_NULL, port);
    MPI_Close_port(port);
  }
  if (world_rank() == 1) {
    for (; MPI_Lookup_name("late", MPI_INFO_NULL, port) != MPI_SUCCESS; ++looks) {
    }
    CHECK(looks > 0);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both);
    MPI_Comm_disconnect(&both);
  } else if (world_rank() == 0) {
    MPI_Comm_disconnect(&both);
  }
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* The one who comes later is waited for, whichever that is. */
static void by_socket(int who_is_late) {
  int ends[2];
  if (world_rank() > 1) return;
  if (world_rank() == 0) {
    CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    MPI_Send(ends, 2, MPI_INT, 1, 3, MPI_COMM_WORLD);
  } else {
    MPI_Recv(ends, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Comm both;
  int number = world_rank(), other = -1;
  const double start = MPI_Wtime();
  while (world_rank() == who_is_late && MPI_Wtime() < start + 300e-6) {
  }
  CHECK_INT(MPI_Comm_join(ends[world_rank()], &both), MPI_SUCCESS);
  MPI_Sendrecv(&number, 1, MPI_INT, 0, 0, &other, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
  CHECK_INT(other, 1 - number);
  MPI_Comm_disconnect(&both);
  close(ends[world_rank()]);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(MPI_Comm_join(-1, &both), MPI_ERR_ARG);
}

/* Who knows a port's name before it is open may wait for it, as long as the info key says. */
static void opened_late(void) {
  MPI_Comm both;
  MPI_Info info;
  char port[MPI_MAX_PORT_NAME] = "", first[MPI_MAX_PORT_NAME] = "";
  if (world_rank() > 1) return;
  if (world_rank() == 0) {
    /* Names are numbered. */
    MPI_Open_port(MPI_INFO_NULL, first);
    MPI_Close_port(first);
    const size_t digits = strcspn(first, "0123456789");
    snprintf(port, sizeof port, "%.*s%d", (int)digits, first, atoi(first + digits) + 1);
    MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 4, MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    while (MPI_Wtime() < start + 300e-6) {
    }
    MPI_Open_port(MPI_INFO_NULL, first);
    CHECK_INT(strcmp(first, port), 0);
    CHECK_INT(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both), MPI_SUCCESS);
    MPI_Close_port(port);
  } else {
    MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Info_create(&info);
    MPI_Info_set(info, "timeout", "1");
    CHECK_INT(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &both), MPI_SUCCESS);
    MPI_Info_free(&info);
  }
  MPI_Comm_disconnect(&both);
}

static void none(void) {
  char port[MPI_MAX_PORT_NAME];
  MPI_Comm both;
  MPI_Info info;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  FAILS(MPI_Comm_connect("no such port", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &both), MPI_ERR_PORT);
  FAILS(MPI_Comm_accept("no such port", MPI_INFO_NULL, world_size() - 1, MPI_COMM_WORLD, &both), MPI_ERR_PORT);
  FAILS(MPI_Comm_accept("no such port", MPI_INFO_NULL, -1, MPI_COMM_WORLD, &both), MPI_ERR_ROOT);
  FAILS(MPI_Close_port("no such port"), MPI_ERR_PORT);
  FAILS(MPI_Lookup_name("no such service", MPI_INFO_NULL, port), MPI_ERR_NAME);
  FAILS(MPI_Unpublish_name("no such service", MPI_INFO_NULL, "no such port"), MPI_ERR_SERVICE);
  FAILS(MPI_Open_port(MPI_INFO_NULL, NULL), MPI_ERR_ARG);
  char long_name[2 * MPI_MAX_PORT_NAME];
  memset(long_name, 'x', sizeof long_name);
  long_name[MPI_MAX_PORT_NAME] = '\0';
  FAILS(MPI_Publish_name("long", MPI_INFO_NULL, long_name), MPI_ERR_ARG);
  if (world_rank() > 0) return;
  MPI_Open_port(MPI_INFO_NULL, port);
  FAILS(MPI_Publish_name("twice", MPI_INFO_NULL, port), MPI_SUCCESS);
  FAILS(MPI_Publish_name("twice", MPI_INFO_NULL, port), MPI_ERR_SERVICE);
  MPI_Unpublish_name("twice", MPI_INFO_NULL, port);
  MPI_Info_create(&info);
  MPI_Info_set(info, "timeout", "0.25");
  const double start = MPI_Wtime();
  FAILS(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &both), MPI_ERR_PORT);
  CHECK(MPI_Wtime() - start >= 0.25 && MPI_Wtime() - start < 0.26);
  const double later = MPI_Wtime();
  FAILS(MPI_Comm_connect("no such port", info, 0, MPI_COMM_SELF, &both), MPI_ERR_PORT);
  CHECK(MPI_Wtime() - later >= 0.25 && MPI_Wtime() - later < 0.26);
  FAILS(MPI_Close_port("no such port"), MPI_ERR_PORT);
  MPI_Info_set(info, "timeout", "soon");
  FAILS(MPI_Comm_connect(port, info, 0, MPI_COMM_SELF, &both), MPI_ERR_INFO_VALUE);
  MPI_Info_free(&info);
  MPI_Close_port(port);
}

int main(int argc, char** argv) {
  int size;
  MPI_Init(&argc, &argv);
  accepts = world_rank() % 2 == 0;
  MPI_Comm_split(MPI_COMM_WORLD, accepts, 0, &half);
  MPI_Comm_size(half, &size);
  root = size - 1;
  by_port();
  by_service();
  several_at_a_port();
  by_socket(0);
  by_socket(1);
  looks_until_it_is_there();
  opened_late();
  none();
  MPI_Comm_free(&half);
  return finish();
}
