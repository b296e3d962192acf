// A master hands out tasks to workers over an intercommunicator: whoever asks gets the next one, so the division
// follows how long the tasks take. A task is to count the steps of Collatz's rule from a number down to 1; the master
// then works out all answers alone and compares.   workers [TASKS]
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ask = 1, answer = 2, task = 3, stop = 4 };

typedef struct {
  int number, steps;
} Result;

static int collatz(int number) {
  int steps = 0;
  for (long value = number; value != 1; ++steps) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  return steps;
}

// Ranks are those of the workers' group here, and of the master's there.
static void work(MPI_Comm master) {
  MPI_Status status;
  Result result;
  MPI_Send(NULL, 0, MPI_2INT, 0, ask, master);
  for (;;) {
    MPI_Recv(&result.number, 1, MPI_INT, 0, MPI_ANY_TAG, master, &status);
    if (status.MPI_TAG == stop) return;
    result.steps = collatz(result.number);
    hindcast_compute_flops(100.0 * result.steps);  // a long task takes long
    MPI_Send(&result, 1, MPI_2INT, 0, answer, master);
  }
}

// How many answers are right.
static int hand_out(MPI_Comm workers, int tasks, int* most) {
  int count, given = 0, right = 0;
  MPI_Comm_remote_size(workers, &count);
  int* done = calloc(count, sizeof(int));
  for (int working = count; working > 0;) {
    MPI_Status status;
    Result result;
    MPI_Recv(&result, 1, MPI_2INT, MPI_ANY_SOURCE, MPI_ANY_TAG, workers, &status);
    if (status.MPI_TAG == answer) {
      right += result.steps == collatz(result.number);
      if (++done[status.MPI_SOURCE] > *most) *most = done[status.MPI_SOURCE];
    }
    const int number = ++given;
    working -= number > tasks;
    MPI_Send(&number, 1, MPI_INT, status.MPI_SOURCE, number > tasks ? stop : task, workers);
  }
  free(done);
  return right;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int tasks = argc > 1 ? atoi(argv[1]) : 200;
  int rank, size, right = tasks, most = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    fprintf(stderr, "workers: a master and at least one worker are needed\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Comm mine, others;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &mine);
  MPI_Intercomm_create(mine, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 0, &others);
  const double begin = MPI_Wtime();
  if (rank > 0)
    work(others);
  else
    right = hand_out(others, tasks, &most);
  if (rank == 0)
    printf("%d tasks among %d workers, at most %d to one: %s, after %.3f us\n", tasks, size - 1, most,
           right == tasks ? "right" : "WRONG", (MPI_Wtime() - begin) * 1e6);
  MPI_Comm_free(&others);
  MPI_Comm_free(&mine);
  MPI_Finalize();
  return right != tasks;
}
