// PVM's messages there and back between rank 0 and the last one: half of the time of a round.
//   pvm_pingpong pack|data BYTES [direct|daemon]
#include <pvm3.h>

#include "together.h"

enum { BYTES_MAX = 1 << 20, ROUNDS = 20, TAG = 1 };
static char data[BYTES_MAX];

static void send_packed(int to, int bytes) {
  pvm_initsend(PvmDataRaw);
  pvm_pkbyte(data, bytes, 1);
  pvm_send(to, TAG);
}
static void receive_packed(int from, int bytes) {
  pvm_recv(from, TAG);
  pvm_upkbyte(data, bytes, 1);
}
static void send_data(int to, int bytes) { pvm_psend(to, TAG, data, bytes, PVM_BYTE); }
static void receive_data(int from, int bytes) { pvm_precv(from, TAG, data, bytes, PVM_BYTE, NULL, NULL, NULL); }

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc < 3) fail("pvm_pingpong pack|data BYTES [direct|daemon]");
  const int packs = strcmp(argv[1], "pack") == 0, bytes = atoi(argv[2]), last = ranks - 1;
  int first_and_last[2] = {pvm_mytid(), pvm_mytid()};
  MPI_Bcast(&first_and_last[0], 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&first_and_last[1], 1, MPI_INT, last, MPI_COMM_WORLD);
  if (argc > 3) pvm_setopt(PvmRoute, strcmp(argv[3], "daemon") == 0 ? PvmDontRoute : PvmRouteDirect);
  void (*const send)(int, int) = packs ? send_packed : send_data;
  void (*const receive)(int, int) = packs ? receive_packed : receive_data;
  begin_together();
  const double before = MPI_Wtime(), begun = MPI_Wtime();
  for (int round = 0; round < ROUNDS; ++round) {
    if (rank == 0) {
      memset(data, round + 1, bytes);
      send(first_and_last[1], bytes);
      memset(data, 0, bytes);
      receive(first_and_last[1], bytes);
      if (bytes > 0 && data[bytes - 1] != round + 1) fail("another message came back");
    } else if (rank == last) {
      receive(first_and_last[0], bytes);
      send(first_and_last[0], bytes);
    }
  }
  const double time_us = (MPI_Wtime() - begun - (begun - before)) / (2 * ROUNDS) * 1e6;
  if (rank == 0) printf("bytes,time_us,rate_mib\n%d,%.6f,%.6f\n", bytes, time_us, bytes / time_us * 1e6 / (1 << 20));
  pvm_exit();
  MPI_Finalize();
  return 0;
}
