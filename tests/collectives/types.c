/* One algorithm of a collective, or all, with elements that do not lie together: every rank has them in memory in a way
 * of its own, so that type maps differ where signatures are equal, and the bytes between them must stay as they are.
 * Those of reductions are maps whose composition does not commute, unless the algorithm needs that; where all ranks
 * have one vector each its elements may also interlock.
 *
 *   types OPERATION|all [power|even|levels] [commutative] [nonblocking|persistent] */
#include "harness.h"

enum { layouts = 3, room = 8 * 1024, counts_of_interest = 3, rounds_each = 3 };

/* An element has two ints; here they are, and the next element is `extent` ints further on. */
struct Layout {
  int first, second, extent;
  MPI_Datatype type;
};
static struct Layout known[layouts] = {
    {0, 1, 2, MPI_DATATYPE_NULL}, {1, 3, 5, MPI_DATATYPE_NULL}, {4, 0, 6, MPI_DATATYPE_NULL}};
/* The columns of a matrix with two rows: as many as it has lie between the ints of one. */
static struct Layout column = {0, 7, 1, MPI_DATATYPE_NULL};
static const int counts[counts_of_interest] = {0, 1, 7};
static const char* operation = "all";
static int only_commutative, only_power, only_even, only_levels;
static int *out, *in, *expected;

/* An int travels before the other if it is named first, wherever it lies. */
static void make_types(void) {
  for (int l = 0; l <= layouts; ++l) {
    struct Layout* layout = l < layouts ? &known[l] : &column;
    const int displacements[2] = {layout->first, layout->second}, lengths[2] = {1, 1};
    MPI_Datatype bare;
    if (l == 1) {
      const MPI_Aint bytes[2] = {4, 12};
      const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
      MPI_Type_create_struct(2, lengths, bytes, types, &bare);
    } else {
      MPI_Type_indexed(2, lengths, displacements, MPI_INT, &bare);
    }
    MPI_Type_create_resized(bare, 0, layout->extent * (MPI_Aint)sizeof(int), &layout->type);
    MPI_Type_commit(&layout->type);
    MPI_Type_free(&bare);
  }
}

/* Of a rank's part in a call. */
static const struct Layout* to_receive(int r, int round) { return &known[(r + round) % layouts]; }
static const struct Layout* to_send(int r, int round) { return &known[(r + 2 * round + 1) % layouts]; }

/* Element i of a block: who sent it under which tag, and its number, as two ints that serve as a map too. */
static int value(int source, int tag, int i, int which) {
  return (source * 389 + tag * 97 + i * 13 + which * 5 + 2) % 10007;
}
static void put(int* data, const struct Layout* layout, int place, int count, int source, int tag) {
  for (int i = 0; i < count; ++i) {
    int* at = data + (place + i) * layout->extent;
    at[layout->first] = value(source, tag, i, 0);
    at[layout->second] = value(source, tag, i, 1);
  }
}
static void begin(void) {
  memset(in, 0xff, room * sizeof(int));
  memset(expected, 0xff, room * sizeof(int));
}
static void check_in(void) {
  for (int i = 0; i < room; ++i)
    if (in[i] != expected[i]) CHECK_INT(in[i], expected[i]);
}

static void test_bcast(int m, int round) {
  const int root = round % n;
  const struct Layout* mine = to_receive(rank, round);
  begin();
  put(expected, mine, 0, m, root, m);
  if (rank == root) put(in, mine, 0, m, root, m);
  CALL(MPI_Bcast, MPI_Ibcast, in, m, mine->type, root);
  check_in();
}

/* A block of rank r begins at this element, if blocks have gaps and lie in reverse. */
static int place_of(int m, int r) { return (n - 1 - r) * (m + 1); }
static int v_count(int m, int r) { return m > 0 ? (m + r) % (m + 1) : 0; }
static int v_counts[most], v_places[most];
static void lay_out(int m) {
  for (int r = 0; r < n; ++r) v_counts[r] = v_count(m, r), v_places[r] = place_of(m, r);
}

