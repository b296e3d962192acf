/* ranks: 1
 * Envelope and contents: every constructor's arguments come back, and make the same datatype again. */
#include "check.h"

#include <string.h>

enum { most = 16 };

static int integers[most];
static MPI_Aint addresses[most];
static MPI_Datatype types[most];
static MPI_Datatype type;

/* Looks into `type`, and frees it. */
static void open_up(int combiner, int some_integers, int some_addresses, int some_types) {
  int i, a, t, c;
  MPI_Type_get_envelope(type, &i, &a, &t, &c);
  CHECK_INT(c, combiner);
  CHECK_INT(i, some_integers);
  CHECK_INT(a, some_addresses);
  CHECK_INT(t, some_types);
  memset(integers, 0x77, sizeof integers);
  MPI_Type_get_contents(type, i, a, t, integers, addresses, types);
  CHECK_INT(integers[i], 0x77777777); /* no more than asked for */
  if (combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER)
    MPI_Type_free(&type);
}

static void check_integers(int count, const int* expected) {
  for (int i = 0; i < count; ++i) CHECK_INT(integers[i], expected[i]);
}

#define INTEGERS(...)                                                           \
  do {                                                                          \
    const int check_expected[] = {__VA_ARGS__};                                 \
    check_integers((int)(sizeof check_expected / sizeof(int)), check_expected); \
  } while (0)

