/* ranks: 1 2 5 8 33
 * Groups: every operation, on progressions and on lists, held to the definition by going through all ranks. */
#include "check.h"

enum { most = 33 };

/* The members of a group, by their ranks in the world. */
static int members(MPI_Group group, int* ranks) {
  MPI_Group world;
  int size, all[most];
  MPI_Group_size(group, &size);
  for (int i = 0; i < size; ++i) all[i] = i;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_translate_ranks(group, size, all, world, ranks);
  MPI_Group_free(&world);
  return size;
}

static void expect(MPI_Group group, int count, const int* ranks) {
  int found[most], rank, mine = MPI_UNDEFINED;
  CHECK_INT(members(group, found), count);
  for (int i = 0; i < count; ++i) {
    CHECK_INT(found[i], ranks[i]);
    if (ranks[i] == world_rank()) mine = i;
  }
  MPI_Group_rank(group, &rank);
  CHECK_INT(rank, mine);
  if (count == 0) {
    int result = -1;
    MPI_Group_compare(group, MPI_GROUP_EMPTY, &result);
    CHECK_INT(result, MPI_IDENT);
  }
}

static int holds(const int* ranks, int count, int rank) {
  for (int i = 0; i < count; ++i)
    if (ranks[i] == rank) return 1;
  return 0;
}

static void check_sets(MPI_Group a, MPI_Group b) {
  int of_a[most], of_b[most], both[2 * most], count = 0, result;
  const int a_size = members(a, of_a), b_size = members(b, of_b);
  MPI_Group group;
  for (int i = 0; i < a_size; ++i) both[count++] = of_a[i];
  for (int i = 0; i < b_size; ++i)
    if (!holds(of_a, a_size, of_b[i])) both[count++] = of_b[i];
  MPI_Group_union(a, b, &group);
  expect(group, count, both);
  MPI_Group_free(&group);

  count = 0;
  for (int i = 0; i < a_size; ++i)
    if (holds(of_b, b_size, of_a[i])) both[count++] = of_a[i];
  MPI_Group_intersection(a, b, &group);
  expect(group, count, both);
  MPI_Group_free(&group); /* be it the empty one */
  CHECK(group == MPI_GROUP_NULL);
  const int common = count;

  count = 0;
  for (int i = 0; i < a_size; ++i)
    if (!holds(of_b, b_size, of_a[i])) both[count++] = of_a[i];
  MPI_Group_difference(a, b, &group);
  expect(group, count, both);
  MPI_Group_free(&group);

  int same_order = 1;
  for (int i = 0; i < a_size && i < b_size; ++i) same_order = same_order && of_a[i] == of_b[i];
  MPI_Group_compare(a, b, &result);
  const int same_members = a_size == b_size && common == a_size;
  CHECK_INT(result, !same_members ? MPI_UNEQUAL : same_order ? MPI_IDENT : MPI_SIMILAR);
}