static void test_gather(int m, int round, int is_v) {
  const int root = round % n, in_place = round % 2 == 1 && rank == root, mine = is_v ? v_count(m, rank) : m;
  const struct Layout *from = to_send(rank, round), *to = to_receive(rank, round);
  lay_out(m);
  begin();
  put(out, from, 0, mine, rank, 3);
  for (int r = 0; r < n && rank == root; ++r) {
    const int place = is_v ? v_places[r] : r * m, count = is_v ? v_counts[r] : m;
    put(expected, to, place, count, r, 3);
    if (in_place && r == rank) put(in, to, place, count, r, 3);
  }
  if (is_v)
    CALL(MPI_Gatherv, MPI_Igatherv, in_place ? MPI_IN_PLACE : out, mine, from->type, in, v_counts, v_places, to->type,
         root);
  else
    CALL(MPI_Gather, MPI_Igather, in_place ? MPI_IN_PLACE : out, mine, from->type, in, m, to->type, root);
  check_in();
}

static void test_scatter(int m, int round, int is_v) {
  const int root = round % n, in_place = round % 2 == 1 && rank == root, mine = is_v ? v_count(m, rank) : m;
  const struct Layout *from = to_send(rank, round), *to = to_receive(rank, round);
  lay_out(m);
  begin();
  for (int r = 0; r < n && rank == root; ++r) put(out, from, is_v ? v_places[r] : r * m, is_v ? v_counts[r] : m, r, 4);
  if (!in_place) put(expected, to, 0, mine, rank, 4);
  if (is_v)
    CALL(MPI_Scatterv, MPI_Iscatterv, out, v_counts, v_places, from->type, in_place ? MPI_IN_PLACE : in, mine, to->type,
         root);
  else
    CALL(MPI_Scatter, MPI_Iscatter, out, m, from->type, in_place ? MPI_IN_PLACE : in, mine, to->type, root);
  check_in();
}

static void test_allgather(int m, int round, int is_v) {
  const int in_place = round % 2, mine = is_v ? v_count(m, rank) : m;
  const struct Layout *from = to_send(rank, round), *to = to_receive(rank, round);
  lay_out(m);
  begin();
  put(out, from, 0, mine, rank, 5);
  for (int r = 0; r < n; ++r) put(expected, to, is_v ? v_places[r] : r * m, is_v ? v_counts[r] : m, r, 5);
  if (in_place) put(in, to, is_v ? v_places[rank] : rank * m, mine, rank, 5);
  if (is_v)
    CALL(MPI_Allgatherv, MPI_Iallgatherv, in_place ? MPI_IN_PLACE : out, mine, from->type, in, v_counts, v_places,
         to->type);
  else
    CALL(MPI_Allgather, MPI_Iallgather, in_place ? MPI_IN_PLACE : out, mine, from->type, in, m, to->type);
  check_in();
}

static void test_alltoall(int m, int round) {
  const int in_place = round % 2;
  const struct Layout *from = in_place ? to_receive(rank, round) : to_send(rank, round), *to = to_receive(rank, round);
  begin();
  for (int r = 0; r < n; ++r) put(in_place ? in : out, from, r * m, m, rank, r);
  for (int r = 0; r < n; ++r) put(expected, to, r * m, m, r, rank);
  CALL(MPI_Alltoall, MPI_Ialltoall, in_place ? MPI_IN_PLACE : out, m, from->type, in, m, to->type);
  check_in();
}

