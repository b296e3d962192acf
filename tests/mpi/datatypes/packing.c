/* ranks: 2
 * Packing by the program: several messages in one, positions, and external32. */
#include "check.h"

#include <string.h>
#include <wchar.h>

static MPI_Datatype column; /* every third int of four */

/* The standard's example (4.2): a count and as many numbers, packed one after the other, sent as MPI_PACKED. */
static void one_after_the_other(void) {
  char packed[200];
  int n = 7, out[12], in[12], position = 0, size;
  double values[7];
  const int partner = 1 - world_rank();
  MPI_Status status;
  fill(out, 12, world_rank(), 1);
  for (int i = 0; i < n; ++i) values[i] = element(world_rank(), 2, i);
  MPI_Pack(&n, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
  MPI_Pack(values, n, MPI_DOUBLE, packed, sizeof packed, &position, MPI_COMM_WORLD);
  MPI_Pack(out, 1, column, packed, sizeof packed, &position, MPI_COMM_WORLD);
  CHECK_INT(position, 4 + 7 * 8 + 16);
  MPI_Pack(out, 0, column, packed, sizeof packed, &position, MPI_COMM_WORLD);
  CHECK_INT(position, 4 + 7 * 8 + 16);

  char received[200] = {0};
  memset(in, 0, sizeof in);
  MPI_Sendrecv(packed, position, MPI_PACKED, partner, 1, received, sizeof received, MPI_PACKED, partner, 1,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_PACKED, &size);
  CHECK_INT(size, position);
  position = 0;
  n = 0;
  MPI_Unpack(received, size, &position, &n, 1, MPI_INT, MPI_COMM_WORLD);
  CHECK_INT(n, 7);
  MPI_Unpack(received, size, &position, values, n, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Unpack(received, size, &position, in, 1, column, MPI_COMM_WORLD);
  CHECK_INT(position, size);
  MPI_Unpack(received, size, &position, NULL, 0, column, MPI_COMM_WORLD);
  CHECK_INT(position, size);
  for (int i = 0; i < n; ++i) CHECK(values[i] == element(partner, 2, i));
  for (int i = 0; i < 12; ++i) CHECK_INT(in[i], i % 3 == 0 ? element(partner, 1, i) : 0);
}

/* What is packed may be received as what it is, and what is sent as it is may be unpacked. */
static void packed_and_not(void) {
  char packed[64];
  int in[12] = {0}, out[12], position = 0;
  const int partner = 1 - world_rank();
  fill(out, 12, world_rank(), 4);
  MPI_Pack(out, 1, column, packed, sizeof packed, &position, MPI_COMM_WORLD);
  MPI_Sendrecv(packed, position, MPI_PACKED, partner, 1, in, 1, column, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 12; ++i) CHECK_INT(in[i], i % 3 == 0 ? element(partner, 4, i) : 0);
  MPI_Sendrecv(out, 1, column, partner, 1, packed, 16, MPI_PACKED, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  position = 0;
  for (int i = 0; i < 4; ++i) { /* piece by piece */
    MPI_Unpack(packed, 16, &position, in, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK_INT(in[0], element(partner, 4, 3 * i));
  }
}

/* Nothing has room in no buffer; packed data may be packed again; and for a communicator of two groups. */
static void edges(void) {
  char packed[40], again[40];
  int position = 0, value = element(world_rank(), 5, 0), got = -1;
  MPI_Comm inter;
  MPI_Pack(NULL, 0, MPI_INT, NULL, 0, &position, MPI_COMM_WORLD);
  MPI_Unpack(NULL, 0, &position, NULL, 0, MPI_INT, MPI_COMM_WORLD);
  CHECK_INT(position, 0);
  position = 40;
  MPI_Pack(NULL, 0, MPI_INT, packed, 40, &position, MPI_COMM_WORLD);
  CHECK_INT(position, 40);
  MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - world_rank(), 6, &inter);
  position = 0;
  MPI_Pack(&value, 1, MPI_INT, packed, 40, &position, inter);
  const int length = position;
  position = 0;
  MPI_Pack(packed, length, MPI_PACKED, again, 40, &position, inter);
  CHECK_INT(position, length);
  MPI_Sendrecv(again, length, MPI_PACKED, 0, 6, packed, 40, MPI_PACKED, 0, 6, inter, MPI_STATUS_IGNORE);
  position = 0;
  MPI_Unpack(packed, length, &position, &got, 1, MPI_INT, inter);
  check_elements(&got, 1, 1 - world_rank(), 5);
  MPI_Comm_free(&inter);
}

static void sizes(void) {
  int size;
  MPI_Aint large;
  MPI_Datatype huge;
  MPI_Pack_size(3, column, MPI_COMM_WORLD, &size);
  CHECK(size >= 48);
  MPI_Pack_size(0, column, MPI_COMM_SELF, &size);
  CHECK(size >= 0);
  MPI_Type_contiguous(1 << 30, MPI_LONG, &huge);
  MPI_Pack_size(1, huge, MPI_COMM_WORLD, &size);
  CHECK_INT(size, MPI_UNDEFINED);
  MPI_Pack_external_size("external32", 1, huge, &large);
  CHECK_INT(large, 1L << 32); /* 4 bytes each */
  MPI_Type_free(&huge);
  MPI_Pack_external_size("external32", 5, MPI_LONG_DOUBLE_INT, &large);
  CHECK_INT(large, 5 * 20);
  MPI_Pack_external_size("external32", 0, MPI_INT, &large);
  CHECK_INT(large, 0);
  FAILS(MPI_Pack_size(-1, column, MPI_COMM_WORLD, &size), MPI_ERR_COUNT);
  FAILS(MPI_Pack_size(1, MPI_DATATYPE_NULL, MPI_COMM_WORLD, &size), MPI_ERR_TYPE);
  FAILS(MPI_Pack_size(1, column, MPI_COMM_NULL, &size), MPI_ERR_COMM);
  FAILS(MPI_Pack_external_size("internal", 1, MPI_INT, &large), MPI_ERR_ARG);
  FAILS(MPI_Pack_external_size("external32", 1, MPI_DATATYPE_NULL, &large), MPI_ERR_TYPE);
}

static void refused(void) {
  char packed[16];
  int data[12] = {0}, position = 0;
  FAILS(MPI_Pack(data, 5, MPI_INT, packed, 16, &position, MPI_COMM_WORLD), MPI_ERR_ARG);
  CHECK_INT(position, 0);
  position = 9;
  FAILS(MPI_Pack(data, 2, MPI_INT, packed, 16, &position, MPI_COMM_WORLD), MPI_ERR_ARG);
  FAILS(MPI_Unpack(packed, 16, &position, data, 2, MPI_INT, MPI_COMM_WORLD), MPI_ERR_ARG);
  position = -1;
  FAILS(MPI_Pack(data, 1, MPI_INT, packed, 16, &position, MPI_COMM_WORLD), MPI_ERR_ARG);
  FAILS(MPI_Unpack(packed, 16, &position, data, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_ARG);
  position = 0;
  FAILS(MPI_Pack(data, -1, MPI_INT, packed, 16, &position, MPI_COMM_WORLD), MPI_ERR_COUNT);
  FAILS(MPI_Pack(NULL, 1, MPI_INT, packed, 16, &position, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  FAILS(MPI_Pack(data, 1, MPI_DATATYPE_NULL, packed, 16, &position, MPI_COMM_WORLD), MPI_ERR_TYPE);
  FAILS(MPI_Pack(data, 1, MPI_INT, packed, 16, &position, MPI_COMM_NULL), MPI_ERR_COMM);
  FAILS(MPI_Unpack(packed, 16, &position, NULL, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  FAILS(MPI_Unpack(packed, -4, &position, data, 1, MPI_INT, MPI_COMM_WORLD), MPI_ERR_COUNT);
  MPI_Aint place = 12;
  FAILS(MPI_Pack_external("external32", data, 2, MPI_INT, packed, 16, &place), MPI_ERR_ARG);
  FAILS(MPI_Unpack_external("external32", packed, 16, &place, data, 2, MPI_INT), MPI_ERR_ARG);
  place = 0;
  FAILS(MPI_Pack_external("native", data, 2, MPI_INT, packed, 16, &place), MPI_ERR_ARG);
  FAILS(MPI_Unpack_external("native", packed, 16, &place, data, 2, MPI_INT), MPI_ERR_ARG);
  FAILS(MPI_Pack_external("external32", data, 2, MPI_DATATYPE_NULL, packed, 16, &place), MPI_ERR_TYPE);
  FAILS(MPI_Unpack_external("external32", packed, 16, &place, data, -2, MPI_INT), MPI_ERR_COUNT);
}

struct record {
  long key;
  short small;
  double value;
  wchar_t letter;
  long double precise;
};

/* One element at place 3 of the packed data is these bytes there, and comes back. */
#define EXTERNAL(T, type, value, ...)                                                  \
  do {                                                                                 \
    const T out = (T)(value);                                                          \
    T in = 0;                                                                          \
    const unsigned char bytes[] = {__VA_ARGS__};                                       \
    unsigned char packed[32];                                                          \
    MPI_Aint position = 3, size;                                                       \
    MPI_Pack_external("external32", &out, 1, type, packed, sizeof packed, &position);  \
    CHECK_INT(position, 3 + sizeof bytes);                                             \
    CHECK(memcmp(packed + 3, bytes, sizeof bytes) == 0);                               \
    MPI_Pack_external_size("external32", 1, type, &size);                              \
    CHECK_INT(size, sizeof bytes);                                                     \
    position = 3;                                                                      \
    MPI_Unpack_external("external32", packed, sizeof packed, &position, &in, 1, type); \
    CHECK(in == out);                                                                  \
  } while (0)

static void external_elements(void) {
  MPI_Datatype kind;
  EXTERNAL(char, MPI_CHAR, 'a', 0x61);
  EXTERNAL(unsigned char, MPI_BYTE, 200, 200);
  EXTERNAL(_Bool, MPI_C_BOOL, 1, 1);
  EXTERNAL(short, MPI_INT16_T, 0x1234, 0x12, 0x34);
  EXTERNAL(int, MPI_INT, -2, 0xff, 0xff, 0xff, 0xfe);
  EXTERNAL(unsigned long, MPI_UNSIGNED_LONG, 0xfffffff0, 0xff, 0xff, 0xff, 0xf0);
  EXTERNAL(long long, MPI_LONG_LONG, 0x0102030405060708, 1, 2, 3, 4, 5, 6, 7, 8);
  EXTERNAL(MPI_Aint, MPI_AINT, 0x12, 0, 0, 0, 0, 0, 0, 0, 0x12);
  EXTERNAL(MPI_Count, MPI_COUNT, 0x12, 0, 0, 0, 0, 0, 0, 0, 0x12);
  EXTERNAL(MPI_Offset, MPI_OFFSET, 0x12, 0, 0, 0, 0, 0, 0, 0, 0x12);
  EXTERNAL(int, MPI_LOGICAL, 1, 0, 0, 0, 1);
  EXTERNAL(short, MPI_INTEGER2, -1, 0xff, 0xff);
  EXTERNAL(float, MPI_FLOAT, -1, 0xbf, 0x80, 0, 0);
  EXTERNAL(double, MPI_REAL8, 1, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0);
  EXTERNAL(double _Complex, MPI_C_DOUBLE_COMPLEX, 1, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  MPI_Type_create_f90_integer(4, &kind);
  EXTERNAL(short, kind, -2, 0xff, 0xfe);
  MPI_Type_create_f90_real(6, 37, &kind);
  EXTERNAL(float, kind, 1, 0x3f, 0x80, 0, 0);
}

/* Big-endian, of the standard's sizes, without gaps; and back. */
static void external(void) {
  const int lengths[5] = {1, 1, 1, 1, 1};
  MPI_Aint base, places[5], position = 0, size;
  struct record out[3], in[3];
  unsigned char packed[200];
  memset(out, 0, sizeof out);
  MPI_Get_address(&out[0], &base);
  MPI_Get_address(&out[0].key, &places[0]);
  MPI_Get_address(&out[0].small, &places[1]);
  MPI_Get_address(&out[0].value, &places[2]);
  MPI_Get_address(&out[0].letter, &places[3]);
  MPI_Get_address(&out[0].precise, &places[4]);
  for (int i = 0; i < 5; ++i) places[i] = MPI_Aint_diff(places[i], base);
  const MPI_Datatype types[5] = {MPI_LONG, MPI_SHORT, MPI_DOUBLE, MPI_WCHAR, MPI_LONG_DOUBLE};
  MPI_Datatype type;
  MPI_Type_create_struct(5, lengths, places, types, &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < 3; ++i) {
    out[i].key = -element(world_rank(), 1, i);
    out[i].small = (short)(-300 - i);
    out[i].value = 1.5 + i;
    out[i].letter = L'\u263a';
    out[i].precise = -0.1L * (i + 1);
  }
  MPI_Pack_external_size("external32", 3, type, &size);
  CHECK_INT(size, 3 * (4 + 2 + 8 + 2 + 16));
  MPI_Pack_external("external32", out, 3, type, packed, sizeof packed, &position);
  CHECK_INT(position, size);
  const unsigned char second_short[2] = {0xfe, 0xd3}, one_and_a_half[8] = {0x3f, 0xf8}, smile[2] = {0x26, 0x3a};
  CHECK(memcmp(packed + 32 + 4, second_short, 2) == 0);
  CHECK(memcmp(packed + 6, one_and_a_half, 8) == 0);
  CHECK(memcmp(packed + 14, smile, 2) == 0);

  const int partner = 1 - world_rank();
  MPI_Sendrecv_replace(packed, (int)position, MPI_BYTE, partner, 1, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  position = 0;
  memset(in, 0, sizeof in);
  MPI_Unpack_external("external32", packed, size, &position, in, 2, type);
  CHECK_INT(position, 64);
  MPI_Unpack_external("external32", packed, size, &position, &in[2], 1, type);
  MPI_Unpack_external("external32", packed, size, &position, NULL, 0, type);
  CHECK_INT(position, size);
  for (int i = 0; i < 3; ++i) {
    CHECK_INT(in[i].key, -element(partner, 1, i));
    CHECK_INT(in[i].small, -300 - i);
    CHECK(in[i].value == 1.5 + i);
    CHECK_INT(in[i].letter, 0x263a);
    CHECK(in[i].precise == -0.1L * (i + 1));
  }
  position = 0;
  MPI_Pack_external("external32", NULL, 0, type, packed, sizeof packed, &position);
  CHECK_INT(position, 0);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_vector(4, 1, 3, MPI_INT, &column);
  MPI_Type_commit(&column);
  one_after_the_other();
  packed_and_not();
  sizes();
  refused();
  edges();
  external_elements();
  external();
  MPI_Type_free(&column);
  return finish();
}
