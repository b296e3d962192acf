"""Collectives whose data is longer than CellOS's buffers: they are right, if slow."""

import pytest

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int rank, size, failures;
static void check(const char* what, long place, long found, long wanted) {
  if (found != wanted && failures++ < 3)
    printf("rank %d: %s[%ld] is %ld and not %ld\\n", rank, what, place, found, wanted);
}
static int value(long place, int of) { return (int)((place * 7 + of * 13) % 10007); }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const long n = atol(argv[2]), all = n * size;
  int* one = malloc(sizeof(int) * n);
  int* many = malloc(sizeof(int) * all);
  int* out = malloc(sizeof(int) * all);
  for (long i = 0; i < n; ++i) one[i] = value(i, rank);
  for (long i = 0; i < all; ++i) many[i] = value(i, rank);
#define IS(name) (strcmp(argv[1], name) == 0)
  if (IS("bcast")) {
    MPI_Bcast(one, (int)n, MPI_INT, 1, MPI_COMM_WORLD);
    for (long i = 0; i < n; ++i) check("bcast", i, one[i], value(i, 1));
  }
  if (IS("bcast in pieces")) { /* a column of every second element at the root, all in one piece elsewhere */
    MPI_Datatype column;
    MPI_Type_vector((int)n / 2, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0) MPI_Bcast(one, 1, column, 0, MPI_COMM_WORLD);
    else MPI_Bcast(out, (int)n / 2, MPI_INT, 0, MPI_COMM_WORLD);
    for (long i = 0; rank != 0 && i < n / 2; ++i) check("bcast", i, out[i], value(2 * i, 0));
    MPI_Type_free(&column);
  }
  if (IS("scatter")) {
    MPI_Scatter(many, (int)n, MPI_INT, out, (int)n, MPI_INT, 0, MPI_COMM_WORLD);
    for (long i = 0; i < n; ++i) check("scatter", i, out[i], value(rank * n + i, 0));
  }
  if (IS("gather")) {
    MPI_Gather(one, (int)n, MPI_INT, out, (int)n, MPI_INT, 0, MPI_COMM_WORLD);
    for (long i = 0; rank == 0 && i < all; ++i) check("gather", i, out[i], value(i % n, (int)(i / n)));
  }
  if (IS("allgather")) {
    MPI_Allgather(one, (int)n, MPI_INT, out, (int)n, MPI_INT, MPI_COMM_WORLD);
    for (long i = 0; i < all; ++i) check("allgather", i, out[i], value(i % n, (int)(i / n)));
  }
  if (IS("alltoall")) {
    MPI_Alltoall(many, (int)n, MPI_INT, out, (int)n, MPI_INT, MPI_COMM_WORLD);
    for (long i = 0; i < all; ++i) check("alltoall", i, out[i], value(rank * n + i % n, (int)(i / n)));
  }
  if (IS("scatterv")) { /* nothing for rank 1, and gaps between blocks */
    int counts[16], places[16];
    for (int of = 0; of < size; ++of) {
      counts[of] = of == 1 ? 0 : (int)n - of;
      places[of] = of * (int)n + of % 3;
    }
    MPI_Scatterv(many, counts, places, MPI_INT, out, counts[rank], MPI_INT, 0, MPI_COMM_WORLD);
    for (long i = 0; i < counts[rank]; ++i) check("scatterv", i, out[i], value(places[rank] + i, 0));
  }
  if (IS("alltoallv")) { /* the first rank has more than a message's length, the others less and less */
    int out_counts[16], in_counts[16], places[16];
    for (int of = 0; of < size; ++of) {
      out_counts[of] = (int)n / (1 + 3 * rank) - of;
      in_counts[of] = (int)n / (1 + 3 * of) - rank;
      places[of] = of * (int)n;
    }
    MPI_Alltoallv(many, out_counts, places, MPI_INT, out, in_counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int of = 0; of < size; ++of)
      for (long i = 0; i < in_counts[of]; ++i) check("alltoallv", i, out[of * n + i], value(rank * n + i, of));
  }
  if (IS("allreduce") || IS("reduce") || IS("scan")) {
    if (IS("reduce")) MPI_Reduce(one, out, (int)n, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (IS("allreduce")) MPI_Allreduce(one, out, (int)n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (IS("scan")) MPI_Scan(one, out, (int)n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    const int last = IS("scan") ? rank : size - 1;
    for (long i = 0; (rank == 0 || !IS("reduce")) && i < n; ++i) {
      int largest = 0;
      for (int of = 0; of <= last; ++of) largest = value(i, of) > largest ? value(i, of) : largest;
      check("reduce", i, out[i], largest);
    }
  }
  if (IS("reduce_scatter_block")) {
    MPI_Reduce_scatter_block(many, out, (int)n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (long i = 0; i < n; ++i) {
      long sum = 0;
      for (int of = 0; of < size; ++of) sum += value(rank * n + i, of);
      check("reduce_scatter_block", i, out[i], sum);
    }
  }
  if (IS("ibcast")) {
    MPI_Request request;
    MPI_Ibcast(one, (int)n, MPI_INT, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (long i = 0; i < n; ++i) check("ibcast", i, one[i], value(i, 1));
  }
  if (rank == size - 1) printf("%.9f\\n", MPI_Wtime());
  MPI_Finalize();
  return failures > 0;
}
"""

LONG = 1_500_000  # ints, of which a message has at most 1,048,572
CASES = [
    ("bcast", 5, LONG),
    ("bcast in pieces", 4, 2 * LONG),
    ("ibcast", 3, LONG),
    ("scatter", 4, 600_000),
    ("gather", 4, LONG),
    ("allgather", 4, 600_000),
    ("alltoall", 4, 600_000),
    ("scatterv", 5, 600_000),
    ("alltoallv", 4, 600_000),
    ("reduce", 5, LONG),
    ("allreduce", 5, LONG),
    ("scan", 4, LONG),
    ("reduce_scatter_block", 10, 100_000),
]


@pytest.mark.parametrize(("operation", "ranks", "count"), CASES, ids=[case[0] for case in CASES])
def test_a_collective_may_be_longer_than_the_buffers(run_program, operation, ranks, count):
    done = run_program(PROGRAM, ranks, operation, count, machine="ap1000", timeout=200)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1
    small = run_program(PROGRAM, ranks, operation, count // 1000, machine="ap1000")
    assert float(done.stdout) > float(small.stdout)


IN_LOCKSTEP = {"bcast": (3, LONG), "reduce_scatter_block": (10, 100_000), "alltoallv": (3, 600_000)}


@pytest.mark.parametrize("operation", IN_LOCKSTEP)
def test_it_takes_as_long_in_lockstep(run_program, operation):
    ranks, count = IN_LOCKSTEP[operation]
    ahead, lockstep = (
        run_program(PROGRAM, ranks, operation, count, machine="ap1000", launcher=mode, timeout=200)
        for mode in ([], ["--lockstep"])
    )
    assert ahead.returncode == 0, ahead.stderr
    assert ahead.stdout == lockstep.stdout


def test_a_message_of_the_programs_is_refused_as_before(run_program):
    program = """
#include <mpi.h>
static char data[4194289];
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, sizeof data, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(data, sizeof data, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""
    done = run_program(program, 2, machine="ap1000")
    assert done.returncode != 0
    assert "a message of 4194289 bytes; this machine's longest has 4194288" in done.stderr
