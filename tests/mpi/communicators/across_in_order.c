/* ranks: 2 3 5
 * Reductions between two groups of every division, of an operation that does not commute on elements whose two parts
 * travel in another order than they lie in, with a gap behind them; and an all-to-all with datatypes of which some are
 * none. Blocking, nonblocking and persistent. */
#include "check.h"
#include "three_forms.h"

enum { most = 5, length = 13, room = most * most * length };

/* A map x -> scale x + shift modulo a prime. */
struct Map {
  int scale, shift, gap;
};

static MPI_Comm inter;
static MPI_Datatype type;
static MPI_Op op;
static enum form form;
static int size, rank, others, first; /* first: of the other group, its rank in the world */
static struct Map in[room], out[room], expected[room];

static struct Map map_of(int world, int i) { return (struct Map){world * 3 + 2 + i, world * 5 + i + 1, -7}; }

static void compose(void* from, void* inout, int* count, MPI_Datatype* of) {
  const struct Map* f = from;
  struct Map* g = inout;
  CHECK(*of == type);
  for (int i = 0; i < *count; ++i) {
    g[i].shift = (f[i].shift * g[i].scale + g[i].shift) % 10007;
    g[i].scale = f[i].scale * g[i].scale % 10007;
  }
}

static void begin(int total) {
  int one = 1;
  for (int i = 0; i < total; ++i) {
    in[i] = map_of(world_rank(), i);
    out[i] = (struct Map){-1, -1, 99};
    expected[i] = map_of(first, i);
    for (int r = 1; r < others; ++r) {
      struct Map next = map_of(first + r, i);
      compose(&expected[i], &next, &one, &type);
      expected[i] = next;
    }
  }
}

/* So many results from one place on are here, and nothing else has been written. */
static void check(int from, int count, int total) {
  for (int i = 0; i < total; ++i) {
    CHECK_INT(out[i].scale, i < count ? expected[from + i].scale : -1);
    CHECK_INT(out[i].shift, i < count ? expected[from + i].shift : -1);
    CHECK_INT(out[i].gap, 99);
  }
}

static void reductions(int m, int is_second) {
  const int total = size * others * m, is_root = is_second && rank == 0;
  int counts[most], before = 0;
  begin(total);
  CALL(form, inter, MPI_Reduce, MPI_Ireduce, in, out, total, type, op,
       !is_second ? 0
       : is_root  ? MPI_ROOT
                  : MPI_PROC_NULL);
  check(0, is_root ? total : 0, total);
  begin(total);
  CALL(form, inter, MPI_Allreduce, MPI_Iallreduce, in, out, total, type, op);
  check(0, total, total);
  begin(total);
  CALL(form, inter, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, in, out, others * m, type, op);
  check(rank * others * m, others * m, total);
  begin(total);
  for (int r = 0; r < size; ++r) counts[r] = r == 0 ? total : 0;
  if (total > 0 && size > 1) --counts[0], ++counts[size - 1];
  for (int r = 0; r < rank; ++r) before += counts[r];
  CALL(form, inter, MPI_Reduce_scatter, MPI_Ireduce_scatter, in, out, counts, type, op);
  check(before, counts[rank], total);
}

/* Between ranks of which one is even in the world and one is odd. */
static void to_some(int m) {
  int counts[most], places[most];
  MPI_Datatype types[most];
  begin(others * m);
  for (int r = 0; r < others; ++r) {
    const int is_partner = (world_rank() + first + r) % 2;
    counts[r] = is_partner ? m : 0;
    types[r] = is_partner ? type : MPI_DATATYPE_NULL;
    places[r] = r * m * (int)sizeof(struct Map);
  }
  CALL(form, inter, MPI_Alltoallw, MPI_Ialltoallw, in, counts, places, types, out, counts, places, types);
  for (int i = 0; i < others * m; ++i) {
    const int from = i / m;
    CHECK_INT(out[i].shift, counts[from] > 0 ? map_of(first + from, rank * m + i % m).shift : -1);
    CHECK_INT(out[i].gap, 99);
  }
}

static void between(int cut) {
  const int is_second = world_rank() >= cut;
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, is_second, 0, &half);
  MPI_Comm_size(half, &size);
  MPI_Comm_rank(half, &rank);
  others = world_size() - size;
  first = is_second ? 0 : cut;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, first, 1, &inter);
  MPI_Comm_free(&half);
  for (form = blocking; form <= persistent; ++form)
    for (int m = 0; m <= length; m = m * 3 + 1) {
      reductions(m, is_second);
      to_some(m);
    }
  MPI_Comm_free(&inter);
}

int main(int argc, char** argv) {
  const int lengths[2] = {1, 1}, places[2] = {1, 0};
  MPI_Datatype bare;
  MPI_Init(&argc, &argv);
  MPI_Type_indexed(2, lengths, places, MPI_INT, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct Map), &type);
  MPI_Type_free(&bare);
  MPI_Type_commit(&type);
  MPI_Op_create(compose, 0, &op);
  for (int cut = 1; cut < world_size(); ++cut) between(cut);
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  return finish();
}
