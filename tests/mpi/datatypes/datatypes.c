/* ranks: 2
 * The predefined datatypes: sizes, extents, counts of elements, and elements with gaps on their way. */
#include "check.h"

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

static void check_type(MPI_Datatype type, size_t size, size_t extent) {
  int found;
  MPI_Aint lb, found_extent, old_extent;
  MPI_Type_size(type, &found);
  CHECK_INT(found, size);
  MPI_Type_get_extent(type, &lb, &found_extent);
  CHECK_INT(lb, 0);
  CHECK_INT(found_extent, extent);
  MPI_Type_extent(type, &old_extent);
  CHECK_INT(old_extent, extent);
}

#define PLAIN(type, c) check_type(type, sizeof(c), sizeof(c))

static void sizes(void) {
  PLAIN(MPI_CHAR, char);
  PLAIN(MPI_SIGNED_CHAR, signed char);
  PLAIN(MPI_UNSIGNED_CHAR, unsigned char);
  PLAIN(MPI_BYTE, char);
  PLAIN(MPI_PACKED, char);
  PLAIN(MPI_WCHAR, wchar_t);
  PLAIN(MPI_SHORT, short);
  PLAIN(MPI_UNSIGNED_SHORT, unsigned short);
  PLAIN(MPI_INT, int);
  PLAIN(MPI_UNSIGNED, unsigned);
  PLAIN(MPI_LONG, long);
  PLAIN(MPI_UNSIGNED_LONG, unsigned long);
  PLAIN(MPI_LONG_LONG, long long);
  PLAIN(MPI_LONG_LONG_INT, long long);
  PLAIN(MPI_UNSIGNED_LONG_LONG, unsigned long long);
  PLAIN(MPI_FLOAT, float);
  PLAIN(MPI_DOUBLE, double);
  PLAIN(MPI_LONG_DOUBLE, long double);
  PLAIN(MPI_C_BOOL, bool);
  PLAIN(MPI_CXX_BOOL, bool);
  PLAIN(MPI_INT8_T, int8_t);
  PLAIN(MPI_INT16_T, int16_t);
  PLAIN(MPI_INT32_T, int32_t);
  PLAIN(MPI_INT64_T, int64_t);
  PLAIN(MPI_UINT8_T, uint8_t);
  PLAIN(MPI_UINT16_T, uint16_t);
  PLAIN(MPI_UINT32_T, uint32_t);
  PLAIN(MPI_UINT64_T, uint64_t);
  PLAIN(MPI_AINT, MPI_Aint);
  PLAIN(MPI_OFFSET, MPI_Offset);
  PLAIN(MPI_COUNT, MPI_Count);
  PLAIN(MPI_C_COMPLEX, float complex);
  PLAIN(MPI_C_FLOAT_COMPLEX, float complex);
  PLAIN(MPI_C_DOUBLE_COMPLEX, double complex);
  PLAIN(MPI_C_LONG_DOUBLE_COMPLEX, long double complex);
  PLAIN(MPI_CXX_FLOAT_COMPLEX, float complex);
  PLAIN(MPI_CXX_DOUBLE_COMPLEX, double complex);
  PLAIN(MPI_CXX_LONG_DOUBLE_COMPLEX, long double complex);
  check_type(MPI_CHARACTER, 1, 1);
  check_type(MPI_LOGICAL, 4, 4);
  check_type(MPI_INTEGER, 4, 4);
  check_type(MPI_INTEGER1, 1, 1);
  check_type(MPI_INTEGER2, 2, 2);
  check_type(MPI_INTEGER4, 4, 4);
  check_type(MPI_INTEGER8, 8, 8);
  check_type(MPI_INTEGER16, 16, 16);
  check_type(MPI_REAL, 4, 4);
  check_type(MPI_REAL4, 4, 4);
  check_type(MPI_REAL8, 8, 8);
  check_type(MPI_REAL16, 16, 16);
  check_type(MPI_DOUBLE_PRECISION, 8, 8);
  check_type(MPI_COMPLEX, 8, 8);
  check_type(MPI_COMPLEX8, 8, 8);
  check_type(MPI_COMPLEX16, 16, 16);
  check_type(MPI_COMPLEX32, 32, 32);
  check_type(MPI_DOUBLE_COMPLEX, 16, 16);
  check_type(MPI_2REAL, 8, 8);
  check_type(MPI_2DOUBLE_PRECISION, 16, 16);
  check_type(MPI_2INTEGER, 8, 8);
  check_type(MPI_2INT, 8, 8);
  check_type(MPI_FLOAT_INT, 8, 8);
  check_type(MPI_DOUBLE_INT, 12, 16);
  check_type(MPI_LONG_INT, 12, 16);
  check_type(MPI_SHORT_INT, 6, 8);
  check_type(MPI_LONG_DOUBLE_INT, 20, 32);
  CHECK(MPI_REAL2 == MPI_DATATYPE_NULL);
}

