/* Packs and unpacks datatypes again and again, and says how long that takes: the median over batches
 * of the cycles that one call takes, by the processor's own counter, since an MPI's clock may be a simulated one.
 *
 *   packing BATCHES
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { data_bytes = 1 << 16, calls_in_batch = 20 };

struct mixed {
  int key;
  double values[2];
  char flag;
  float weight;
};

struct workload {
  const char* name;
  MPI_Datatype type;
  int count;
};

static MPI_Datatype contiguous(void) {
  MPI_Datatype type;
  MPI_Type_contiguous(data_bytes / 8, MPI_DOUBLE, &type);
  return type;
}

/* Blocks of so many doubles, `stride` apart. */
static MPI_Datatype vector(int length, int stride) {
  MPI_Datatype type;
  MPI_Type_vector(data_bytes / 8 / length, length, stride, MPI_DOUBLE, &type);
  return type;
}

/* 64 x 128 doubles out of 128 x 256. */
static MPI_Datatype subarray(void) {
  const int sizes[2] = {128, 256}, subsizes[2] = {64, 128}, starts[2] = {32, 64};
  MPI_Datatype type;
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  return type;
}

/* 1 to 15 doubles, with gaps of 1 to 8 between. */
static MPI_Datatype irregular(void) {
  enum { blocks = data_bytes / 8 / 8 };
  static int lengths[blocks], places[blocks];
  unsigned random = 1;
  int place = 0;
  for (int i = 0; i < blocks; ++i) {
    random = random * 1103515245u + 12345u;
    lengths[i] = 1 + (int)(random >> 16) % 15;
    places[i] = place;
    place += lengths[i] + 1 + (int)(random >> 24) % 8;
  }
  MPI_Datatype type;
  MPI_Type_indexed(blocks, lengths, places, MPI_DOUBLE, &type);
  return type;
}

static MPI_Datatype structure(void) {
  const int lengths[4] = {1, 2, 1, 1};
  const MPI_Aint places[4] = {offsetof(struct mixed, key), offsetof(struct mixed, values), offsetof(struct mixed, flag),
                              offsetof(struct mixed, weight)};
  const MPI_Datatype types[4] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_FLOAT};
  MPI_Datatype type;
  MPI_Type_create_struct(4, lengths, places, types, &type);
  return type;
}

static int compare(const void* a, const void* b) {
  const unsigned long long x = *(const unsigned long long*)a, y = *(const unsigned long long*)b;
  return x < y ? -1 : x > y;
}

static double median(unsigned long long* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return (double)values[count / 2] / calls_in_batch;
}

static char* filled(size_t bytes, int with) {
  char* memory = NULL;
  if (posix_memalign((void**)&memory, 4096, bytes) != 0) exit(1);
  for (size_t i = 0; i < bytes; ++i) memory[i] = (char)(with * (int)i + (int)(i >> 8));
  return memory;
}

static void measure(const struct workload* work, int batches) {
  MPI_Datatype type = work->type;
  MPI_Aint lb, extent;
  int size, room;
  MPI_Type_commit(&type);
  MPI_Type_get_extent(type, &lb, &extent);
  MPI_Type_size(type, &size);
  MPI_Pack_size(work->count, type, MPI_COMM_WORLD, &room);
  const size_t bytes = (size_t)(extent * work->count);
  char *memory = filled(bytes, 7), *back = filled(bytes, 0), *packed = filled((size_t)room, 0);
  unsigned long long* packing = malloc(sizeof *packing * (size_t)batches);
  unsigned long long* unpacking = malloc(sizeof *unpacking * (size_t)batches);
  int position = 0;
  for (int batch = -2; batch < batches; ++batch) { /* the first two warm up */
    const unsigned long long start = __builtin_ia32_rdtsc();
    for (int i = 0; i < calls_in_batch; ++i) {
      position = 0;
      MPI_Pack(memory, work->count, type, packed, room, &position, MPI_COMM_WORLD);
    }
    const unsigned long long between = __builtin_ia32_rdtsc();
    for (int i = 0; i < calls_in_batch; ++i) {
      int from = 0;
      MPI_Unpack(packed, room, &from, back, work->count, type, MPI_COMM_WORLD);
    }
    const unsigned long long end = __builtin_ia32_rdtsc();
    if (batch < 0) continue;
    packing[batch] = between - start;
    unpacking[batch] = end - between;
  }

  /* What was measured is what was asked for: what comes out is what went in, packed anew. */
  char* again = filled((size_t)room, 0);
  int end = 0;
  MPI_Pack(back, work->count, type, again, room, &end, MPI_COMM_WORLD);
  if (position != size * work->count || end != position || memcmp(packed, again, (size_t)position) != 0) {
    fprintf(stderr, "%s: packed wrongly\n", work->name);
    exit(1);
  }
  printf("%s\t%d\t%.0f\t%.0f\n", work->name, position, median(packing, batches), median(unpacking, batches));
  free(memory), free(back), free(packed), free(again), free(packing), free(unpacking);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const struct workload all[] = {
      {"contiguous", contiguous(), 1},
      {"vector, 8 B of 16", vector(1, 2), 1},
      {"vector, 1 KiB of 2 KiB", vector(128, 256), 1},
      {"2-D subarray, 64 x 128 of 128 x 256", subarray(), 1},
      {"indexed, irregular blocks", irregular(), 1},
      {"struct of mixed types", structure(), data_bytes / 25},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) measure(&all[i], atoi(argv[1]));
  MPI_Finalize();
  return 0;
}
