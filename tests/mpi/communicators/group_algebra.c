/* ranks: 1 2 7
 * Operations on groups against sets, for many pairs of groups of which each is some ranks in some order. */
#include "check.h"

enum { most = 7, tests = 200 };

/* Ranks of the world in an order, and the place of each of them, or -1. */
typedef struct {
  int size, ranks[most], places[most];
  MPI_Group group;
} Set;

static MPI_Group world;
static unsigned seed = 7;
static int below(int n) {
  seed = seed * 1103515245 + 12345;
  return (int)((seed >> 16) % (unsigned)n);
}

static void put(Set* set, int rank) {
  set->places[rank] = set->size;
  set->ranks[set->size++] = rank;
}
static Set empty(void) {
  Set set = {0, {0}, {0}, MPI_GROUP_NULL};
  for (int i = 0; i < most; ++i) set.places[i] = -1;
  return set;
}
static Set some(void) {
  Set set = empty();
  for (int i = below(2 * world_size() + 1); i > 0; --i) {
    const int rank = below(world_size());
    if (set.places[rank] < 0) put(&set, rank);
  }
  MPI_Group_incl(world, set.size, set.ranks, &set.group);
  return set;
}

static void expect(MPI_Group group, const Set* set) {
  int value = -1, indices[most], found[most];
  for (int i = 0; i < most; ++i) indices[i] = i;
  MPI_Group_size(group, &value);
  CHECK_INT(value, set->size);
  MPI_Group_rank(group, &value);
  CHECK_INT(value, set->places[world_rank()] < 0 ? MPI_UNDEFINED : set->places[world_rank()]);
  MPI_Group_translate_ranks(group, set->size, indices, world, found);
  for (int i = 0; i < set->size; ++i) CHECK_INT(found[i], set->ranks[i]);
  MPI_Group_translate_ranks(world, world_size(), indices, group, found);
  for (int i = 0; i < world_size(); ++i) CHECK_INT(found[i], set->places[i] < 0 ? MPI_UNDEFINED : set->places[i]);
  CHECK((group == MPI_GROUP_EMPTY) == (set->size == 0));
  MPI_Group_free(&group);
  CHECK(group == MPI_GROUP_NULL);
}

static void expect_operations(const Set* a, const Set* b) {
  Set both = empty(), either = empty(), only_a = empty(), others = empty();
  MPI_Group group;
  for (int i = 0; i < a->size; ++i) {
    put(&either, a->ranks[i]);
    put(b->places[a->ranks[i]] < 0 ? &only_a : &both, a->ranks[i]);
  }
  for (int i = 0; i < b->size; ++i)
    if (a->places[b->ranks[i]] < 0) put(&either, b->ranks[i]);
  for (int rank = 0; rank < world_size(); ++rank)
    if (a->places[rank] < 0) put(&others, rank);
  MPI_Group_union(a->group, b->group, &group);
  expect(group, &either);
  MPI_Group_intersection(a->group, b->group, &group);
  expect(group, &both);
  MPI_Group_difference(a->group, b->group, &group);
  expect(group, &only_a);
  MPI_Group_excl(world, a->size, a->ranks, &group);
  expect(group, &others);

  int found = -1, wanted = only_a.size == 0 && a->size == b->size ? MPI_IDENT : MPI_UNEQUAL;
  for (int i = 0; wanted != MPI_UNEQUAL && i < a->size; ++i)
    if (a->ranks[i] != b->ranks[i]) wanted = MPI_SIMILAR;
  MPI_Group_compare(a->group, b->group, &found);
  CHECK_INT(found, wanted);
}

/* From the last down in steps, and up again through those left out. */
static void ranges(void) {
  const int n = world_size(), last = n - 1;
  int both[2][3] = {{last, 0, -2}, {last % 2 ? 0 : 1, last, 2}};
  Set down = empty(), all = empty(), none = empty();
  MPI_Group group;
  for (int rank = last; rank >= 0; rank -= 2) put(&down, rank);
  all = down;
  for (int rank = both[1][0]; rank < n; rank += 2) put(&all, rank);
  MPI_Group_range_incl(world, 1, both, &group);
  expect(group, &down);
  MPI_Group_range_incl(world, n > 1 ? 2 : 1, both, &group);
  expect(group, &all);
  MPI_Group_range_excl(world, n > 1 ? 2 : 1, both, &group);
  expect(group, &none);
  MPI_Group_range_incl(world, 0, NULL, &group);
  expect(group, &none);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int test = 0; test < tests; ++test) {
    Set a = some(), b = some();
    expect_operations(&a, &b);
    expect_operations(&a, &a);
    MPI_Group_free(&a.group);
    MPI_Group_free(&b.group);
  }
  ranges();
  MPI_Group_free(&world);
  return finish();
}
