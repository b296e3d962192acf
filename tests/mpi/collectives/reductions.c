/* ranks: 1 2 3 5 8
 * Scans, reduce-scatter and a reduction on one rank, of operations that do not commute too; an all-to-all with types.
 */
#include "check.h"

#include <string.h>

enum { most = 8, length = 300 };

static int n, rank;

/* The operands' ranks in the order in which they were combined, as digits. */
static void append(void* in, void* inout, int* count, MPI_Datatype* type) {
  const long* first = in;
  long* second = inout;
  CHECK(*type == MPI_LONG);
  for (int i = 0; i < *count; ++i) {
    long scale = 1;
    while (scale <= second[i]) scale *= 10;
    second[i] += first[i] * scale;
  }
}

static long in_order(int first, int end) {
  long digits = 0;
  for (int r = first; r < end; ++r) digits = digits * 10 + r + 1;
  return digits;
}

static void ordered(void) {
  long mine[2], result[2], all[2 * most];
  int counts[most];
  MPI_Op op;
  MPI_Op_create(append, 0, &op);
  for (int in_place = 0; in_place < 2; ++in_place) {
    mine[0] = mine[1] = result[0] = result[1] = rank + 1;
    MPI_Scan(in_place ? MPI_IN_PLACE : mine, result, 2, MPI_LONG, op, MPI_COMM_WORLD);
    CHECK_INT(result[0], in_order(0, rank + 1));
    CHECK_INT(result[1], in_order(0, rank + 1));
    result[0] = result[1] = rank + 1;
    MPI_Exscan(in_place ? MPI_IN_PLACE : mine, result, 2, MPI_LONG, op, MPI_COMM_WORLD);
    if (rank > 0) CHECK_INT(result[1], in_order(0, rank));
    for (int i = 0; i < 2 * n; ++i) all[i] = rank + 1;
    MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : all, in_place ? all : result, 2, MPI_LONG, op, MPI_COMM_WORLD);
    CHECK_INT(in_place ? all[1] : result[1], in_order(0, n));
    int total = 0;
    for (int r = 0; r < n; ++r) total += counts[r] = r % 3;
    for (int i = 0; i < total; ++i) all[i] = rank + 1;
    MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : all, in_place ? all : result, counts, MPI_LONG, op, MPI_COMM_WORLD);
    for (int i = 0; i < counts[rank]; ++i) CHECK_INT(in_place ? all[i] : result[i], in_order(0, n));
  }
  mine[0] = 1;
  result[0] = 23;
  MPI_Reduce_local(mine, result, 1, MPI_LONG, op);
  CHECK_INT(result[0], 123);
  MPI_Reduce_local(mine, result, 0, MPI_LONG, op);
  CHECK_INT(result[0], 123);
  MPI_Op_free(&op);
}

