// A row of cells, each the mean of its neighbours in the next step, dealt out in blocks. The rims go to the neighbours
// in three ways: by messages, by puts between fences, and by loads from memory that the ranks of a node share, with
// messages between nodes.   halo_ways [CELLS [STEPS]]
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { first_rim, last_rim, rims };

static int rank, size, cells, steps, left, right;
static double seconds;  // of the steps

static double initial(int cell) { return cell % 7 + 0.25 * (cell % 3); }

static double* begin(void) {
  double* now = malloc(sizeof(double) * (size_t)(cells + 2));
  for (int i = 0; i < cells; ++i) now[i + 1] = initial(rank * cells + i);
  return now;
}

static void update(double* now) {
  double before = now[0];
  for (int i = 1; i <= cells; ++i) {
    const double here = now[i];
    now[i] = (before + here + now[i + 1]) / 3;
    before = here;
  }
  hindcast_compute_flops(3.0 * cells);
}

static double sum_of(double* now) {
  double mine = 0, all;
  for (int i = 1; i <= cells; ++i) mine += now[i] * (1 + (rank * cells + i) % 5);
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  free(now);
  return all;
}

static double by_messages(void) {
  double* now = begin();
  MPI_Barrier(MPI_COMM_WORLD);
  seconds = -MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    MPI_Sendrecv(&now[1], 1, MPI_DOUBLE, left, 0, &now[cells + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&now[cells], 1, MPI_DOUBLE, right, 1, &now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    update(now);
  }
  seconds += MPI_Wtime();
  return sum_of(now);
}

// Two sets of rims in turn, so that one fence a step is enough.
static double by_puts(void) {
  double* now = begin();
  double* received;
  MPI_Win win;
  MPI_Win_allocate(2 * rims * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &received, &win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Barrier(MPI_COMM_WORLD);
  seconds = -MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    const int set = step % 2 * rims;
    MPI_Put(&now[1], 1, MPI_DOUBLE, left, set + last_rim, 1, MPI_DOUBLE, win);
    MPI_Put(&now[cells], 1, MPI_DOUBLE, right, set + first_rim, 1, MPI_DOUBLE, win);
    MPI_Win_fence(step == steps - 1 ? MPI_MODE_NOSUCCEED : 0, win);
    now[0] = received[set + first_rim];
    now[cells + 1] = received[set + last_rim];
    update(now);
  }
  seconds += MPI_Wtime();
  MPI_Win_free(&win);
  return sum_of(now);
}

// What a neighbour on the same node has published is loaded from there; the others are sent messages.
static double by_sharing(void) {
  double* now = begin();
  MPI_Comm node;
  MPI_Group on_node, world;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_group(node, &on_node);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int beside[rims] = {left, right};
  int there[rims];
  MPI_Group_translate_ranks(world, rims, beside, on_node, there);
  double *mine, *theirs[rims];
  MPI_Win win;
  MPI_Win_allocate_shared(2 * rims * sizeof(double), sizeof(double), MPI_INFO_NULL, node, &mine, &win);
  for (int rim = 0; rim < rims; ++rim) {
    MPI_Aint bytes;
    int unit;
    if (there[rim] != MPI_UNDEFINED) MPI_Win_shared_query(win, there[rim], &bytes, &unit, &theirs[rim]);
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  MPI_Barrier(MPI_COMM_WORLD);
  seconds = -MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    const int set = step % 2 * rims;
    const int from_left = there[first_rim] == MPI_UNDEFINED, from_right = there[last_rim] == MPI_UNDEFINED;
    mine[set + first_rim] = now[1];
    mine[set + last_rim] = now[cells];
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (from_left) {
      MPI_Irecv(&now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(&mine[set + first_rim], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[1]);
    } else {
      now[0] = theirs[first_rim][set + last_rim];
    }
    if (from_right) {
      MPI_Irecv(&now[cells + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
      MPI_Isend(&mine[set + last_rim], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
    } else {
      now[cells + 1] = theirs[last_rim][set + first_rim];
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    update(now);
  }
  seconds += MPI_Wtime();
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Group_free(&on_node);
  MPI_Group_free(&world);
  MPI_Comm_free(&node);
  return sum_of(now);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  cells = (argc > 1 ? atoi(argv[1]) : 1024) / size;
  steps = argc > 2 ? atoi(argv[2]) : 100;
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  double (*const ways[])(void) = {by_messages, by_puts, by_sharing};
  const char* const names[] = {"messages", "puts and fences", "shared memory"};
  double expected = 0;
  int wrong = 0;
  for (int way = 0; way < 3; ++way) {
    const double sum = ways[way]();
    if (way == 0) expected = sum;
    wrong |= sum != expected;
    if (rank == 0)
      printf("%s: %s, %.3f us a step\n", names[way], sum == expected ? "right" : "wrong", 1e6 * seconds / steps);
  }
  MPI_Finalize();
  return wrong;
}
