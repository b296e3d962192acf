/* ranks: 1 2 3 5 8 13
 * The collectives against what their definition says, every root, in place, v-forms, operators that do not commute. */
#include "check.h"

#include <string.h>

enum { largest = 1500 };

static void bcast(int n, int* data) {
  for (int root = 0; root < world_size(); ++root) {
    if (world_rank() == root)
      fill(data, n, root, n);
    else
      memset(data, 0xff, sizeof(int) * largest);
    MPI_Bcast(data, n, MPI_INT, root, MPI_COMM_WORLD);
    check_elements(data, n, root, n);
  }
}

static void gather_scatter(int n, int* one, int* all) {
  const int rank = world_rank(), size = world_size();
  for (int root = 0; root < size; ++root) {
    for (int in_place = 0; in_place < 2; ++in_place) {
      fill(one, n, rank, root);
      if (rank == root) memset(all, 0xff, sizeof(int) * n * size);
      if (rank == root) fill(all + root * n, n, root, in_place ? root : 999);
      MPI_Gather(in_place && rank == root ? MPI_IN_PLACE : one, n, MPI_INT, all, n, MPI_INT, root, MPI_COMM_WORLD);
      for (int i = 0; i < size && rank == root; ++i) check_elements(all + i * n, n, i, root);

      for (int i = 0; i < size && rank == root; ++i) fill(all + i * n, n, i, 100 + root);
      memset(one, 0xff, sizeof(int) * largest);
      MPI_Scatter(all, n, MPI_INT, in_place && rank == root ? MPI_IN_PLACE : one, n, MPI_INT, root, MPI_COMM_WORLD);
      if (!(in_place && rank == root)) check_elements(one, n, rank, 100 + root);
    }
  }
}

/* Rank i's block has i % 4 elements; blocks lie in reverse, with gaps. */
static void v_forms(int* one, int* all) {
  const int rank = world_rank(), size = world_size();
  int counts[64], displacements[64], mine = rank % 4;
  for (int i = 0; i < size; ++i) {
    counts[i] = i % 4;
    displacements[i] = 5 * (size - 1 - i);
  }
  for (int root = 0; root < size; ++root) {
    fill(one, mine, rank, root);
    memset(all, 0xff, sizeof(int) * 5 * size);
    MPI_Gatherv(one, mine, MPI_INT, all, counts, displacements, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < size && rank == root; ++i) {
      check_elements(all + displacements[i], counts[i], i, root);
      CHECK_INT(all[displacements[i] + counts[i]], -1);
    }
    memset(one, 0xff, sizeof(int) * 8);
    MPI_Scatterv(all, counts, displacements, MPI_INT, one, mine, MPI_INT, root, MPI_COMM_WORLD);
    check_elements(one, mine, rank, root);
    CHECK_INT(one[mine], -1);
  }
  memset(all, 0xff, sizeof(int) * 5 * size);
  fill(one, mine, rank, 7);
  MPI_Allgatherv(one, mine, MPI_INT, all, counts, displacements, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) {
    check_elements(all + displacements[i], counts[i], i, 7);
    CHECK_INT(all[displacements[i] + counts[i]], -1);
  }
}

static void allgather(int n, int* one, int* all) {
  const int rank = world_rank(), size = world_size();
  for (int in_place = 0; in_place < 2; ++in_place) {
    memset(all, 0xff, sizeof(int) * n * size);
    fill(in_place ? all + rank * n : one, n, rank, n);
    MPI_Allgather(in_place ? MPI_IN_PLACE : one, n, MPI_INT, all, n, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) check_elements(all + i * n, n, i, n);
  }
}

static void alltoall(int n, int* out, int* in) {
  const int rank = world_rank(), size = world_size();
  for (int in_place = 0; in_place < 2; ++in_place) {
    memset(in, 0xff, sizeof(int) * n * size);
    for (int i = 0; i < size; ++i) fill((in_place ? in : out) + i * n, n, rank, i);
    MPI_Alltoall(in_place ? MPI_IN_PLACE : out, n, MPI_INT, in, n, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) check_elements(in + i * n, n, i, rank);
  }
}

/* Rank i sends (i + j) % 3 elements to rank j. */
static void alltoallv(int* out, int* in) {
  const int rank = world_rank(), size = world_size();
  int counts[64], displacements[64];
  memset(in, 0xff, sizeof(int) * 4 * size);
  for (int i = 0; i < size; ++i) {
    counts[i] = (rank + i) % 3;
    displacements[i] = 4 * i;
    fill(out + 4 * i, counts[i], rank, i);
  }
  MPI_Alltoallv(out, counts, displacements, MPI_INT, in, counts, displacements, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) {
    check_elements(in + 4 * i, counts[i], i, rank);
    CHECK_INT(in[4 * i + counts[i]], -1);
  }
}

