/* ranks: 1 2
 * needs: processes that start others
 * Threads that start processes of their own at once, and threads that meet others at a port each. */
#define _XOPEN_SOURCE 700
#include <pthread.h>

#include "check.h"

enum { threads = 3, rounds = 3 };

static char* program;
static char ports[threads][MPI_MAX_PORT_NAME];

static void at_once(void* (*function)(void*)) {
  pthread_t made[threads];
  for (long i = 0; i < threads; ++i) CHECK_INT(pthread_create(&made[i], NULL, function, (void*)i), 0);
  for (int i = 0; i < threads; ++i) CHECK_INT(pthread_join(made[i], NULL), 0);
}

static int be_child(MPI_Comm parent) {
  int value;
  MPI_Recv(&value, 1, MPI_INT, 0, 0, parent, MPI_STATUS_IGNORE);
  ++value;
  MPI_Send(&value, 1, MPI_INT, 0, 0, parent);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}

static void* spawns(void* number) {
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm children;
    int value = (int)(long)number, answer = -1;
    MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, 0, children);
    MPI_Recv(&answer, 1, MPI_INT, 0, 0, children, MPI_STATUS_IGNORE);
    CHECK_INT(answer, value + 1);
    MPI_Comm_disconnect(&children);
  }
  return NULL;
}

static void* meets(void* number) {
  const char* port = ports[(long)number];
  int mine = world_rank(), other = -1;
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm both;
    if (mine == 0)
      MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both);
    else
      MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &both);
    MPI_Sendrecv(&mine, 1, MPI_INT, 0, 0, &other, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE);
    CHECK_INT(other, 1 - mine);
    MPI_Comm_disconnect(&both);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided;
  MPI_Comm parent;
  program = argv[0];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK_INT(provided, MPI_THREAD_MULTIPLE);
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) return be_child(parent);
  at_once(spawns);
  for (int i = 0; i < threads; ++i) {
    if (world_rank() == 0) MPI_Open_port(MPI_INFO_NULL, ports[i]);
    MPI_Bcast(ports[i], MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  if (world_size() > 1) at_once(meets);
  for (int i = 0; i < threads && world_rank() == 0; ++i) MPI_Close_port(ports[i]);
  return finish();
}