/* With nothing to combine, null buffers are right. */
static void nothing(void) {
  const int counts[most] = {0};
  MPI_Scan(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter(NULL, NULL, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Alltoallv(NULL, counts, counts, MPI_INT, NULL, counts, counts, MPI_INT, MPI_COMM_WORLD);
}

/* Bytes to even ranks, ints to odd ones; pairs whose elements have a gap to itself. */
static void with_types(void) {
  struct {
    double value;
    int index;
  } out[most][2], in[most][2];
  int counts[most], places[most];
  MPI_Datatype out_types[most], in_types[most];
  for (int r = 0; r < n; ++r) {
    counts[r] = r == rank ? 2 : 8;
    places[r] = (int)(r * sizeof out[0]);
    out_types[r] = r == rank ? MPI_DOUBLE_INT : r % 2 == 0 ? MPI_BYTE : MPI_INT;
    in_types[r] = r == rank ? MPI_DOUBLE_INT : rank % 2 == 0 ? MPI_BYTE : MPI_INT;
    for (int i = 0; i < 2; ++i) {
      in[r][i].value = in[r][i].index = -1;
      out[r][i].value = rank + 0.5;
      out[r][i].index = r + i;
    }
  }
  MPI_Alltoallw(out, counts, places, out_types, in, counts, places, in_types, MPI_COMM_WORLD);
  for (int r = 0; r < n; ++r) {
    CHECK(in[r][0].value == r + 0.5);
    if (rank % 2 == 0 && r != rank) continue;
    CHECK_INT(in[r][1].index, rank + 1);
  }
}

/* To the next rank alone. Where there are no elements no type is needed, blocking, nonblocking or kept for later. */
static void with_types_for_one(void) {
  const int next = (rank + 1) % n, before = (rank + n - 1) % n, zero = 0;
  int out_counts[most] = {0}, in_counts[most] = {0}, places[most] = {0};
  MPI_Datatype out_types[most], in_types[most];
  MPI_Request requests[2];
  for (int r = 0; r < n; ++r) out_types[r] = in_types[r] = MPI_DATATYPE_NULL;
  out_counts[next] = in_counts[before] = 1;
  out_types[next] = in_types[before] = MPI_INT;
  int in[3] = {-1, -1, -1};
  MPI_Alltoallw(&rank, out_counts, places, out_types, &in[0], in_counts, places, in_types, MPI_COMM_WORLD);
  MPI_Ialltoallw(&rank, out_counts, places, out_types, &in[1], in_counts, places, in_types, MPI_COMM_WORLD,
                 &requests[0]);
  MPI_Alltoallw_init(&rank, out_counts, places, out_types, &in[2], in_counts, places, in_types, MPI_COMM_WORLD,
                     MPI_INFO_NULL, &requests[1]);
  MPI_Start(&requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[1]);
  for (int i = 0; i < 3; ++i) CHECK_INT(in[i], before);
  MPI_Comm ring;
  const MPI_Aint place = 0;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  const MPI_Datatype none = MPI_DATATYPE_NULL;
  MPI_Neighbor_alltoallw(&rank, &zero, &place, &none, in, &zero, &place, &none, ring);
  MPI_Comm_free(&ring);
}

/* A function of the program's may take it that its numbers are aligned as in the program's own memory. */
struct Aligned {
  int unused, number;
  double value;
};
static void add_aligned(void* in, void* inout, int* count, MPI_Datatype* type) {
  const struct Aligned* first = in;
  struct Aligned* second = inout;
  CHECK(*type != MPI_DATATYPE_NULL);
  CHECK_INT((size_t)first % sizeof(double), 0);
  CHECK_INT((size_t)second % sizeof(double), 0);
  for (int i = 0; i < *count; ++i) second[i].number += first[i].number, second[i].value += first[i].value;
}
static void aligned(void) {
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {4, 8};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
  struct Aligned mine[3], sums[3];
  MPI_Datatype bare, type;
  MPI_Op op;
  MPI_Type_create_struct(2, lengths, places, types, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct Aligned), &type);
  MPI_Type_commit(&type);
  MPI_Op_create(add_aligned, 1, &op);
  for (int i = 0; i < 3; ++i) mine[i] = (struct Aligned){0, rank + i, rank};
  MPI_Allreduce(mine, sums, 3, type, op, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) CHECK_INT(sums[i].number, n * (n - 1) / 2 + n * i);
  MPI_Reduce(mine, sums, 3, type, op, 0, MPI_COMM_WORLD);
  MPI_Scan(mine, sums, 3, type, op, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) CHECK_INT(sums[i].value, rank * (rank + 1) / 2);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  MPI_Type_free(&bare);
}

/* Sums of such numbers depend on the order, but all ranks have the same one; and what is sent stays as it is. */
static void same_on_all(void) {
  static double mine[length], kept[length], sums[length], of_first[length];
  MPI_Request request;
  for (int form = 0; form < 4; ++form)
    for (int m = 1; m <= length; m += length / 3) {
      for (int i = 0; i < m; ++i) {
        mine[i] = kept[i] = (rank * 7919 + i * 104729) % 1009 / 7.0 * (rank % 3 == i % 3 ? 1e12 : 1);
        sums[i] = mine[i];
      }
      if (form == 0) MPI_Allreduce(mine, sums, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      if (form == 1) MPI_Allreduce(MPI_IN_PLACE, sums, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      if (form == 2) MPI_Iallreduce(mine, sums, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
      if (form == 3) {
        MPI_Allreduce_init(mine, sums, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
      }
      if (form >= 2) MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (form == 3) MPI_Request_free(&request);
      memcpy(of_first, sums, sizeof sums);
      MPI_Bcast(of_first, m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
      CHECK(memcmp(of_first, sums, sizeof(double) * m) == 0);
      CHECK(memcmp(mine, kept, sizeof(double) * m) == 0);
    }
}

/* An operation is the program's until it is freed, and called with the datatype of the call. */
static MPI_Datatype told_type;
static int told_elements;
static void look(void* in, void* inout, int* count, MPI_Datatype* type) {
  told_type = *type;
  told_elements += *count;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] = ((int*)in)[i] - ((int*)inout)[i];
}
static void own_operations(void) {
  const int five = 5;
  int two = 2, commutes;
  MPI_Op op, old;
  MPI_Datatype copy;
  MPI_Op_create(look, 0, &op);
  MPI_Reduce_local(&five, &two, 1, MPI_INT, op);
  CHECK_INT(two, 3);
  CHECK(told_type == MPI_INT && told_elements == 1);
  MPI_Type_dup(MPI_INT, &copy);
  MPI_Reduce_local(&five, &two, 1, copy, op);
  CHECK_INT(two, 2);
  CHECK(told_type == copy && told_elements == 2);
  MPI_Type_free(&copy);
  MPI_Allreduce(&five, &two, 0, MPI_INT, op, MPI_COMM_WORLD);
  CHECK(told_elements == 2 && two == 2); /* of nothing */
  MPI_Op_commutative(op, &commutes);
  CHECK_INT(commutes, 0);
  old = op;
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(MPI_Reduce_local(&five, &two, 1, MPI_INT, old), MPI_ERR_OP);
  FAILS(MPI_Allreduce(&five, &two, 1, MPI_INT, old, MPI_COMM_WORLD), MPI_ERR_OP);
  FAILS(MPI_Op_free(&old), MPI_ERR_OP);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  n = world_size();
  rank = world_rank();
  ordered();
  nothing();
  with_types();
  with_types_for_one();
  aligned();
  same_on_all();
  own_operations();
  return finish();
}
