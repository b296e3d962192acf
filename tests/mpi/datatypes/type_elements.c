/* ranks: 2
 * Counts of elements, whole and basic, of messages that end anywhere in a datatype. */
#include "check.h"

#include <string.h>

static MPI_Datatype type;

static void check_counts(const MPI_Status* status, MPI_Datatype of, int count, int elements) {
  int found;
  MPI_Count large;
  MPI_Get_count(status, of, &found);
  CHECK_INT(found, count);
  MPI_Get_elements(status, of, &found);
  CHECK_INT(found, elements);
  MPI_Get_elements_x(status, of, &large);
  CHECK_INT(large, elements);
}

/* The standard's example (4.1.11): pairs of reals, of which one and a half are sent. */
static void shorter_messages(void) {
  float data[12] = {0};
  MPI_Status status;
  MPI_Type_contiguous(2, MPI_FLOAT, &type);
  MPI_Type_commit(&type);
  for (int n = 0; n <= 6; ++n) {
    float out[6];
    for (int i = 0; i < 6; ++i) out[i] = (float)(100 * world_rank() + i);
    memset(data, 0, sizeof data);
    const int partner = 1 - world_rank();
    MPI_Sendrecv(out, n, MPI_FLOAT, partner, n, data, 3, type, partner, n, MPI_COMM_WORLD, &status);
    check_counts(&status, type, n % 2 == 0 ? n / 2 : MPI_UNDEFINED, n);
    for (int i = 0; i < 6; ++i) CHECK(data[i] == (i < n ? (float)(100 * partner + i) : 0));
  }
  MPI_Type_free(&type);
}

/* {(int), 3 doubles with gaps, (short)}: every number of basic elements that a message may have, and its bytes. */
static void mixed_elements(void) {
  const int lengths[3] = {1, 1, 1}, sizes[5] = {4, 8, 8, 8, 2};
  const MPI_Aint places[3] = {0, 8, 64};
  MPI_Datatype spread;
  MPI_Status status;
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &spread);
  const MPI_Datatype types[3] = {MPI_INT, spread, MPI_SHORT};
  MPI_Type_create_struct(3, lengths, places, types, &type);
  MPI_Type_commit(&type);
  char out[90] = {0}, in[240];
  const int partner = 1 - world_rank();
  for (int elements = 0, bytes = 0; elements < 15; bytes += sizes[elements++ % 5]) {
    MPI_Sendrecv(out, bytes, MPI_BYTE, partner, 0, in, 3, type, partner, 0, MPI_COMM_WORLD, &status);
    check_counts(&status, type, elements % 5 == 0 ? elements / 5 : MPI_UNDEFINED, elements);
    MPI_Sendrecv(out, bytes + 1, MPI_BYTE, partner, 0, in, 3, type, partner, 0, MPI_COMM_WORLD, &status);
    check_counts(&status, type, MPI_UNDEFINED, MPI_UNDEFINED);

    MPI_Status_set_elements(&status, type, elements);
    check_counts(&status, MPI_BYTE, bytes, bytes);
    check_counts(&status, type, elements % 5 == 0 ? elements / 5 : MPI_UNDEFINED, elements);
    MPI_Status_set_elements_x(&status, type, elements);
    check_counts(&status, MPI_BYTE, bytes, bytes);
  }
  MPI_Type_free(&spread);
  MPI_Type_free(&type);
}

static void edges(void) {
  MPI_Status status;
  int count;
  MPI_Count large;
  memset(&status, 0, sizeof status);
  MPI_Type_contiguous(0, MPI_INT, &type); /* no size: no element has come */
  MPI_Status_set_elements(&status, MPI_INT, 0);
  check_counts(&status, type, 0, 0);
  MPI_Status_set_elements(&status, MPI_INT, 3);
  check_counts(&status, type, MPI_UNDEFINED, MPI_UNDEFINED);
  MPI_Type_free(&type);

  MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  check_counts(&status, MPI_DOUBLE, 0, 0);

  MPI_Datatype large_type;
  MPI_Type_contiguous(1 << 30, MPI_SHORT, &type);
  MPI_Type_contiguous(4, type, &large_type);
  MPI_Status_set_elements_x(&status, large_type, 1L << 33);
  MPI_Get_elements_x(&status, large_type, &large);
  CHECK_INT(large, 1L << 33);
  MPI_Get_elements(&status, large_type, &count);
  CHECK_INT(count, MPI_UNDEFINED);
  MPI_Get_count(&status, large_type, &count);
  CHECK_INT(count, 2);
  MPI_Get_count(&status, MPI_SHORT, &count);
  CHECK_INT(count, MPI_UNDEFINED);
  MPI_Type_free(&type);
  MPI_Type_free(&large_type);
}

static void refused(void) {
  MPI_Status status;
  int count;
  MPI_Count large;
  FAILS(MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &count), MPI_ERR_ARG);
  FAILS(MPI_Get_count(&status, MPI_DATATYPE_NULL, &count), MPI_ERR_TYPE);
  FAILS(MPI_Get_elements(&status, MPI_DATATYPE_NULL, &count), MPI_ERR_TYPE);
  FAILS(MPI_Get_elements_x(&status, MPI_INT, NULL), MPI_ERR_ARG);
  FAILS(MPI_Get_elements_x(NULL, MPI_INT, &large), MPI_ERR_ARG);
  FAILS(MPI_Status_set_elements(&status, MPI_DATATYPE_NULL, 1), MPI_ERR_TYPE);
  FAILS(MPI_Status_set_elements(&status, MPI_INT, -1), MPI_ERR_COUNT);
  FAILS(MPI_Status_set_elements_x(&status, MPI_INT, -1), MPI_ERR_COUNT);
}

static void addresses(void) {
  int data[4];
  MPI_Aint a, b;
  MPI_Get_address(MPI_BOTTOM, &a);
  CHECK_INT(a, 0);
  MPI_Get_address(&data[1], &a);
  MPI_Address(&data[3], &b);
  CHECK_INT(MPI_Aint_diff(b, a), 2 * sizeof(int));
  CHECK_INT(MPI_Aint_diff(a, b), -2 * (int)sizeof(int));
  CHECK(MPI_Aint_add(a, 8) == b);
  CHECK(MPI_Aint_add(b, -8) == a);
  CHECK_INT(MPI_Aint_add(MPI_Aint_diff(a, a), 0), 0);
  FAILS(MPI_Get_address(data, NULL), MPI_ERR_ARG);
  FAILS(MPI_Address(data, NULL), MPI_ERR_ARG);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  shorter_messages();
  mixed_elements();
  edges();
  refused();
  addresses();
  return finish();
}
