// PVM's operations of several tasks, until the last of them is done.
//   pvm_group mcast|bcast|reduce|barrier|join BYTES...
#include <pvm3.h>

#include "together.h"

enum { BYTES_MAX = 1 << 20, RANKS_MAX = 1024, TAG = 1 };
static char data[BYTES_MAX];
static int tids[RANKS_MAX];
static char group[] = "all";

// What the root sends is packed before, and stays where it is.
static void pack_in_place(int bytes) {
  pvm_initsend(PvmDataInPlace);
  pvm_pkbyte(data, bytes, 1);
}
static void receive(int bytes) {
  pvm_recv(tids[0], TAG);
  pvm_upkbyte(data, bytes, 1);
}
static void mcast(int bytes) {
  if (rank == 0)
    pvm_mcast(tids, ranks, TAG);
  else
    receive(bytes);
}
static void bcast(int bytes) {
  if (rank == 0)
    pvm_bcast(group, TAG);
  else
    receive(bytes);
}
static void reduce(int bytes) { pvm_reduce(PvmSum, data, bytes / (int)sizeof(double), PVM_DOUBLE, TAG, group, 0); }
static void barrier(int bytes) {
  (void)bytes;
  pvm_barrier(group, ranks);
}
static void join(int bytes) {
  static char others[] = "other a";
  (void)bytes;
  pvm_joingroup(others);
  ++others[6];
}

static void tell(const char* which, int argc, char** argv) {
  void (*const operation)(int) = strcmp(which, "mcast") == 0    ? mcast
                                 : strcmp(which, "bcast") == 0  ? bcast
                                 : strcmp(which, "reduce") == 0 ? reduce
                                 : strcmp(which, "join") == 0   ? join
                                                                : barrier;
  if (rank == 0) printf("ranks,bytes,time_us\n");
  for (int i = 2; i < argc; ++i) {
    const int bytes = atoi(argv[i]);
    pack_in_place(bytes);
    const double time_us = time_together_us(operation, bytes);
    if (rank == 0) printf("%d,%d,%.6f\n", ranks, bytes, time_us);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc < 3) fail("pvm_group mcast|bcast|reduce|barrier|join BYTES...");
  const int tid = pvm_mytid();
  MPI_Allgather(&tid, 1, MPI_INT, tids, 1, MPI_INT, MPI_COMM_WORLD);
  // One after the other, so that instances are ranks.
  for (int i = 0; i < ranks; ++i) {
    if (rank == i && pvm_joingroup(group) != rank) fail("another has joined");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  memset(data, 1, 100);
  pack_in_place(100);
  if (rank != 0) memset(data, 0, 100);
  mcast(100);
  if (data[99] != 1) fail("a broadcast brought something else");
  memset(data, 0, sizeof data);
  tell(argv[1], argc, argv);
  pvm_exit();
  MPI_Finalize();
  return 0;
}
