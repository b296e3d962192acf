/* Put, get, p, g, iput and iget in all types and sizes, from each PE to the next. */
#include <string.h>

#include "check.h"

enum { elements = 100, stride_there = 3, stride_here = 2 };
static int me, n, next, before;

#define VALUE(pe, i) ((pe)*7 + (i) % 11)

/* A number goes to the next PE by `put`, is fetched from there by `get`, and so on. */
#define TEST_TYPE(name, type)                                                                        \
  static type name##_target[elements * stride_there], name##_one;                                    \
  static void test_##name(void) {                                                                    \
    type source[elements * stride_here], back[elements * stride_there];                              \
    for (int i = 0; i < elements; ++i) source[i] = (type)VALUE(me, i);                               \
    shmem_##name##_put(name##_target, source, elements, next);                                       \
    memset(source, 0, sizeof source); /* it may be used again at once */                             \
    shmem_barrier_all();                                                                             \
    for (int i = 0; i < elements; ++i) CHECK(name##_target[i] == (type)VALUE(before, i));            \
    shmem_##name##_get(back, name##_target, elements, next);                                         \
    for (int i = 0; i < elements; ++i) CHECK(back[i] == (type)VALUE(me, i));                         \
    shmem_barrier_all();                                                                             \
    memset(name##_target, 0, sizeof name##_target);                                                  \
    for (int i = 0; i < elements; ++i) source[i * stride_here] = (type)VALUE(me, i + 1);             \
    shmem_barrier_all();                                                                             \
    shmem_##name##_iput(name##_target, source, stride_there, stride_here, elements, next);           \
    shmem_barrier_all();                                                                             \
    for (int i = 0; i < elements * stride_there; ++i)                                                \
      CHECK(name##_target[i] == (type)(i % stride_there ? 0 : VALUE(before, i / stride_there + 1))); \
    memset(back, 0, sizeof back);                                                                    \
    shmem_##name##_iget(back, name##_target, 1, stride_there, elements, next);                       \
    for (int i = 0; i < elements; ++i) CHECK(back[i] == (type)VALUE(me, i + 1));                     \
    CHECK(back[elements] == 0);                                                                      \
    memset(back, 0, sizeof back);                                                                    \
    shmem_##name##_iget(back + elements - 1, name##_target, -1, stride_there, elements, next);       \
    for (int i = 0; i < elements; ++i) CHECK(back[elements - 1 - i] == (type)VALUE(me, i + 1));      \
    shmem_barrier_all();                                                                             \
    shmem_##name##_p(&name##_one, (type)(me + 1), next);                                             \
    shmem_barrier_all();                                                                             \
    CHECK(name##_one == (type)(before + 1));                                                         \
    CHECK(shmem_##name##_g(&name##_one, next) == (type)(me + 1));                                    \
  }
TEST_TYPE(short, short)
TEST_TYPE(int, int)
TEST_TYPE(long, long)
TEST_TYPE(longlong, long long)
TEST_TYPE(float, float)
TEST_TYPE(double, double)
TEST_TYPE(longdouble, long double)

static unsigned char block[4096];

static void fill(unsigned char* data, int bytes, int from) {
  for (int i = 0; i < bytes; ++i) data[i] = (unsigned char)(from * 31 + i * 7);
}
static int is_filled(const unsigned char* data, int bytes, int from) {
  for (int i = 0; i < bytes; ++i)
    if (data[i] != (unsigned char)(from * 31 + i * 7)) return 0;
  return 1;
}

typedef void (*put_function)(void*, const void*, size_t, int);
static const struct {
  put_function put, get;
  int bytes;
} sized[] = {
    {shmem_put, shmem_get, 8},       {shmem_put64, shmem_get64, 8}, {shmem_put8, shmem_get8, 1},
    {shmem_put16, shmem_get16, 2},   {shmem_put32, shmem_get32, 4}, {shmem_put128, shmem_get128, 16},
    {shmem_putmem, shmem_getmem, 1},
};

static void test_sizes(void) {
  unsigned char source[sizeof block];
  for (unsigned i = 0; i < sizeof sized / sizeof *sized; ++i) {
    for (int length = 0; length * sized[i].bytes <= (int)sizeof block; length = 2 * length + 1) {
      const int bytes = length * sized[i].bytes;
      memset(block, 0, sizeof block);
      fill(source, bytes, me + length);
      shmem_barrier_all();
      sized[i].put(block, source, length, next);
      shmem_barrier_all();
      CHECK(is_filled(block, bytes, before + length));
      CHECK(bytes == sizeof block || block[bytes] == 0);
      memset(source, 0, sizeof source);
      sized[i].get(source, block, length, next);
      CHECK(is_filled(source, bytes, me + length));
      CHECK(bytes == sizeof source || source[bytes] == 0);
      shmem_barrier_all();
    }
  }
}

typedef void (*iput_function)(void*, const void*, ptrdiff_t, ptrdiff_t, size_t, int);
static const struct {
  iput_function iput, iget;
  int bytes;
} strided[] = {
    {shmem_iput, shmem_iget, 8},
    {shmem_iput64, shmem_iget64, 8},
    {shmem_iput32, shmem_iget32, 4},
    {shmem_iput128, shmem_iget128, 16},
};

/* A row of a matrix becomes a column there, and comes back. */
static void test_strided_sizes(void) {
  enum { side = 16 };
  unsigned char source[side * 16], back[side * 16];
  for (unsigned i = 0; i < sizeof strided / sizeof *strided; ++i) {
    const int bytes = strided[i].bytes;
    memset(block, 0, sizeof block);
    fill(source, side * bytes, me);
    shmem_barrier_all();
    strided[i].iput(block, source, side, 1, side, next);
    shmem_barrier_all();
    fill(source, side * bytes, before);
    for (int row = 0; row < side; ++row)
      CHECK(memcmp(block + row * side * bytes, source + row * bytes, (size_t)bytes) == 0);
    strided[i].iget(back, block, 1, side, side, next);
    fill(source, side * bytes, me);
    CHECK(memcmp(back, source, (size_t)(side * bytes)) == 0);
    shmem_barrier_all();
  }
}

/* More than the E-registers hold, to PEs at all distances, the own one too. */
static void test_much(void) {
  enum { longs = 30000 };
  static long target[longs];
  long* source = malloc(sizeof target);
  for (int distance = 0; distance < n; distance += 1 + n / 8) {
    for (int i = 0; i < longs; ++i) source[i] = me * 100000L + i + distance;
    shmem_long_put(target, source, longs, (me + distance) % n);
    memset(source, 0, sizeof target);
    shmem_barrier_all();
    for (int i = 0; i < longs; ++i) CHECK_LONG(target[i], (me - distance + n) % n * 100000L + i + distance);
    shmem_get64(source, target, longs, (me + distance) % n);
    for (int i = 0; i < longs; ++i) CHECK_LONG(source[i], me * 100000L + i + distance);
    shmem_barrier_all();
  }
  free(source);
}

static char letter;
int main(void) {
  start_pes(0);
  me = shmem_my_pe();
  n = shmem_n_pes();
  next = (me + 1) % n;
  before = (me + n - 1) % n;
  test_short();
  test_int();
  test_long();
  test_longlong();
  test_float();
  test_double();
  test_longdouble();
  test_much();
  test_sizes();
  test_strided_sizes();
  shmem_char_p(&letter, (char)('a' + me % 26), next);
  shmem_barrier_all();
  CHECK(letter == 'a' + before % 26 && shmem_char_g(&letter, next) == 'a' + me % 26);
  return finish();
}
