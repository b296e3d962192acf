/* ranks: 2 3 5 9
 * Every collective over an intercommunicator, blocking and nonblocking: whole groups and single roots on either side,
 * groups of different sizes, blocks of different lengths and layouts, nothing at all, operations that do not commute;
 * and what is refused. */
#include "check.h"

#include <string.h>

enum { most = 9, length = 4, room = most * most * (length + 2) };

static MPI_Comm inter;
static int nonblocking, is_second, rank, size, others; /* my group, my rank in it, its size, the other's size */
static int in[room], out[room], expected[room];

#define CALL(name, iname, ...)               \
  do {                                       \
    if (nonblocking) {                       \
      MPI_Request request;                   \
      iname(__VA_ARGS__, inter, &request);   \
      MPI_Wait(&request, MPI_STATUS_IGNORE); \
    } else {                                 \
      name(__VA_ARGS__, inter);              \
    }                                        \
  } while (0)

/* The first third of the world, in reverse, and the others. */
static void make(void) {
  MPI_Comm half;
  is_second = world_rank() >= (world_size() + 2) / 3;
  MPI_Comm_split(MPI_COMM_WORLD, is_second, is_second ? 0 : -world_rank(), &half);
  MPI_Comm_rank(half, &rank);
  MPI_Comm_size(half, &size);
  others = world_size() - size;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_second ? (world_size() + 2) / 3 - 1 : (world_size() + 2) / 3, 1,
                       &inter);
  MPI_Comm_free(&half);
}

/* Who a rank of a group is, in payloads. */
static int name_of(int second, int r) { return second * 100 + r; }
static int me(void) { return name_of(is_second, rank); }
static int other(int r) { return name_of(!is_second, r); }

static void begin(void) {
  memset(in, 0xff, sizeof in);
  memset(expected, 0xff, sizeof expected);
}
static void check(void) {
  for (int i = 0; i < room; ++i) CHECK_INT(in[i], expected[i]);
}

