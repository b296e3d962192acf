// Sorts keys that are spread over all ranks. Each rank sorts its own, and offers some of them as samples; all samples,
// sorted, give the splitters between what the ranks are to have. Then each rank sends every other its part, and merges
// what it gets.   sample_sort [KEYS]
// Right if each rank's keys rise, no rank has a key below the last of the rank before it, and no key is lost.
#include <hindcast.h>
#include <inttypes.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 32 };  // of each rank

typedef uint64_t Key;
typedef struct {
  Key* keys;
  int count;
} Keys;

// As many bits of disorder as the key has, the same for whatever number of ranks.
static Key key_at(uint64_t i) {
  i = (i + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebu;
  return i ^ (i >> 31);
}

static int compare(const void* a, const void* b) {
  const Key left = *(const Key*)a, right = *(const Key*)b;
  return (left > right) - (left < right);
}

// Comparing two keys is taken for reading them.
static void sort(Key* keys, int count) {
  qsort(keys, count, sizeof(Key), compare);
  if (count > 1) hindcast_compute_bytes(2 * sizeof(Key) * count * log2(count));
}

static Keys make_keys(long all, int rank, int ranks) {
  const long first = all * rank / ranks, end = all * (rank + 1) / ranks;
  Keys mine = {malloc((end - first + 1) * sizeof(Key)), (int)(end - first)};
  for (long i = first; i < end; ++i) mine.keys[i - first] = key_at(i);
  return mine;
}

// The first key of each rank but rank 0.
static Key* find_splitters(Keys mine, int ranks) {
  Key samples[SAMPLES];
  for (int i = 0; i < SAMPLES; ++i) samples[i] = mine.count > 0 ? mine.keys[(long)mine.count * i / SAMPLES] : 0;
  Key* all = malloc(SAMPLES * ranks * sizeof(Key));
  MPI_Allgather(samples, SAMPLES, MPI_UINT64_T, all, SAMPLES, MPI_UINT64_T, MPI_COMM_WORLD);
  sort(all, SAMPLES * ranks);
  for (int rank = 1; rank < ranks; ++rank) all[rank - 1] = all[SAMPLES * rank];
  return all;
}

static void add_up(const int* counts, int* begins, int ranks) {
  begins[0] = 0;
  for (int rank = 0; rank < ranks; ++rank) begins[rank + 1] = begins[rank] + counts[rank];
}

// Every rank's part of these keys goes to it; the parts that come, each of them sorted, are put one behind the other.
static Keys exchange(Keys mine, const Key* splitters, int ranks, int* begins) {
  int *out = calloc(ranks, sizeof(int)), *in = malloc(ranks * sizeof(int));
  int* out_begins = malloc((ranks + 1) * sizeof(int));
  for (int i = 0, to = 0; i < mine.count; ++i) {
    while (to < ranks - 1 && mine.keys[i] >= splitters[to]) ++to;
    ++out[to];
  }
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  add_up(out, out_begins, ranks);
  add_up(in, begins, ranks);
  Keys theirs = {malloc((begins[ranks] + 1) * sizeof(Key)), begins[ranks]};
  MPI_Alltoallv(mine.keys, out, out_begins, MPI_UINT64_T, theirs.keys, in, begins, MPI_UINT64_T, MPI_COMM_WORLD);
  free(out);
  free(in);
  free(out_begins);
  return theirs;
}

static void merge_two(const Key* a, const Key* a_end, const Key* b, const Key* b_end, Key* out) {
  while (a < a_end || b < b_end) *out++ = b == b_end || (a < a_end && *a <= *b) ? *a++ : *b++;
}

// Neighbouring parts in pairs, until one is left.
static Keys merge(Keys keys, int* begins, int parts) {
  Key* other = malloc((keys.count + 1) * sizeof(Key));
  while (parts > 1) {
    for (int i = 0; i < parts; i += 2) {
      const int middle = begins[i + 1], end = begins[i + 2 <= parts ? i + 2 : parts];
      merge_two(keys.keys + begins[i], keys.keys + middle, keys.keys + middle, keys.keys + end, other + begins[i]);
      begins[i / 2 + 1] = end;
    }
    hindcast_compute_bytes(2 * sizeof(Key) * keys.count);
    parts = (parts + 1) / 2;
    Key* sorted = other;
    other = keys.keys;
    keys.keys = sorted;
  }
  free(other);
  return keys;
}

// Nobody's keys fall, nobody's first is below the last of those before it, and sum and number are those of the start.
static int is_sorted(Keys mine, long all, int rank, int ranks) {
  int faults = 0;
  uint64_t sums[3] = {0, mine.count, 0};
  for (int i = 0; i < mine.count; ++i) sums[0] += mine.keys[i];
  for (int i = 1; i < mine.count; ++i) faults += mine.keys[i - 1] > mine.keys[i];
  Key last = mine.count > 0 ? mine.keys[mine.count - 1] : 0, last_before = 0;
  MPI_Exscan(&last, &last_before, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  if (rank > 0 && mine.count > 0) faults += mine.keys[0] < last_before;
  for (long i = all * rank / ranks; i < all * (rank + 1) / ranks; ++i) sums[0] -= key_at(i);
  sums[2] = faults;
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sums[0] == 0 && sums[1] == (uint64_t)all && sums[2] == 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long all = argc > 1 ? atol(argv[1]) : 65536;
  Keys mine = make_keys(all, rank, ranks);
  int* begins = malloc((ranks + 2) * sizeof(int));

  MPI_Barrier(MPI_COMM_WORLD);
  double times[3] = {-MPI_Wtime()};
  sort(mine.keys, mine.count);
  times[1] = -MPI_Wtime();
  Key* splitters = find_splitters(mine, ranks);
  Keys theirs = exchange(mine, splitters, ranks, begins);
  times[1] += MPI_Wtime();
  theirs = merge(theirs, begins, ranks);
  times[0] += MPI_Wtime();
  times[2] = theirs.count;

  const int right = is_sorted(theirs, all, rank, ranks);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : times, times, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%ld keys on %d ranks: %s, %.3f ms, of which %.3f ms to exchange them; at most %.0f keys on a rank\n", all,
           ranks, right ? "right" : "WRONG", times[0] * 1e3, times[1] * 1e3, times[2]);
  free(mine.keys);
  free(theirs.keys);
  free(splitters);
  free(begins);
  MPI_Finalize();
  return !right;
}
