/* ranks: 1
 * Bounds, extents and sizes: padding, markers, resizing, true bounds, and what ints cannot hold. */
#include "check.h"

#include <stddef.h>

static MPI_Datatype type, freed;

/* Every way to ask for the same. */
static void check_bounds(MPI_Datatype of, MPI_Count lb, MPI_Count extent, MPI_Count true_lb, MPI_Count true_extent) {
  MPI_Aint a, b;
  MPI_Count x, y;
  MPI_Type_get_extent(of, &a, &b);
  CHECK_INT(a, lb);
  CHECK_INT(b, extent);
  MPI_Type_get_extent_x(of, &x, &y);
  CHECK_INT(x, lb);
  CHECK_INT(y, extent);
  MPI_Type_get_true_extent(of, &a, &b);
  CHECK_INT(a, true_lb);
  CHECK_INT(b, true_extent);
  MPI_Type_get_true_extent_x(of, &x, &y);
  CHECK_INT(x, true_lb);
  CHECK_INT(y, true_extent);
  MPI_Type_extent(of, &a);
  CHECK_INT(a, extent);
  MPI_Type_lb(of, &a);
  CHECK_INT(a, lb);
  MPI_Type_ub(of, &a);
  CHECK_INT(a, lb + extent);
}

static void check_size(MPI_Datatype of, int size, MPI_Count large) {
  int found;
  MPI_Count found_large;
  MPI_Type_size(of, &found);
  CHECK_INT(found, size);
  MPI_Type_size_x(of, &found_large);
  CHECK_INT(found_large, large);
}

/* {(double, 0), (char, 8)} is padded to a multiple of the double's alignment; a marker says otherwise. */
static void padding(void) {
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, 8};
  const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_CHAR};
  MPI_Datatype twice, resized;
  MPI_Type_create_struct(2, lengths, places, types, &type);
  check_bounds(type, 0, 16, 0, 9);
  check_size(type, 9, 9);
  MPI_Type_contiguous(2, type, &twice);
  check_bounds(twice, 0, 32, 0, 25);
  check_size(twice, 18, 18);
  MPI_Type_free(&twice);
  MPI_Type_create_resized(type, 0, 9, &resized);
  check_bounds(resized, 0, 9, 0, 9);
  MPI_Type_contiguous(2, resized, &twice);
  check_bounds(twice, 0, 18, 0, 18);
  MPI_Type_free(&twice);
  MPI_Type_free(&resized);
  MPI_Type_free(&type);
}

/* The standard's example: {(lb, -3), (int, 0), (ub, 6)}, and two of it in a row. */
static void markers(void) {
  const int lengths[3] = {1, 1, 1}, blocks[2] = {1, 1};
  const MPI_Aint places[3] = {-3, 0, 6}, apart[2] = {10, 100};
  const MPI_Datatype types[3] = {MPI_LB, MPI_INT, MPI_UB};
  MPI_Datatype twice, resized, spread;
  MPI_Type_struct(3, lengths, places, types, &type);
  check_bounds(type, -3, 9, 0, 4);
  check_size(type, 4, 4);
  MPI_Type_contiguous(2, type, &twice);
  check_bounds(twice, -3, 18, 0, 13);
  MPI_Type_free(&twice);

  MPI_Type_create_resized(MPI_INT, -3, 9, &resized);
  check_bounds(resized, -3, 9, 0, 4);
  MPI_Type_contiguous(2, resized, &twice);
  check_bounds(twice, -3, 18, 0, 13);
  MPI_Type_free(&twice);
  MPI_Type_create_resized(type, 1, 2, &twice); /* older markers go */
  check_bounds(twice, 1, 2, 0, 4);
  MPI_Type_free(&twice);

  /* Markers count, even within what the data reach over; those of blocks of length 0 do not. */
  const MPI_Datatype both[2] = {type, MPI_DOUBLE};
  MPI_Type_create_struct(2, blocks, apart, both, &spread);
  check_bounds(spread, 7, 9, 10, 98);
  MPI_Type_free(&spread);
  const int none[3] = {0, 1, 0};
  MPI_Type_struct(3, none, places, types, &spread);
  check_bounds(spread, 0, 4, 0, 4);
  MPI_Type_free(&spread);
  MPI_Type_free(&resized);
  MPI_Type_free(&type);
  check_bounds(MPI_LB, 0, 0, 0, 0);
  check_bounds(MPI_UB, 0, 0, 0, 0);
}

static void negative_and_overlapping(void) {
  MPI_Type_vector(3, 1, -2, MPI_INT, &type);
  check_bounds(type, -16, 20, -16, 20);
  MPI_Type_free(&type);
  MPI_Type_vector(3, 2, 1, MPI_INT, &type);
  check_bounds(type, 0, 16, 0, 16);
  check_size(type, 24, 24);
  MPI_Type_free(&type);
  MPI_Datatype backwards;
  MPI_Type_create_resized(MPI_INT, 0, -4, &backwards);
  MPI_Type_contiguous(3, backwards, &type);
  MPI_Aint lb;
  MPI_Type_get_true_extent(type, &lb, &(MPI_Aint){0});
  CHECK_INT(lb, -8);
  MPI_Type_free(&type);
  MPI_Type_free(&backwards);
}