/* What a rank says of the root, if it is in this group. */
static int root_for(int second, int root) {
  return is_second != second ? root : rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

static int v_counts[most], v_places[most];
static int v_count(int m, int r) { return m > 0 ? (m + r) % (m + 1) : 0; }
static void lay_out(int m) {
  for (int r = 0; r < others; ++r) v_counts[r] = v_count(m, r), v_places[r] = (others - 1 - r) * (length + 1);
}

static void rooted(int m, int second, int root) {
  const int as = root_for(second, root), is_root = as == MPI_ROOT, is_leaf = as >= 0;
  const int tag = 10 * root + second;
  begin();
  if (is_root) fill(in, m, me(), tag), fill(expected, m, me(), tag);
  if (is_leaf) fill(expected, m, other(root), tag);
  CALL(MPI_Bcast, MPI_Ibcast, in, m, MPI_INT, as);
  check();

  begin();
  fill(out, m, me(), tag);
  for (int r = 0; r < others && is_root; ++r) fill(expected + r * m, m, other(r), tag);
  CALL(MPI_Gather, MPI_Igather, out, m, MPI_INT, in, m, MPI_INT, as);
  check();

  begin();
  lay_out(m);
  for (int r = 0; r < others && is_root; ++r) fill(expected + v_places[r], v_counts[r], other(r), tag);
  CALL(MPI_Gatherv, MPI_Igatherv, out, v_count(m, rank), MPI_INT, in, v_counts, v_places, MPI_INT, as);
  check();

  begin();
  for (int r = 0; r < others; ++r) fill(out + r * m, m, me(), r);
  if (is_leaf) fill(expected, m, other(root), rank);
  CALL(MPI_Scatter, MPI_Iscatter, out, m, MPI_INT, in, m, MPI_INT, as);
  check();

  begin();
  for (int r = 0; r < others; ++r) fill(out + v_places[r], v_counts[r], me(), r);
  if (is_leaf) fill(expected, v_count(m, rank), other(root), rank);
  CALL(MPI_Scatterv, MPI_Iscatterv, out, v_counts, v_places, MPI_INT, in, v_count(m, rank), MPI_INT, as);
  check();
}

static void of_all(int m) {
  begin();
  fill(out, m, me(), 5);
  for (int r = 0; r < others; ++r) fill(expected + r * m, m, other(r), 5);
  CALL(MPI_Allgather, MPI_Iallgather, out, m, MPI_INT, in, m, MPI_INT);
  check();

  begin();
  lay_out(m);
  for (int r = 0; r < others; ++r) fill(expected + v_places[r], v_counts[r], other(r), 5);
  CALL(MPI_Allgatherv, MPI_Iallgatherv, out, v_count(m, rank), MPI_INT, in, v_counts, v_places, MPI_INT);
  check();

  begin();
  for (int r = 0; r < others; ++r) {
    fill(out + r * m, m, me(), r);
    fill(expected + r * m, m, other(r), rank);
  }
  CALL(MPI_Alltoall, MPI_Ialltoall, out, m, MPI_INT, in, m, MPI_INT);
  check();
}

/* Between two ranks go as many elements each way; every other int of a block that comes, by a datatype, is no one's. */
static void to_each_another_length(int m) {
  MPI_Datatype every_other, bare, out_types[most], in_types[most];
  int bytes[most];
  MPI_Type_contiguous(1, MPI_INT, &bare);
  MPI_Type_create_resized(bare, 0, 2 * (MPI_Aint)sizeof(int), &every_other);
  MPI_Type_commit(&every_other);
  for (int by_types = 0; by_types < 2; ++by_types) {
    begin();
    for (int r = 0; r < others; ++r) {
      v_counts[r] = m > 0 ? (rank + r) % (m + 1) : 0;
      v_places[r] = r * 2 * (length + 1);
      bytes[r] = v_places[r] * (int)sizeof(int);
      out_types[r] = MPI_INT;
      in_types[r] = every_other;
      fill(out + v_places[r], v_counts[r], me(), r);
      for (int i = 0; i < v_counts[r]; ++i) expected[v_places[r] + (by_types ? 2 * i : i)] = element(other(r), rank, i);
    }
    if (by_types)
      CALL(MPI_Alltoallw, MPI_Ialltoallw, out, v_counts, bytes, out_types, in, v_counts, bytes, in_types);
    else
      CALL(MPI_Alltoallv, MPI_Ialltoallv, out, v_counts, v_places, MPI_INT, in, v_counts, v_places, MPI_INT);
    check();
  }
  MPI_Type_free(&bare);
  MPI_Type_free(&every_other);
}

/* The ranks whose operands were combined, as digits. */
static void append(void* first, void* second, int* count, MPI_Datatype* type) {
  CHECK(*type == MPI_INT);
  for (int i = 0; i < *count; ++i) {
    const int f = ((int*)first)[i];
    int* s = (int*)second + i;
    int scale = 1;
    while (scale <= *s) scale *= 10;
    *s += f * scale;
  }
}
static int in_order(int ranks) {
  int digits = 0;
  for (int r = 1; r <= ranks; ++r) digits = digits * 10 + r;
  return digits;
}

/* What comes is of the other group's operands; each element has a rank in every tenth, and the sum of indices. */
static void reductions(int m) {
  MPI_Op op;
  MPI_Op_create(append, 0, &op);
  for (int second = 0; second < 2; ++second)
    for (int root = 0; root < (is_second == second ? size : others); ++root) {
      const int as = root_for(second, root);
      begin();
      for (int i = 0; i < m; ++i) out[i] = rank + 1;
      for (int i = 0; i < m && as == MPI_ROOT; ++i) expected[i] = in_order(others);
      CALL(MPI_Reduce, MPI_Ireduce, out, in, m, MPI_INT, op, as);
      check();
    }
  begin();
  for (int i = 0; i < m; ++i) expected[i] = in_order(others);
  CALL(MPI_Allreduce, MPI_Iallreduce, out, in, m, MPI_INT, op);
  check();

  /* As many elements in both groups: each rank gets its part of them. */
  begin();
  const int total = size * others * m;
  for (int i = 0; i < total; ++i) out[i] = (rank + 1) * 1000 + i;
  int counts[most], before = 0;
  for (int i = 0; i < others * m; ++i)
    expected[i] = 1000 * (others * (others + 1) / 2) + others * (rank * others * m + i);
  CALL(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, out, in, others * m, MPI_INT, MPI_SUM);
  check();
  begin();
  for (int r = 0; r < size; ++r)
    counts[r] = r == 0 ? total : 0; /* all to one, then one less to it and one to the last */
  if (size > 1 && m > 0) --counts[0], ++counts[size - 1];
  for (int r = 0; r < rank; ++r) before += counts[r];
  for (int i = 0; i < counts[rank]; ++i) expected[i] = 1000 * (others * (others + 1) / 2) + others * (before + i);
  CALL(MPI_Reduce_scatter, MPI_Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM);
  check();
  MPI_Op_free(&op);
}

/* Nobody is through before the others have come. */
static void barriers(void) {
  double entered, left, last;
  for (int second = 0; second < 2; ++second) {
    for (int i = 0; i < 20 && is_second == second && rank == size - 1; ++i)
      MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &last, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    entered = MPI_Wtime();
    if (nonblocking) {
      MPI_Request request;
      MPI_Ibarrier(inter, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Barrier(inter);
    }
    left = MPI_Wtime();
    MPI_Allreduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, inter); /* of the others */
    CHECK(left >= last);
  }
}

/* The same on every rank, so that nobody waits for a rank that is refused. */
static void errors(void) {
  const int counts[most] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, places[most] = {0}, negative[most] = {-1};
  MPI_Datatype types[most];
  MPI_Request request;
  for (int i = 0; i < most; ++i) types[i] = MPI_INT;
  MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
  FAILS(MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
  FAILS(MPI_Exscan(out, in, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_COMM);
  FAILS(MPI_Iscan(out, in, 1, MPI_INT, MPI_SUM, inter, &request), MPI_ERR_COMM);
  FAILS(MPI_Iexscan(out, in, 1, MPI_INT, MPI_SUM, inter, &request), MPI_ERR_COMM);
  FAILS(MPI_Bcast(in, 1, MPI_INT, others, inter), MPI_ERR_ROOT);
  FAILS(MPI_Ibcast(in, 1, MPI_INT, -7, inter, &request), MPI_ERR_ROOT);
  FAILS(MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, 0, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Scatter(out, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Gatherv(out, 1, MPI_INT, in, negative, places, MPI_INT, MPI_ROOT, inter), MPI_ERR_COUNT);
  FAILS(MPI_Scatterv(out, counts, places, MPI_DATATYPE_NULL, in, 1, MPI_INT, MPI_ROOT, inter), MPI_ERR_TYPE);
  FAILS(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Allgatherv(MPI_IN_PLACE, 1, MPI_INT, in, counts, places, MPI_INT, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INT, in, counts, places, MPI_INT, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoallw(MPI_IN_PLACE, counts, places, types, in, counts, places, types, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, 0, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce_scatter_block(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, inter), MPI_ERR_BUFFER);
  FAILS(MPI_Ireduce_scatter(MPI_IN_PLACE, in, counts, MPI_INT, MPI_SUM, inter, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_BOR, 0, inter), MPI_ERR_OP);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  make();
  for (nonblocking = 0; nonblocking < 2; ++nonblocking) {
    for (int m = 0; m <= length; m += 2) {
      for (int second = 0; second < 2; ++second)
        for (int root = 0; root < (is_second == second ? size : others); ++root) rooted(m, second, root);
      of_all(m);
      to_each_another_length(m);
      reductions(m);
    }
    barriers();
  }
  errors();
  MPI_Comm_free(&inter);
  return finish();
}