/* With blocks of one layout, or each of its own. Blocks of two ranks for each other are equally long. */
static void test_alltoallv(int m, int round, int by_types) {
  const int in_place = round % 2, widest = 6;
  const struct Layout *from = in_place ? to_receive(rank, round) : to_send(rank, round), *to = to_receive(rank, round);
  int bytes[most];
  MPI_Datatype out_types[most], in_types[most];
  lay_out(m);
  begin();
  for (int r = 0; r < n; ++r) {
    const struct Layout* here = by_types ? to_receive(r, round) : to;
    const struct Layout* there = by_types ? (in_place ? here : to_send(r, round + 1)) : from;
    const int at = v_places[r] * widest;
    v_counts[r] = m > 0 ? (rank + r) % (m + 1) : 0;
    out_types[r] = there->type, in_types[r] = here->type;
    bytes[r] = at * (int)sizeof(int);
    int* source = in_place ? in : out;
    if (by_types) {
      put(source + at, there, 0, v_counts[r], rank, r);
      put(expected + at, here, 0, v_counts[r], r, rank);
    } else {
      put(source, there, v_places[r], v_counts[r], rank, r);
      put(expected, here, v_places[r], v_counts[r], r, rank);
    }
  }
  if (by_types)
    CALL(MPI_Alltoallw, MPI_Ialltoallw, in_place ? MPI_IN_PLACE : out, v_counts, bytes, out_types, in, v_counts, bytes,
         in_types);
  else
    CALL(MPI_Alltoallv, MPI_Ialltoallv, in_place ? MPI_IN_PLACE : out, v_counts, v_places, from->type, in, v_counts,
         v_places, to->type);
  check_in();
}

/* The two ints of an element are a map x -> a x + b modulo a prime. */
static const struct Layout* reduced;
static void compose(void* first, void* second, int* len, MPI_Datatype* type) {
  CHECK(*type == reduced->type);
  for (int i = 0; i < *len; ++i) {
    const int* f = (int*)first + i * reduced->extent;
    int* g = (int*)second + i * reduced->extent;
    const long a = f[reduced->first], b = f[reduced->second], c = g[reduced->first], d = g[reduced->second];
    g[reduced->first] = (int)(a * c % 10007);
    g[reduced->second] = (int)((b * c + d) % 10007);
  }
}
static void add(void* first, void* second, int* len, MPI_Datatype* type) {
  CHECK(*type == reduced->type);
  for (int i = 0; i < *len; ++i) {
    const int* f = (int*)first + i * reduced->extent;
    int* g = (int*)second + i * reduced->extent;
    g[reduced->first] += f[reduced->first];
    g[reduced->second] += f[reduced->second];
  }
}

/* What the elements from `first` on of ranks 0 to last - 1 come to, put at a place. */
static void put_reduced(const struct Layout* layout, int place, int first, int count, int last, int ordered) {
  for (int i = 0; i < count; ++i) {
    long a = value(0, 6, first + i, 0), b = value(0, 6, first + i, 1);
    for (int r = 1; r < last; ++r) {
      const long c = value(r, 6, first + i, 0), d = value(r, 6, first + i, 1);
      b = ordered ? (b * c + d) % 10007 : b + d;
      a = ordered ? a * c % 10007 : a + c;
    }
    expected[(place + i) * layout->extent + layout->first] = (int)a;
    expected[(place + i) * layout->extent + layout->second] = (int)b;
  }
}

static void begin_reduction(const struct Layout* layout, int m, int in_place) {
  reduced = layout;
  begin();
  put(in_place ? in : out, reduced, 0, m, rank, 6);
  if (in_place) memcpy(expected, in, room * sizeof(int));
}

static const struct Layout* layout_of_vector(int round) {
  return round % (layouts + 1) == layouts ? &column : &known[round % layouts];
}

