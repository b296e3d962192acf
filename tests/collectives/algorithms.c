/* One algorithm of a collective, or all operations as the machine's table has it, against what the definition says: on
 * communicators of many sizes at once. The answers are worked out serially from what each rank is known to send.
 *
 *   algorithms OPERATION|all [power|even|levels] [commutative] [nonblocking|persistent] */
#include "harness.h"

enum { counts_of_interest = 4, largest = 67, gap = 3 };

static const char* operation = "all";
static MPI_Op composition;
static int only_commutative, only_power, only_even, only_levels;
static const int counts[counts_of_interest] = {0, 1, 5, largest};
static int *one, *all, *out, *in;

/* The roots that are tried: the first, the last, and one between. */
static int root_number(int i) { return i == 0 ? 0 : i == 1 ? n - 1 : n / 2; }

static void test_barrier(void) {
  double entered = MPI_Wtime(), last, left;
  if (nonblocking) {
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    complete(&request);
  } else if (persistent) {
    MPI_Request request;
    MPI_Barrier_init(comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    complete(&request);
  } else {
    MPI_Barrier(comm);
  }
  left = MPI_Wtime();
  MPI_Allreduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
  CHECK(left >= last);
}

static void test_bcast(int m) {
  for (int i = 0; i < 3; ++i) {
    const int root = root_number(i);
    wipe(one, m + 1);
    if (rank == root) fill(one, m, root, m);
    CALL(MPI_Bcast, MPI_Ibcast, one, m, MPI_INT, root);
    check_elements(one, m, root, m);
  }
}

static void test_gather(int m) {
  for (int i = 0; i < 6; ++i) {
    const int root = root_number(i % 3), in_place = i >= 3 && rank == root;
    fill(one, m, rank, root);
    wipe(all, m * n + 1);
    if (in_place) fill(all + root * m, m, root, root);
    CALL(MPI_Gather, MPI_Igather, in_place ? MPI_IN_PLACE : one, m, MPI_INT, all, m, MPI_INT, root);
    for (int r = 0; r < n && rank == root; ++r) check_elements(all + r * m, m, r, root);
    CHECK_INT(all[m * n], -1);
  }
}

static void test_scatter(int m) {
  for (int i = 0; i < 6; ++i) {
    const int root = root_number(i % 3), in_place = i >= 3 && rank == root;
    wipe(one, m + 1);
    for (int r = 0; r < n && rank == root; ++r) fill(all + r * m, m, r, root);
    CALL(MPI_Scatter, MPI_Iscatter, all, m, MPI_INT, in_place ? MPI_IN_PLACE : one, m, MPI_INT, root);
    if (!in_place) check_elements(one, m, rank, root);
    CHECK_INT(one[m], -1);
  }
}

/* Rank r's block has fewer elements the greater r; blocks lie in reverse, with gaps. */
static int v_counts[most], v_places[most];
static int v_count(int m, int r) { return m > 0 ? (m + r) % (m + 1) : 0; }
static int lay_out(int m) {
  for (int r = 0; r < n; ++r) {
    v_counts[r] = v_count(m, r);
    v_places[r] = (n - 1 - r) * (m + gap);
  }
  return n * (m + gap);
}
static void check_laid_out(int tag) {
  for (int r = 0; r < n; ++r) {
    check_elements(all + v_places[r], v_counts[r], r, tag);
    CHECK_INT(all[v_places[r] + v_counts[r]], -1);
  }
}

static void test_gatherv(int m) {
  for (int i = 0; i < 6; ++i) {
    const int root = root_number(i % 3), in_place = i >= 3 && rank == root;
    wipe(all, lay_out(m));
    fill(in_place ? all + v_places[rank] : one, v_counts[rank], rank, root);
    CALL(MPI_Gatherv, MPI_Igatherv, in_place ? MPI_IN_PLACE : one, v_counts[rank], MPI_INT, all, v_counts, v_places,
         MPI_INT, root);
    if (rank == root) check_laid_out(root);
  }
}

static void test_scatterv(int m) {
  for (int i = 0; i < 6; ++i) {
    const int root = root_number(i % 3), in_place = i >= 3 && rank == root;
    lay_out(m);
    for (int r = 0; r < n; ++r) fill(all + v_places[r], v_counts[r], r, root);
    wipe(one, m + 1);
    CALL(MPI_Scatterv, MPI_Iscatterv, all, v_counts, v_places, MPI_INT, in_place ? MPI_IN_PLACE : one, v_counts[rank],
         MPI_INT, root);
    if (!in_place) check_elements(one, v_counts[rank], rank, root);
    CHECK_INT(one[m], -1);
  }
}

static void test_allgather(int m) {
  for (int in_place = 0; in_place < 2; ++in_place) {
    wipe(all, m * n + 1);
    fill(in_place ? all + rank * m : one, m, rank, m);
    CALL(MPI_Allgather, MPI_Iallgather, in_place ? MPI_IN_PLACE : one, m, MPI_INT, all, m, MPI_INT);
    for (int r = 0; r < n; ++r) check_elements(all + r * m, m, r, m);
    CHECK_INT(all[m * n], -1);
  }
}

static void test_allgatherv(int m) {
  for (int in_place = 0; in_place < 2; ++in_place) {
    wipe(all, lay_out(m));
    fill(in_place ? all + v_places[rank] : one, v_counts[rank], rank, m);
    CALL(MPI_Allgatherv, MPI_Iallgatherv, in_place ? MPI_IN_PLACE : one, v_counts[rank], MPI_INT, all, v_counts,
         v_places, MPI_INT);
    check_laid_out(m);
  }
}

static void test_alltoall(int m) {
  for (int in_place = 0; in_place < 2; ++in_place) {
    wipe(in, m * n + 1);
    for (int r = 0; r < n; ++r) fill((in_place ? in : out) + r * m, m, rank, r);
    CALL(MPI_Alltoall, MPI_Ialltoall, in_place ? MPI_IN_PLACE : out, m, MPI_INT, in, m, MPI_INT);
    if (!in_place) wipe(out, m * n); /* it is the program's again, though messages may still be on their way */
    for (int r = 0; r < n; ++r) check_elements(in + r * m, m, r, rank);
    CHECK_INT(in[m * n], -1);
  }
}

/* Between ranks r and s go as many elements as r + s say, in both directions. */
static void test_alltoallv(int m, int by_types) {
  int bytes[most];
  MPI_Datatype types[most], bytes_types[most];
  for (int in_place = 0; in_place < 2; ++in_place) {
    int* from = in_place ? in : out;
    wipe(in, n * (m + gap));
    for (int r = 0; r < n; ++r) {
      v_counts[r] = m > 0 ? (rank + r) % (m + 1) : 0;
      v_places[r] = r * (m + gap);
      types[r] = MPI_INT;
      bytes_types[r] = MPI_UNSIGNED;
      bytes[r] = v_places[r] * (int)sizeof(int);
      fill(from + v_places[r], v_counts[r], rank, r);
    }
    if (by_types)
      CALL(MPI_Alltoallw, MPI_Ialltoallw, in_place ? MPI_IN_PLACE : out, v_counts, bytes, types, in, v_counts, bytes,
           in_place ? types : bytes_types);
    else
      CALL(MPI_Alltoallv, MPI_Ialltoallv, in_place ? MPI_IN_PLACE : out, v_counts, v_places, MPI_INT, in, v_counts,
           v_places, MPI_INT);
    for (int r = 0; r < n; ++r) {
      check_elements(in + v_places[r], v_counts[r], r, rank);
      CHECK_INT(in[v_places[r] + v_counts[r]], -1);
    }
  }
}

/* x -> a x + b modulo a prime, packed into one int: composition, first `in`, then `inout`, does not commute. */
enum { modulus = 10007 };
static int map(int r, int i) { return (r * 37 + i * 11 + 2) % modulus * 20011 + (r * 101 + i * 7 + 1) % modulus; }
static int then(int f, int g) {
  const long a = f / 20011, b = f % 20011, c = g / 20011, d = g % 20011;
  return (int)(a * c % modulus * 20011 + (b * c + d) % modulus);
}
static void compose(void* first, void* second, int* len, MPI_Datatype* type) {
  const int* f = first;
  int* g = second;
  CHECK(*type == MPI_INT);
  for (int i = 0; i < *len; ++i) g[i] = then(f[i], g[i]);
}

/* What ranks first to last - 1 come to, element i. */
static int expected(int ordered, int first, int last, int i) {
  int value = ordered ? map(first, i) : element(first, 1, i);
  for (int r = first + 1; r < last; ++r)
    value = ordered ? then(value, map(r, i)) : (int)((unsigned)value + element(r, 1, i));
  return value;
}
static void operands(int ordered, int* data, int m) {
  for (int i = 0; i < m; ++i) data[i] = ordered ? map(rank, i) : element(rank, 1, i);
}
static void check_reduced(const int* data, int m, int ordered, int first, int last, int offset) {
  static int memory[2][most + 1][most * (largest + 1)], known[2][most + 1];
  for (int i = 0; i < m; ++i) {
    if (first == 0 && known[ordered][last] <= offset + i) {
      for (int j = known[ordered][last]; j <= offset + i; ++j) memory[ordered][last][j] = expected(ordered, 0, last, j);
      known[ordered][last] = offset + i + 1;
    }
    CHECK_INT(data[i], memory[ordered][last][offset + i]);
  }
}

static void test_reduce(int m, int ordered, MPI_Op op) {
  for (int i = 0; i < 6; ++i) {
    const int root = root_number(i % 3), in_place = i >= 3 && rank == root;
    wipe(in, m + 1);
    operands(ordered, in_place ? in : one, m);
    CALL(MPI_Reduce, MPI_Ireduce, in_place ? MPI_IN_PLACE : one, in, m, MPI_INT, op, root);
    if (rank == root) check_reduced(in, m, ordered, 0, n, 0);
    CHECK_INT(in[m], -1);
  }
}

static void test_allreduce(int m, int ordered, MPI_Op op) {
  for (int in_place = 0; in_place < 2; ++in_place) {
    wipe(in, m + 1);
    operands(ordered, in_place ? in : one, m);
    CALL(MPI_Allreduce, MPI_Iallreduce, in_place ? MPI_IN_PLACE : one, in, m, MPI_INT, op);
    check_reduced(in, m, ordered, 0, n, 0);
    CHECK_INT(in[m], -1);
  }
}

static void test_scan(int m, int ordered, MPI_Op op) {
  for (int in_place = 0; in_place < 2; ++in_place) {
    wipe(in, m + 1);
    operands(ordered, in_place ? in : one, m);
    CALL(MPI_Scan, MPI_Iscan, in_place ? MPI_IN_PLACE : one, in, m, MPI_INT, op);
    check_reduced(in, m, ordered, 0, rank + 1, 0);
    CHECK_INT(in[m], -1);
  }
}

static void test_exscan(int m, int ordered, MPI_Op op) {
  for (int in_place = 0; in_place < 2; ++in_place) {
    wipe(in, m + 1);
    operands(ordered, in_place ? in : one, m);
    CALL(MPI_Exscan, MPI_Iexscan, in_place ? MPI_IN_PLACE : one, in, m, MPI_INT, op);
    if (rank > 0) check_reduced(in, m, ordered, 0, rank, 0);
    CHECK_INT(in[m], -1);
  }
}

static void test_reduce_scatter_block(int m, int ordered, MPI_Op op) {
  for (int in_place = 0; in_place < 2; ++in_place) {
    wipe(in, m * n + 1);
    operands(ordered, in_place ? in : out, m * n);
    CALL(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, in_place ? MPI_IN_PLACE : out, in, m, MPI_INT, op);
    check_reduced(in, m, ordered, 0, n, rank * m);
    CHECK_INT(in[m * n], -1);
  }
}

static void test_reduce_scatter(int m, int ordered, MPI_Op op) {
  for (int in_place = 0; in_place < 2; ++in_place) {
    int before = 0, total = 0;
    for (int r = 0; r < n; ++r) {
      v_counts[r] = v_count(m, r);
      before += r < rank ? v_counts[r] : 0;
      total += v_counts[r];
    }
    wipe(in, total + 1);
    operands(ordered, in_place ? in : out, total);
    CALL(MPI_Reduce_scatter, MPI_Ireduce_scatter, in_place ? MPI_IN_PLACE : out, in, v_counts, MPI_INT, op);
    check_reduced(in, v_counts[rank], ordered, 0, n, before);
    CHECK_INT(in[total], -1);
  }
}

static void test_reductions(int m, int ordered, MPI_Op op) {
  const int is_all = strcmp(operation, "all") == 0;
  if (is_all || strcmp(operation, "reduce") == 0) test_reduce(m, ordered, op);
  if (is_all || strcmp(operation, "allreduce") == 0) test_allreduce(m, ordered, op);
  if (is_all || strcmp(operation, "scan") == 0) test_scan(m, ordered, op);
  if (is_all || strcmp(operation, "exscan") == 0) test_exscan(m, ordered, op);
  if (is_all || strcmp(operation, "reduce_scatter_block") == 0) test_reduce_scatter_block(m, ordered, op);
  if (is_all || strcmp(operation, "reduce_scatter") == 0) test_reduce_scatter(m, ordered, op);
}

static void test_size(void) {
  if ((only_power && (n & (n - 1)) != 0) || (only_even && n % 2 != 0)) return;
  if (only_levels && !has_levels()) return;
  const int is_all = strcmp(operation, "all") == 0;
  if (is_all || strcmp(operation, "barrier") == 0) test_barrier();
  for (int i = 0; i < counts_of_interest; ++i) {
    const int m = counts[i];
    if (is_all || strcmp(operation, "bcast") == 0) test_bcast(m);
    if (is_all || strcmp(operation, "gather") == 0) test_gather(m);
    if (is_all || strcmp(operation, "gatherv") == 0) test_gatherv(m);
    if (is_all || strcmp(operation, "scatter") == 0) test_scatter(m);
    if (is_all || strcmp(operation, "scatterv") == 0) test_scatterv(m);
    if (is_all || strcmp(operation, "allgather") == 0) test_allgather(m);
    if (is_all || strcmp(operation, "allgatherv") == 0) test_allgatherv(m);
    if (is_all || strcmp(operation, "alltoall") == 0) test_alltoall(m);
    if (is_all || strcmp(operation, "alltoallv") == 0) test_alltoallv(m, 0);
    if (is_all || strcmp(operation, "alltoallw") == 0) test_alltoallv(m, 1);
    test_reductions(m, 0, MPI_SUM);
    if (!only_commutative) test_reductions(m, 1, composition);
  }
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
    on_world_only |= strcmp(argv[i], "world") == 0;
  }
  one = malloc(sizeof(int) * most * (largest + gap + 1));
  all = malloc(sizeof(int) * most * (largest + gap + 1));
  out = malloc(sizeof(int) * most * (largest + gap + 1));
  in = malloc(sizeof(int) * most * (largest + gap + 1));
  MPI_Op_create(compose, 0, &composition);
  on_all_sizes(test_size);
  MPI_Op_free(&composition);
  if (world_rank() == 0) printf("ok\n");
  MPI_Finalize();
  return 0;
}