static void reduce(int n, int* one, int* result) {
  const int rank = world_rank(), size = world_size();
  for (int root = 0; root < size; ++root) {
    for (int in_place = 0; in_place < 2; ++in_place) {
      const int here = in_place && rank == root;
      fill(here ? result : one, n, rank, n);
      MPI_Reduce(here ? MPI_IN_PLACE : one, result, n, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
      for (int i = 0; i < n && rank == root; ++i)
        CHECK_INT(result[i], size * element(0, n, i) + 1000003 * (size * (size - 1) / 2));
    }
  }
  for (int in_place = 0; in_place < 2; ++in_place) {
    fill(in_place ? result : one, n, rank, n);
    MPI_Allreduce(in_place ? MPI_IN_PLACE : one, result, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    check_elements(result, n, size - 1, n);
  }
}

/* x -> a x + b, as (a, b), modulo a prime: composition, in the order of ranks, does not commute. */
static void compose(void* in, void* inout, int* len, MPI_Datatype* type) {
  const int modulus = 10007;
  const int* f = in;
  int* g = inout;
  CHECK(*type == MPI_INT && *len % 2 == 0);
  for (int i = 0; i < *len; i += 2) { /* first f, then g */
    g[i + 1] = (g[i] * f[i + 1] + g[i + 1]) % modulus;
    g[i] = g[i] * f[i] % modulus;
  }
}

static void in_order(void) {
  const int rank = world_rank(), size = world_size();
  int mine[4], result[4], expected[4] = {1, 0, 1, 0}, len = 4, commutes;
  MPI_Datatype type = MPI_INT;
  MPI_Op op;
  MPI_Op_create(compose, 0, &op);
  MPI_Op_commutative(op, &commutes);
  CHECK_INT(commutes, 0);
  for (int i = 0; i < size; ++i) {
    const int f[4] = {i + 2, 3 * i + 1, 5 * i + 3, i + 7};
    memcpy(result, f, sizeof f);
    compose(expected, result, &len, &type);
    memcpy(expected, result, sizeof f);
    if (i == rank) memcpy(mine, f, sizeof f);
  }
  for (int root = 0; root < size; ++root) {
    memset(result, 0, sizeof result);
    MPI_Reduce(mine, result, 4, MPI_INT, op, root, MPI_COMM_WORLD);
    if (rank == root) CHECK(memcmp(result, expected, sizeof expected) == 0);
  }
  memset(result, 0, sizeof result);
  MPI_Allreduce(mine, result, 4, MPI_INT, op, MPI_COMM_WORLD);
  CHECK(memcmp(result, expected, sizeof expected) == 0);
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL);
}

static void locations(void) {
  struct {
    double value;
    int index;
  } mine, most, least;
  const int rank = world_rank(), size = world_size();
  mine.value = (rank * 7) % 5;
  mine.index = rank;
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  int first_most = 0, first_least = 0;
  for (int i = 1; i < size; ++i) {
    if (i * 7 % 5 > first_most * 7 % 5) first_most = i;
    if (i * 7 % 5 < first_least * 7 % 5) first_least = i;
  }
  CHECK_INT(most.index, first_most);
  CHECK_INT(most.value, first_most * 7 % 5);
  CHECK_INT(least.index, first_least);
}

/* Nobody leaves a barrier before the last has come. */
static void barrier(void) {
  const int rank = world_rank(), size = world_size();
  int token = 0;
  double entered = 0, left;
  for (int last = 0; last < size; ++last) {
    if (rank == last)
      for (int i = 0; i < 20; ++i)
        MPI_Sendrecv(&token, 1, MPI_INT, rank, 0, &token, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    entered = MPI_Wtime();
    MPI_Barrier(MPI_COMM_WORLD);
    left = MPI_Wtime();
    MPI_Bcast(&entered, 1, MPI_DOUBLE, last, MPI_COMM_WORLD);
    CHECK(left >= entered);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int counts[] = {0, 1, 3, largest};
  int* a = malloc(sizeof(int) * largest * 64);
  int* b = malloc(sizeof(int) * largest * 64);
  for (int i = 0; i < 4; ++i) {
    bcast(counts[i], a);
    gather_scatter(counts[i], a, b);
    allgather(counts[i], a, b);
    alltoall(counts[i], a, b);
    reduce(counts[i], a, b);
  }
  v_forms(a, b);
  alltoallv(a, b);
  in_order();
  locations();
  barrier();
  free(a);
  free(b);
  return finish();
}