/* Elements that lie in one place, and arrays of elements with bounds of their own. */
static void resized_elements(void) {
  MPI_Datatype element, array;
  MPI_Type_create_resized(MPI_INT, 0, 0, &element);
  MPI_Type_contiguous(3, element, &type);
  check_bounds(type, 0, 0, 0, 4);
  check_size(type, 12, 12);
  MPI_Type_free(&type);
  MPI_Type_vector(3, 1, 5, element, &type);
  check_bounds(type, 0, 0, 0, 4);
  MPI_Type_commit(&type);
  const int value = 7;
  int copies[3] = {0, 0, 0};
  MPI_Sendrecv(&value, 1, type, 0, 1, copies, 3, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i) CHECK_INT(copies[i], value);
  MPI_Type_free(&type);
  MPI_Type_free(&element);
  /* An array reaches from its beginning to its end, whatever bounds its elements have. */
  const int sizes[1] = {5}, part[1] = {2}, start[1] = {1}, one[1] = {1}, cyclic[1] = {MPI_DISTRIBUTE_CYCLIC};
  MPI_Type_create_resized(MPI_INT, 8, 12, &element);
  MPI_Type_create_subarray(1, sizes, part, start, MPI_ORDER_C, element, &array);
  check_bounds(array, 0, 60, 12, 16);
  MPI_Type_free(&array);
  MPI_Type_create_darray(1, 0, 1, sizes, cyclic, one, one, MPI_ORDER_C, element, &array);
  check_bounds(array, 0, 60, 0, 52);
  MPI_Type_free(&array);
  MPI_Type_free(&element);
}

static void nothing(void) {
  MPI_Type_contiguous(0, MPI_DOUBLE, &type);
  check_bounds(type, 0, 0, 0, 0);
  check_size(type, 0, 0);
  MPI_Datatype placed, resized;
  const int one = 1;
  const MPI_Aint place = 40;
  MPI_Type_create_hindexed(1, &one, &place, type, &placed);
  check_bounds(placed, 0, 0, 0, 0);
  MPI_Type_create_resized(type, 4, 12, &resized);
  check_bounds(resized, 4, 12, 0, 0);
  check_size(resized, 0, 0);
  MPI_Type_free(&resized);
  MPI_Type_free(&placed);
  MPI_Type_free(&type);
}

static void beyond_ints(void) {
  MPI_Datatype larger;
  MPI_Type_contiguous(1 << 30, MPI_CHAR, &type);
  check_size(type, 1 << 30, 1L << 30);
  MPI_Type_contiguous(6, type, &larger);
  check_bounds(larger, 0, 6L << 30, 0, 6L << 30);
  check_size(larger, MPI_UNDEFINED, 6L << 30);
  MPI_Type_free(&larger);
  MPI_Type_create_hvector(2, 1, 1L << 40, MPI_INT, &larger);
  check_bounds(larger, 0, (1L << 40) + 4, 0, (1L << 40) + 4);
  check_size(larger, 8, 8);
  MPI_Type_free(&larger);
  /* 2^30 times 2^30 bytes are as many as an MPI_Aint can say; 16 times those are not. */
  MPI_Type_contiguous(1 << 30, type, &larger);
  check_size(larger, MPI_UNDEFINED, 1L << 60);
  MPI_Datatype too_large;
  FAILS(MPI_Type_contiguous(16, larger, &too_large), MPI_ERR_ARG);
  MPI_Type_free(&larger);
  MPI_Type_free(&type);
}

static void refused(void) {
  int size;
  MPI_Aint a, b;
  MPI_Count x, y;
  FAILS(MPI_Type_size(freed, &size), MPI_ERR_TYPE);
  FAILS(MPI_Type_size_x(MPI_DATATYPE_NULL, &x), MPI_ERR_TYPE);
  FAILS(MPI_Type_size(MPI_INT, NULL), MPI_ERR_ARG);
  FAILS(MPI_Type_get_extent(freed, &a, &b), MPI_ERR_TYPE);
  FAILS(MPI_Type_get_extent(MPI_INT, NULL, &b), MPI_ERR_ARG);
  FAILS(MPI_Type_get_extent_x(freed, &x, &y), MPI_ERR_TYPE);
  FAILS(MPI_Type_get_true_extent(freed, &a, &b), MPI_ERR_TYPE);
  FAILS(MPI_Type_get_true_extent_x(MPI_DATATYPE_NULL, &x, &y), MPI_ERR_TYPE);
  FAILS(MPI_Type_extent(freed, &a), MPI_ERR_TYPE);
  FAILS(MPI_Type_lb(freed, &a), MPI_ERR_TYPE);
  FAILS(MPI_Type_ub(MPI_DATATYPE_NULL, &a), MPI_ERR_TYPE);
  FAILS(MPI_Type_create_resized(freed, 0, 4, &type), MPI_ERR_TYPE);
  FAILS(MPI_Type_create_resized(MPI_INT, 0, 4, NULL), MPI_ERR_ARG);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(1, MPI_INT, &freed);
  MPI_Datatype copy = freed;
  MPI_Type_free(&copy);
  padding();
  markers();
  negative_and_overlapping();
  resized_elements();
  nothing();
  beyond_ints();
  refused();
  return finish();
}
