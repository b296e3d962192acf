// A farm of tasks with rank 0 as the master, which does nothing but hand out: on the AP1000 it is the host (--host),
// and every cell works. A task is an interval, whose primes a worker counts by trial division; whoever is done gets the
// next one. At the end the workers' own tallies are gathered. The master counts all primes by a sieve and compares.
//   task_farm [NUMBERS]
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MASTER = 0, LENGTH = 500, TASK = 1, STOP = 2, DONE = 3 };

typedef struct {
  int tasks, primes;
} Tally;

static int count_primes(int begin, int end) {
  long divisions = 0;
  int primes = 0;
  for (int number = begin < 2 ? 2 : begin; number < end; ++number) {
    int divisor = 2;
    while (divisor * divisor <= number && number % divisor != 0) ++divisor;
    divisions += divisor - 1;
    primes += divisor * divisor > number;
  }
  hindcast_compute_flops((double)divisions);  // a division for a floating-point operation
  return primes;
}

static Tally work(int numbers) {
  Tally mine = {0, 0};
  MPI_Status status;
  for (int primes = 0;; MPI_Send(&primes, 1, MPI_INT, MASTER, DONE, MPI_COMM_WORLD)) {
    int begin;
    MPI_Recv(&begin, 1, MPI_INT, MASTER, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == STOP) return mine;
    primes = count_primes(begin, begin + LENGTH < numbers ? begin + LENGTH : numbers);
    ++mine.tasks;
    mine.primes += primes;
  }
}

// How many primes the workers have found.
static int hand_out(int workers, int numbers) {
  int begin = 0, found = 0, working = 0;
  for (int worker = 1; worker <= workers; ++worker) {
    const int has_task = begin < numbers;
    MPI_Send(&begin, 1, MPI_INT, worker, has_task ? TASK : STOP, MPI_COMM_WORLD);
    if (has_task) begin += LENGTH;
    working += has_task;
  }
  while (working > 0) {
    MPI_Status status;
    int primes;
    MPI_Recv(&primes, 1, MPI_INT, MPI_ANY_SOURCE, DONE, MPI_COMM_WORLD, &status);
    found += primes;
    const int has_task = begin < numbers;
    MPI_Send(&begin, 1, MPI_INT, status.MPI_SOURCE, has_task ? TASK : STOP, MPI_COMM_WORLD);
    if (has_task) begin += LENGTH;
    working -= !has_task;
  }
  return found;
}

static int sieve(int numbers) {
  char* composite = calloc(numbers + 1, 1);
  int primes = 0;
  for (int number = 2; number < numbers; ++number) {
    if (composite[number]) continue;
    ++primes;
    for (long multiple = 2L * number; multiple < numbers; multiple += number) composite[multiple] = 1;
  }
  free(composite);
  return primes;
}

static void report(int numbers, int found, const Tally* tallies, int ranks, double seconds) {
  int least = numbers, most = 0, sum = 0;
  for (int rank = 1; rank < ranks; ++rank) {
    least = tallies[rank].tasks < least ? tallies[rank].tasks : least;
    most = tallies[rank].tasks > most ? tallies[rank].tasks : most;
    sum += tallies[rank].primes;
  }
  printf("%d primes below %d, %s, %d to %d tasks a worker, %.3f ms\n", found, numbers,
         found == sieve(numbers) && sum == found ? "right" : "WRONG", least, most, seconds * 1e3);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, numbers = argc > 1 ? atoi(argv[1]) : 100000;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Tally mine = {0, 0}, *tallies = malloc(ranks * sizeof *tallies);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  int found = 0;
  if (rank == MASTER)
    found = hand_out(ranks - 1, numbers);
  else
    mine = work(numbers);
  MPI_Gather(&mine, 1, MPI_2INT, tallies, 1, MPI_2INT, MASTER, MPI_COMM_WORLD);
  if (rank == MASTER) report(numbers, found, tallies, ranks, MPI_Wtime() - start);
  free(tallies);
  MPI_Finalize();
  return 0;
}
