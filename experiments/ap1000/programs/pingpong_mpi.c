// The paper's point-to-point benchmark, in MPI: rank 0 sends an array of doubles to a partner, which has it in its own
// buffer when MPI_Recv returns, and answers with a message of size 0. Rank 0 takes the time.
//   pingpong_mpi DOUBLES [PARTNER | FIRST-LAST]
// Of several partners each has its turn. Prints the time of a round, and of the send alone (until the sender may go
// on), both in microseconds.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10, THERE = 1, BACK = 2 };

static void answer_rounds(double* array, int doubles) {
  for (int i = 0; i < doubles; ++i) array[i] = -1;
  for (int round = 0; round < 1 + 2 * ROUNDS; ++round) {
    MPI_Recv(array, doubles, MPI_DOUBLE, 0, THERE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_DOUBLE, 0, BACK, MPI_COMM_WORLD);
  }
  for (int i = 0; i < doubles; ++i)
    if (array[i] != i) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void send_array(double* array, int doubles, int partner) {
  MPI_Send(array, doubles, MPI_DOUBLE, partner, THERE, MPI_COMM_WORLD);
}

static void await_answer(int partner) {
  MPI_Recv(NULL, 0, MPI_DOUBLE, partner, BACK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void time_rounds(double* array, int doubles, int partner) {
  for (int i = 0; i < doubles; ++i) array[i] = i;
  send_array(array, doubles, partner);  // so that the partner is there when the first round begins
  await_answer(partner);

  double in_rounds = 0, in_sends = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    const double start = MPI_Wtime();
    send_array(array, doubles, partner);
    await_answer(partner);
    in_rounds += MPI_Wtime() - start;
  }
  for (int round = 0; round < ROUNDS; ++round) {
    const double start = MPI_Wtime();
    send_array(array, doubles, partner);
    in_sends += MPI_Wtime() - start;
    await_answer(partner);
  }
  printf("%d,%d,%.6f,%.6f\n", doubles, partner, in_rounds / ROUNDS * 1e6, in_sends / ROUNDS * 1e6);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int doubles = argc > 1 ? atoi(argv[1]) : 0;
  int first = 1, last = 1;
  if (argc > 2 && sscanf(argv[2], "%d-%d", &first, &last) < 2) last = first;
  double* array = malloc((doubles + 1) * sizeof *array);
  if (rank == 0) printf("doubles,partner,time_us,send_us\n");
  for (int partner = first; partner <= last; ++partner) {
    if (rank == 0) time_rounds(array, doubles, partner);
    if (rank == partner) answer_rounds(array, doubles);
  }
  free(array);
  MPI_Finalize();
  return 0;
}