static void test_reduce(int m, int round, MPI_Op op) {
  const int root = round % n, in_place = round % 2 == 1 && rank == root;
  begin_reduction(layout_of_vector(round), m, in_place);
  if (rank == root) put_reduced(reduced, 0, 0, m, n, !only_commutative);
  CALL(MPI_Reduce, MPI_Ireduce, in_place ? MPI_IN_PLACE : out, in, m, reduced->type, op, root);
  check_in();
}
static void test_allreduce(int m, int round, MPI_Op op) {
  begin_reduction(layout_of_vector(round), m, round % 2);
  put_reduced(reduced, 0, 0, m, n, !only_commutative);
  CALL(MPI_Allreduce, MPI_Iallreduce, round % 2 ? MPI_IN_PLACE : out, in, m, reduced->type, op);
  check_in();
}
static void test_scan(int m, int round, MPI_Op op) {
  begin_reduction(layout_of_vector(round), m, round % 2);
  put_reduced(reduced, 0, 0, m, rank + 1, !only_commutative);
  CALL(MPI_Scan, MPI_Iscan, round % 2 ? MPI_IN_PLACE : out, in, m, reduced->type, op);
  check_in();
}
static void test_exscan(int m, int round, MPI_Op op) {
  begin_reduction(layout_of_vector(round), m, round % 2);
  if (rank > 0) put_reduced(reduced, 0, 0, m, rank, !only_commutative);
  CALL(MPI_Exscan, MPI_Iexscan, round % 2 ? MPI_IN_PLACE : out, in, m, reduced->type, op);
  if (rank > 0) check_in();
}
/* In place, what lies behind the result has no value. */
static void test_reduce_scatter(int m, int round, MPI_Op op, int is_v) {
  int before = 0, total = 0;
  lay_out(m);
  for (int r = 0; r < n; ++r) {
    if (!is_v) v_counts[r] = m;
    before += r < rank ? v_counts[r] : 0;
    total += v_counts[r];
  }
  begin_reduction(&known[round % layouts], total, round % 2);
  put_reduced(reduced, 0, before, v_counts[rank], n, !only_commutative);
  if (is_v)
    CALL(MPI_Reduce_scatter, MPI_Ireduce_scatter, round % 2 ? MPI_IN_PLACE : out, in, v_counts, reduced->type, op);
  else
    CALL(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, round % 2 ? MPI_IN_PLACE : out, in, m, reduced->type, op);
  for (int i = v_counts[rank]; i < total && round % 2; ++i)
    for (int* data = in; data != NULL; data = data == in ? expected : NULL)
      data[i * reduced->extent + reduced->first] = data[i * reduced->extent + reduced->second] = 0;
  check_in();
}

static int is(const char* name) { return strcmp(operation, "all") == 0 || strcmp(operation, name) == 0; }

static void test_size(void) {
  MPI_Op op;
  int round = 0;
  if ((only_power && (n & (n - 1)) != 0) || (only_even && n % 2 != 0)) return;
  if (only_levels && !has_levels()) return;
  MPI_Op_create(only_commutative ? add : compose, only_commutative, &op);
  for (int i = 0; i < rounds_each * counts_of_interest; ++i, ++round) {
    const int m = counts[i / rounds_each];
    if (is("bcast")) test_bcast(m, round);
    if (is("gather")) test_gather(m, round, 0);
    if (is("gatherv")) test_gather(m, round, 1);
    if (is("scatter")) test_scatter(m, round, 0);
    if (is("scatterv")) test_scatter(m, round, 1);
    if (is("allgather")) test_allgather(m, round, 0);
    if (is("allgatherv")) test_allgather(m, round, 1);
    if (is("alltoall")) test_alltoall(m, round);
    if (is("alltoallv")) test_alltoallv(m, round, 0);
    if (is("alltoallw")) test_alltoallv(m, round, 1);
    if (is("reduce")) test_reduce(m, round, op);
    if (is("allreduce")) test_allreduce(m, round, op);
    if (is("scan")) test_scan(m, round, op);
    if (is("exscan")) test_exscan(m, round, op);
    if (is("reduce_scatter_block")) test_reduce_scatter(m, round, op, 0);
    if (is("reduce_scatter")) test_reduce_scatter(m, round, op, 1);
  }
  MPI_Op_free(&op);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) operation = argv[1];
  for (int i = 2; i < argc; ++i) {
    only_power |= strcmp(argv[i], "power") == 0;
    only_even |= strcmp(argv[i], "even") == 0;
    only_levels |= strcmp(argv[i], "levels") == 0;
    only_commutative |= strcmp(argv[i], "commutative") == 0;
    nonblocking |= strcmp(argv[i], "nonblocking") == 0;
    persistent |= strcmp(argv[i], "persistent") == 0;
  }
  out = malloc(room * sizeof(int));
  in = malloc(room * sizeof(int));
  expected = malloc(room * sizeof(int));
  make_types();
  on_all_sizes(test_size);
  for (int l = 0; l < layouts; ++l) MPI_Type_free(&known[l].type);
  MPI_Type_free(&column.type);
  if (world_rank() == 0) printf("ok\n");
  MPI_Finalize();
  return 0;
}
