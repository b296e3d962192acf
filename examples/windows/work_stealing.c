// Tasks of uneven length, dealt out in equal numbers. Every rank takes its own from a counter by MPI_Fetch_and_op, and
// who has none left takes those of others from theirs.   work_stealing [TASKS [alone]]
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first ranks' tasks are the long ones.
static double operations_of(int task, int tasks) { return 200000.0 * (tasks - task) / tasks; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int each = (argc > 1 ? atoi(argv[1]) : 640) / size, tasks = each * size;
  const int steals = !(argc > 2 && strcmp(argv[2], "alone") == 0);
  long* next;
  MPI_Win counters;
  MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &next, &counters);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, MPI_MODE_NOCHECK, counters);  // so that others see what is stored
  *next = 0;
  MPI_Win_unlock(rank, counters);
  MPI_Barrier(MPI_COMM_WORLD);

  const double start = MPI_Wtime();
  const long one = 1;
  long mine[2] = {0, 0}, all[2];  // how many were done, and the sum of their numbers
  int stolen = 0, all_stolen, most_done;
  MPI_Win_lock_all(MPI_MODE_NOCHECK, counters);  // nobody locks them for himself
  for (int step = 0; step < (steals ? size : 1); ++step) {
    const int victim = (rank + step) % size;
    for (;;) {
      long place;
      MPI_Fetch_and_op(&one, &place, MPI_LONG, victim, 0, MPI_SUM, counters);
      MPI_Win_flush(victim, counters);
      if (place >= each) break;
      const int task = victim * each + (int)place;
      hindcast_compute_flops(operations_of(task, tasks));
      ++mine[0];
      mine[1] += task;
      stolen += step > 0;
    }
  }
  MPI_Win_unlock_all(counters);
  MPI_Barrier(MPI_COMM_WORLD);
  const double elapsed = MPI_Wtime() - start;

  MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&stolen, &all_stolen, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  const int done = (int)mine[0];
  MPI_Reduce(&done, &most_done, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  int wrong = 0;
  if (rank == 0) {
    wrong = all[0] != tasks || all[1] != (long)tasks * (tasks - 1) / 2;
    printf("%d tasks on %d ranks: %s, %.3f ms, %d stolen, at most %d by one rank\n", tasks, size,
           wrong ? "wrong" : "right", 1e3 * elapsed, all_stolen, most_done);
  }
  MPI_Win_free(&counters);
  MPI_Finalize();
  return wrong;
}