static void ranges(MPI_Group world, int size) {
  MPI_Group group, again;
  int all[most], count = 0, result;
  int whole[][3] = {{0, size - 1, 1}}, backwards[][3] = {{size - 1, 0, -1}};
  MPI_Group_range_incl(world, 1, whole, &group);
  MPI_Group_compare(world, group, &result);
  CHECK_INT(result, MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_range_incl(world, 1, backwards, &group);
  for (int i = 0; i < size; ++i) all[i] = size - 1 - i;
  expect(group, size, all);
  MPI_Group_free(&group);
  MPI_Group_range_excl(world, 1, backwards, &group);
  expect(group, 0, NULL);
  MPI_Group_range_incl(world, 0, NULL, &again);
  expect(again, 0, NULL);
  MPI_Group_range_excl(world, 0, NULL, &again);
  expect(again, (count = members(world, all), count), all);
  MPI_Group_free(&again);

  /* Odd ones downwards, then even ones upwards; the last of a range need not be reached. */
  int zigzag[][3] = {{(size - 2) / 2 * 2 + 1, 0, -2}, {0, size - 1, 2}};
  if (size < 2) return;
  count = 0;
  for (int i = zigzag[0][0]; i >= 0; i -= 2) all[count++] = i;
  for (int i = 0; i < size; i += 2) all[count++] = i;
  MPI_Group_range_incl(world, 2, zigzag, &group);
  expect(group, count, all);
  MPI_Group_free(&group);
  MPI_Group_range_excl(world, 1, zigzag, &group);
  expect(group, count - zigzag[0][0] / 2 - 1, all + zigzag[0][0] / 2 + 1);
  MPI_Group_free(&group);
}

static void errors(MPI_Group world, int size) {
  MPI_Group group;
  int outside[][3] = {{0, size, 1}}, no_stride[][3] = {{0, 0, 0}}, away[][3] = {{0, 1, -1}},
      twice[][3] = {{0, 0, 1}, {0, 0, 1}}, result, ranks[] = {0, -4};
  FAILS(MPI_Group_range_incl(world, 1, outside, &group), MPI_ERR_RANK);
  FAILS(MPI_Group_range_excl(world, 1, outside, &group), MPI_ERR_RANK);
  FAILS(MPI_Group_range_incl(world, 1, no_stride, &group), MPI_ERR_ARG);
  FAILS(MPI_Group_range_excl(world, 1, away, &group), MPI_ERR_ARG);
  FAILS(MPI_Group_range_incl(world, 2, twice, &group), MPI_ERR_RANK);
  FAILS(MPI_Group_range_incl(world, -1, twice, &group), MPI_ERR_COUNT);
  FAILS(MPI_Group_range_incl(world, 1, NULL, &group), MPI_ERR_ARG);
  FAILS(MPI_Group_union(world, MPI_GROUP_NULL, &group), MPI_ERR_GROUP);
  FAILS(MPI_Group_intersection(MPI_GROUP_NULL, world, &group), MPI_ERR_GROUP);
  FAILS(MPI_Group_difference(world, (MPI_Group)MPI_COMM_WORLD, &group), MPI_ERR_GROUP);
  FAILS(MPI_Group_translate_ranks(world, 2, ranks, world, outside[0]), MPI_ERR_RANK);
  FAILS(MPI_Group_compare(world, world, NULL), MPI_ERR_ARG);
  FAILS(MPI_Group_incl(world, 1, NULL, &group), MPI_ERR_ARG);
  FAILS(MPI_Group_size(MPI_GROUP_NULL, &result), MPI_ERR_GROUP);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int size = world_size();
  int ranks[most], all[most], count = 0;
  MPI_Group groups[8];
  MPI_Comm_group(MPI_COMM_WORLD, &groups[0]);
  groups[1] = MPI_GROUP_EMPTY;
  MPI_Comm_group(MPI_COMM_SELF, &groups[2]);
  for (int i = 0; i < size; i += 3) ranks[count++] = i; /* a progression */
  MPI_Group_incl(groups[0], count, ranks, &groups[3]);
  expect(groups[3], count, ranks);
  count = 0;
  for (int i = 0; i < size; ++i) /* none: 1 0 3 2 ... */
    if ((i ^ 1) < size) ranks[count++] = i ^ 1;
  MPI_Group_incl(groups[0], count, ranks, &groups[4]);
  expect(groups[4], count, ranks);
  MPI_Group_excl(groups[0], count < size ? count : 1, ranks, &groups[5]);
  for (int i = 0; i < size; ++i) all[i] = size - 1 - i;
  MPI_Group_incl(groups[0], size, all, &groups[6]);
  MPI_Group_excl(groups[0], 0, NULL, &groups[7]);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) check_sets(groups[i], groups[j]);
  ranges(groups[0], size);
  errors(groups[0], size);
  for (int i = 0; i < 8; ++i) MPI_Group_free(&groups[i]);
  return finish();
}
