/* ranks: 2
 * Datatypes committed, used, freed while they are in use, named; and those found by what they can hold. */
#include "check.h"

#include <string.h>

static MPI_Datatype type;

static void commit(void) {
  int buffer[4] = {0}, position = 0;
  MPI_Type_vector(2, 1, 2, MPI_INT, &type);
  MPI_Datatype copy;
  MPI_Type_dup(type, &copy); /* not committed either */
  FAILS(MPI_Send(buffer, 1, type, 0, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
  FAILS(MPI_Send(buffer, 1, copy, 0, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
  FAILS(MPI_Bcast(buffer, 1, type, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  FAILS(MPI_Pack(buffer, 1, type, buffer, 8, &position, MPI_COMM_SELF), MPI_ERR_TYPE);
  MPI_Type_commit(&type);
  MPI_Type_commit(&type); /* again does nothing */
  MPI_Bcast(buffer, 1, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&copy);
  MPI_Type_dup(type, &copy); /* committed */
  MPI_Bcast(buffer, 1, copy, 0, MPI_COMM_WORLD);
  MPI_Type_free(&copy);
  MPI_Type_free(&type);
  MPI_Datatype part, whole;
  MPI_Type_vector(2, 1, 2, MPI_INT, &part);
  MPI_Type_contiguous(1, part, &whole);
  MPI_Type_commit(&whole); /* and not what it is made of */
  FAILS(MPI_Send(buffer, 1, part, MPI_PROC_NULL, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
  MPI_Send(buffer, 1, whole, MPI_PROC_NULL, 0, MPI_COMM_SELF);
  MPI_Type_free(&part);
  MPI_Type_free(&whole);
  MPI_Datatype predefined = MPI_INT;
  MPI_Type_commit(&predefined);
  CHECK(predefined == MPI_INT);
  predefined = MPI_DATATYPE_NULL;
  FAILS(MPI_Type_commit(&predefined), MPI_ERR_TYPE);
  FAILS(MPI_Type_commit(NULL), MPI_ERR_ARG);
}

/* A freed datatype goes on in messages under way, in requests and in what was made of it. */
static void freed_in_use(void) {
  enum { n = 500 };
  static int out[2 * n], in[2 * n];
  const int partner = 1 - world_rank();
  MPI_Request requests[2];
  MPI_Datatype made, old;
  MPI_Type_vector(n, 1, 2, MPI_INT, &type);
  MPI_Type_contiguous(1, type, &made);
  MPI_Type_commit(&type);
  MPI_Type_commit(&made);
  fill(out, 2 * n, world_rank(), 3);
  MPI_Irecv(in, 1, type, partner, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(out, 1, type, partner, 3, MPI_COMM_WORLD, &requests[1]);
  old = type;
  MPI_Type_free(&type);
  int size;
  FAILS(MPI_Type_size(old, &size), MPI_ERR_TYPE);
  for (int i = 0; i < 20; ++i) { /* others may have its place, but not before it is done */
    MPI_Type_contiguous(i, MPI_CHAR, &type);
    MPI_Type_free(&type);
  }
  MPI_Start(&requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[1]);
  for (int i = 0; i < 2 * n; ++i) CHECK_INT(in[i], i % 2 == 0 ? element(partner, 3, i) : 0);
  memset(in, 0, sizeof in);
  MPI_Sendrecv(out, 1, made, partner, 4, in, n, MPI_INT, partner, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; ++i) CHECK_INT(in[i], element(partner, 3, 2 * i));
  MPI_Type_free(&made);

  type = old;
  FAILS(MPI_Type_free(&type), MPI_ERR_TYPE);
  type = MPI_INT;
  FAILS(MPI_Type_free(&type), MPI_ERR_TYPE);
  type = MPI_DATATYPE_NULL;
  FAILS(MPI_Type_free(&type), MPI_ERR_TYPE);
}

static void check_name(MPI_Datatype of, const char* expected) {
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Type_get_name(of, name, &length);
  CHECK(strcmp(name, expected) == 0);
  CHECK_INT(length, strlen(expected));
}

static void names(void) {
  char longest[2 * MPI_MAX_OBJECT_NAME];
  int length;
  check_name(MPI_DOUBLE, "MPI_DOUBLE");
  check_name(MPI_2INT, "MPI_2INT");
  check_name(MPI_LB, "MPI_LB");
  check_name(MPI_C_COMPLEX, "MPI_C_COMPLEX"); /* and not as its second name */
  check_name(MPI_LONG_LONG_INT, "MPI_LONG_LONG_INT");
  MPI_Type_contiguous(2, MPI_INT, &type);
  check_name(type, "");
  MPI_Type_set_name(type, "two ints");
  check_name(type, "two ints");
  MPI_Datatype copy;
  MPI_Type_dup(type, &copy);
  check_name(copy, ""); /* a name is not copied */
  MPI_Type_set_name(type, "");
  check_name(type, "");
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  MPI_Type_set_name(type, longest);
  longest[MPI_MAX_OBJECT_NAME - 1] = '\0';
  check_name(type, longest);
  MPI_Type_free(&type);
  MPI_Type_free(&copy);
  MPI_Type_contiguous(2, MPI_INT, &type); /* may have the same place, but not the name */
  check_name(type, "");
  MPI_Type_free(&type);
  if (world_rank() == 0) MPI_Type_set_name(MPI_INT, "whole"); /* a rank's own affair */
  MPI_Barrier(MPI_COMM_WORLD);
  check_name(MPI_INT, world_rank() == 0 ? "whole" : "MPI_INT");
  FAILS(MPI_Type_set_name(MPI_DATATYPE_NULL, "x"), MPI_ERR_TYPE);
  FAILS(MPI_Type_set_name(MPI_INT, NULL), MPI_ERR_ARG);
  FAILS(MPI_Type_get_name(type, longest, &length), MPI_ERR_TYPE);
  FAILS(MPI_Type_get_name(MPI_INT, longest, NULL), MPI_ERR_ARG);
}

static void check_size(MPI_Datatype of, int expected) {
  int size;
  MPI_Type_size(of, &size);
  CHECK_INT(size, expected);
}

static void fortran_ones(void) {
  MPI_Datatype other;
  const int partner = 1 - world_rank();
  MPI_Type_create_f90_real(6, 30, &type);
  check_size(type, 4);
  MPI_Type_create_f90_real(6, 30, &other);
  CHECK(type == other);
  FAILS(MPI_Type_free(&other), MPI_ERR_TYPE); /* predefined, without a name */
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type);
  check_size(type, 8);
  double value = world_rank() + 0.5, got = 0, sum = 0; /* committed, and takes reductions */
  MPI_Sendrecv(&value, 1, type, partner, 1, &got, 1, MPI_DOUBLE, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(got == partner + 0.5);
  MPI_Allreduce(&value, &sum, 1, type, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == 2.0);
  MPI_Type_create_f90_real(MPI_UNDEFINED, 300, &type);
  check_size(type, 8);
  MPI_Type_create_f90_real(33, MPI_UNDEFINED, &type);
  check_size(type, 16);
  MPI_Type_create_f90_complex(6, 30, &type);
  check_size(type, 8);
  MPI_Type_create_f90_complex(MPI_UNDEFINED, 100, &type);
  check_size(type, 16);
  MPI_Type_create_f90_complex(6, 30, &other);
  check_size(other, 8);
  const int ranges[6] = {0, 2, 4, 9, 18, 38}, sizes[6] = {1, 1, 2, 4, 8, 16};
  for (int i = 0; i < 6; ++i) {
    MPI_Type_create_f90_integer(ranges[i], &type);
    check_size(type, sizes[i]);
    MPI_Type_create_f90_integer(ranges[i], &other);
    CHECK(type == other);
  }
  FAILS(MPI_Type_create_f90_real(34, 1, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_f90_complex(1, 5000, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_f90_integer(39, &type), MPI_ERR_ARG);
}

static void by_size(void) {
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &type);
  CHECK(type == MPI_REAL4);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type);
  CHECK(type == MPI_REAL8);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 1, &type);
  CHECK(type == MPI_INTEGER1);
  MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &type);
  CHECK(type == MPI_INTEGER8);
  MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 32, &type);
  CHECK(type == MPI_COMPLEX32);
  FAILS(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 12, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 0, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_match_size(77, 4, &type), MPI_ERR_ARG);
}

/* So many that places are used again, in an order of their own. */
static void many(void) {
  enum { n = 300 };
  static MPI_Datatype all[n];
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < n; ++i) MPI_Type_contiguous(i, MPI_INT, &all[i]);
    for (int i = 0; i < n; ++i) check_size(all[i], i * (int)sizeof(int));
    for (int i = 0; i < n; ++i) MPI_Type_free(&all[(i * 7 + turn) % n]);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  commit();
  freed_in_use();
  names();
  fortran_ones();
  by_size();
  many();
  return finish();
}