struct pair {
  double value;
  int index;
};

/* What lies between the elements stays as it was. */
static void gaps(void) {
  enum { n = 300 };
  struct pair out[n], in[n];
  MPI_Status status;
  int count, elements;
  memset(out, 0x11, sizeof out);
  memset(in, 0x22, sizeof in);
  for (int i = 0; i < n; ++i) {
    out[i].value = i + 0.5;
    out[i].index = element(world_rank(), 1, i);
  }
  const int partner = 1 - world_rank();
  MPI_Sendrecv(out, n, MPI_DOUBLE_INT, partner, 1, in, n, MPI_DOUBLE_INT, partner, 1, MPI_COMM_WORLD, &status);
  for (int i = 0; i < n; ++i) {
    CHECK(in[i].value == i + 0.5);
    CHECK_INT(in[i].index, element(partner, 1, i));
    const unsigned char* gap = (const unsigned char*)&in[i] + offsetof(struct pair, index) + sizeof(int);
    CHECK_INT(gap[0], 0x22);
    CHECK_INT(gap[3], 0x22);
  }
  MPI_Get_count(&status, MPI_DOUBLE_INT, &count);
  CHECK_INT(count, n);
  MPI_Get_elements(&status, MPI_DOUBLE_INT, &elements);
  CHECK_INT(elements, 2 * n);
  MPI_Sendrecv_replace(in, n, MPI_DOUBLE_INT, partner, 2, partner, 2, MPI_COMM_WORLD, &status);
  for (int i = 0; i < n; ++i) CHECK_INT(in[i].index, element(world_rank(), 1, i));

  MPI_Request requests[2];
  memset(in, 0, sizeof in);
  MPI_Irecv(in, n, MPI_DOUBLE_INT, partner, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, n, MPI_DOUBLE_INT, partner, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; ++i) CHECK_INT(in[i].index, element(partner, 1, i));
}

static void counts(void) {
  MPI_Status status;
  int count;
  MPI_Count large;
  MPI_Status_set_elements(&status, MPI_INT, 6);
  MPI_Status_set_cancelled(&status, 0);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_INT(count, 6);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  CHECK_INT(count, 3);
  MPI_Get_count(&status, MPI_LONG_DOUBLE, &count); /* 24 bytes of 16 */
  CHECK_INT(count, MPI_UNDEFINED);
  MPI_Status_set_elements(&status, MPI_DOUBLE_INT, 3); /* one and a half */
  MPI_Get_count(&status, MPI_DOUBLE_INT, &count);
  CHECK_INT(count, MPI_UNDEFINED);
  MPI_Get_elements(&status, MPI_DOUBLE_INT, &count);
  CHECK_INT(count, 3);
  MPI_Status_set_elements_x(&status, MPI_DOUBLE, (MPI_Count)3000000000);
  MPI_Get_elements_x(&status, MPI_DOUBLE, &large);
  CHECK_INT(large, 3000000000);
  MPI_Get_elements(&status, MPI_DOUBLE, &count);
  CHECK_INT(count, MPI_UNDEFINED);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  CHECK_INT(count, MPI_UNDEFINED);
}

static void addresses(void) {
  int data[10] = {0};
  MPI_Aint first, third;
  MPI_Get_address(&data[0], &first);
  MPI_Address(&data[3], &third);
  CHECK_INT(MPI_Aint_diff(third, first), 3 * sizeof(int));
  CHECK(MPI_Aint_add(first, 3 * sizeof(int)) == third);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  sizes();
  gaps();
  counts();
  addresses();
  return finish();
}