static void simple_ones(void) {
  int i, a, t, c;
  MPI_Type_get_envelope(MPI_DOUBLE, &i, &a, &t, &c);
  CHECK_INT(c, MPI_COMBINER_NAMED);
  CHECK_INT(i + a + t, 0);
  MPI_Type_get_envelope(MPI_DOUBLE_INT, &i, &a, &t, &c);
  CHECK_INT(c, MPI_COMBINER_NAMED);

  MPI_Type_dup(MPI_INT, &type);
  open_up(MPI_COMBINER_DUP, 0, 0, 1);
  CHECK(types[0] == MPI_INT);
  MPI_Type_contiguous(0, MPI_INT, &type);
  open_up(MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
  INTEGERS(0);
  MPI_Type_vector(3, 2, -5, MPI_FLOAT, &type);
  open_up(MPI_COMBINER_VECTOR, 3, 0, 1);
  INTEGERS(3, 2, -5);
  CHECK(types[0] == MPI_FLOAT);
  MPI_Type_create_hvector(3, 2, 1L << 33, MPI_FLOAT, &type);
  open_up(MPI_COMBINER_HVECTOR, 2, 1, 1);
  INTEGERS(3, 2);
  CHECK_INT(addresses[0], 1L << 33);
  MPI_Type_hvector(3, 2, 8, MPI_FLOAT, &type);
  open_up(MPI_COMBINER_HVECTOR, 2, 1, 1);
  MPI_Type_create_resized(MPI_CHAR, -4, 20, &type);
  open_up(MPI_COMBINER_RESIZED, 0, 2, 1);
  CHECK_INT(addresses[0], -4);
  CHECK_INT(addresses[1], 20);
  CHECK(types[0] == MPI_CHAR);
}

static void lists(void) {
  const int lengths[3] = {2, 0, 1}, places[3] = {4, 9, -7};
  const MPI_Aint far[3] = {40, -8, 1L << 35};
  const MPI_Datatype parts[3] = {MPI_INT, MPI_CHAR, MPI_INT};
  MPI_Type_indexed(3, lengths, places, MPI_SHORT, &type);
  open_up(MPI_COMBINER_INDEXED, 7, 0, 1);
  INTEGERS(3, 2, 0, 1, 4, 9, -7);
  MPI_Type_create_hindexed(3, lengths, far, MPI_SHORT, &type);
  open_up(MPI_COMBINER_HINDEXED, 4, 3, 1);
  INTEGERS(3, 2, 0, 1);
  CHECK_INT(addresses[2], far[2]);
  MPI_Type_create_indexed_block(3, 5, places, MPI_SHORT, &type);
  open_up(MPI_COMBINER_INDEXED_BLOCK, 5, 0, 1);
  INTEGERS(3, 5, 4, 9, -7);
  MPI_Type_create_hindexed_block(3, 5, far, MPI_SHORT, &type);
  open_up(MPI_COMBINER_HINDEXED_BLOCK, 2, 3, 1);
  INTEGERS(3, 5);
  CHECK_INT(addresses[1], -8);
  MPI_Type_create_struct(3, lengths, far, parts, &type);
  open_up(MPI_COMBINER_STRUCT, 4, 3, 3);
  INTEGERS(3, 2, 0, 1);
  CHECK_INT(addresses[0], 40);
  CHECK(types[0] == MPI_INT && types[1] == MPI_CHAR && types[2] == MPI_INT);
  MPI_Type_struct(0, NULL, NULL, NULL, &type);
  open_up(MPI_COMBINER_STRUCT, 1, 0, 0);
  INTEGERS(0);
}

/* Markers and blocks of no element are arguments as others. */
static void marked(void) {
  const int lengths[4] = {1, 2, 0, 1};
  const MPI_Aint places[4] = {-4, 0, 100, 20};
  const MPI_Datatype parts[4] = {MPI_LB, MPI_INT, MPI_DOUBLE, MPI_UB};
  MPI_Type_struct(4, lengths, places, parts, &type);
  open_up(MPI_COMBINER_STRUCT, 5, 4, 4);
  INTEGERS(4, 1, 2, 0, 1);
  for (int i = 0; i < 4; ++i) CHECK(addresses[i] == places[i] && types[i] == parts[i]);
}

static void arrays(void) {
  const int sizes[2] = {5, 6}, subsizes[2] = {2, 3}, starts[2] = {1, 3};
  const int kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, arguments[2] = {2, MPI_DISTRIBUTE_DFLT_DARG};
  const int grid[2] = {2, 3};
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
  open_up(MPI_COMBINER_SUBARRAY, 8, 0, 1);
  INTEGERS(2, 5, 6, 2, 3, 1, 3, MPI_ORDER_FORTRAN);
  MPI_Type_create_darray(6, 4, 2, sizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
  open_up(MPI_COMBINER_DARRAY, 12, 0, 1);
  INTEGERS(6, 4, 2, 5, 6, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK, 2, MPI_DISTRIBUTE_DFLT_DARG, 2, 3, MPI_ORDER_C);
}

static void fortran_ones(void) {
  MPI_Type_create_f90_real(6, MPI_UNDEFINED, &type);
  open_up(MPI_COMBINER_F90_REAL, 2, 0, 0);
  INTEGERS(6, MPI_UNDEFINED);
  MPI_Datatype real = type;
  MPI_Type_contiguous(2, real, &type);
  open_up(MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
  CHECK(types[0] == real);
  MPI_Type_create_f90_complex(15, 300, &type);
  open_up(MPI_COMBINER_F90_COMPLEX, 2, 0, 0);
  INTEGERS(15, 300);
  MPI_Type_create_f90_integer(9, &type);
  open_up(MPI_COMBINER_F90_INTEGER, 1, 0, 0);
  INTEGERS(9);
}

/* What a datatype was made of comes as a new handle, even if the old one is gone by then. */
static void derived_ones(void) {
  MPI_Datatype inner;
  int size, position = 0, packed[4];
  MPI_Type_vector(2, 1, 3, MPI_INT, &inner);
  MPI_Type_contiguous(2, inner, &type);
  MPI_Type_free(&inner);
  open_up(MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
  INTEGERS(2);
  type = types[0];
  MPI_Type_size(type, &size);
  CHECK_INT(size, 2 * sizeof(int));
  MPI_Type_commit(&type);
  const int data[4] = {element(0, 1, 0), element(0, 1, 1), element(0, 1, 2), element(0, 1, 3)};
  MPI_Pack(data, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
  CHECK_INT(packed[0], element(0, 1, 0));
  CHECK_INT(packed[1], element(0, 1, 3));
  open_up(MPI_COMBINER_VECTOR, 3, 0, 1);
  INTEGERS(2, 1, 3);
}

static void refused(void) {
  int i;
  FAILS(MPI_Type_get_envelope(MPI_DATATYPE_NULL, &i, &i, &i, &i), MPI_ERR_TYPE);
  FAILS(MPI_Type_get_envelope(MPI_INT, &i, &i, &i, NULL), MPI_ERR_ARG);
  FAILS(MPI_Type_get_contents(MPI_INT, most, most, most, integers, addresses, types), MPI_ERR_TYPE);
  MPI_Type_vector(1, 1, 1, MPI_INT, &type);
  FAILS(MPI_Type_get_contents(type, 2, most, most, integers, addresses, types), MPI_ERR_ARG);
  FAILS(MPI_Type_get_contents(type, 3, 0, 0, integers, NULL, types), MPI_ERR_ARG);
  FAILS(MPI_Type_get_contents(type, -1, 0, 1, integers, NULL, types), MPI_ERR_ARG);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  simple_ones();
  lists();
  marked();
  arrays();
  fortran_ones();
  derived_ones();
  refused();
  return finish();
}
