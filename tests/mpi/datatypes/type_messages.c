/* ranks: 2 3
 * Derived datatypes on their way: absolute addresses, messages that are shorter or longer than the receiver's elements,
 * all kinds of sends, collectives, and reductions. */
#include "check.h"

#include <string.h>

static int right, left;

static void addresses(void) {
  static int a[3], b[5];
  double c[2];
  int lengths[3] = {3, 5, 2};
  MPI_Aint places[3];
  MPI_Datatype type;
  const MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_DOUBLE};
  MPI_Get_address(a, &places[0]);
  MPI_Get_address(b, &places[1]);
  MPI_Get_address(c, &places[2]);
  MPI_Type_create_struct(3, lengths, places, types, &type);
  MPI_Type_commit(&type);
  fill(a, 3, world_rank(), 1);
  fill(b, 5, world_rank(), 2);
  c[0] = element(world_rank(), 3, 0);
  c[1] = element(world_rank(), 3, 1);
  MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, right, 1, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check_elements(a, 3, left, 1);
  check_elements(b, 5, left, 2);
  CHECK(c[0] == element(left, 3, 0) && c[1] == element(left, 3, 1));
  MPI_Type_free(&type);

  /* One run away from the address: no copy, but the right place. */
  MPI_Type_create_hindexed(1, lengths, places, MPI_INT, &type);
  MPI_Type_commit(&type);
  fill(a, 3, world_rank(), 4);
  int got[3];
  MPI_Sendrecv(MPI_BOTTOM, 1, type, right, 1, got, 3, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check_elements(got, 3, left, 4);
  MPI_Sendrecv(got, 3, MPI_INT, right, 1, MPI_BOTTOM, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check_elements(a, 3, (left + world_size() - 1) % world_size(), 4);
  MPI_Type_free(&type);
  MPI_Type_vector(2, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  FAILS(MPI_Send(MPI_BOTTOM, 1, type, right, 1, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  MPI_Type_free(&type);
}

/* Messages of every length into elements with gaps; what is too long is cut off anywhere. */
static void lengths(void) {
  enum { most = 40 };
  MPI_Datatype type;
  MPI_Status status;
  unsigned char out[most], in[60];
  const int blocks[3] = {3, 1, 2}, places[3] = {7, 0, 3};
  MPI_Type_indexed(3, blocks, places, MPI_BYTE, &type); /* 7 8 9 0 3 4 */
  MPI_Type_commit(&type);
  for (int bytes = 0; bytes <= most; ++bytes) {
    for (int i = 0; i < most; ++i) out[i] = (unsigned char)(world_rank() * 50 + bytes + i);
    memset(in, 0xee, sizeof in);
    MPI_Request request;
    MPI_Irecv(in, 5, type, left, 1, MPI_COMM_WORLD, &request);
    MPI_Send(out, bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD);
    FAILS(MPI_Wait(&request, &status), bytes <= 30 ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
    static const int order[6] = {7, 8, 9, 0, 3, 4};
    unsigned char expected[60];
    memset(expected, 0xee, sizeof expected);
    for (int i = 0; i < bytes && i < 30; ++i)
      expected[i / 6 * 10 + order[i % 6]] = (unsigned char)(left * 50 + bytes + i);
    CHECK(memcmp(in, expected, sizeof in) == 0);
  }
  MPI_Type_free(&type);
}

static void modes(void) {
  enum { n = 300 };
  static int out[2 * n], in[2 * n];
  static char buffer[n * sizeof(int) + MPI_BSEND_OVERHEAD];
  MPI_Datatype type;
  MPI_Request requests[2];
  MPI_Message message;
  MPI_Type_vector(n, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  for (int mode = 0; mode < 4; ++mode) {
    fill(out, 2 * n, world_rank(), mode);
    memset(in, 0, sizeof in);
    if (mode == 0) {
      MPI_Buffer_attach(buffer, sizeof buffer);
      MPI_Bsend(out, 1, type, right, mode, MPI_COMM_WORLD);
      memset(out, 0, sizeof out);
      MPI_Recv(in, 1, type, left, mode, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      void* where;
      int size;
      MPI_Buffer_detach(&where, &size);
    } else if (mode == 1) {
      MPI_Issend(out, 1, type, right, mode, MPI_COMM_WORLD, &requests[0]);
      MPI_Mprobe(left, mode, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
      MPI_Mrecv(in, 1, type, &message, MPI_STATUS_IGNORE);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    } else if (mode == 2) {
      MPI_Recv_init(in, 1, type, left, mode, MPI_COMM_WORLD, &requests[0]);
      MPI_Send_init(out, 1, type, right, mode, MPI_COMM_WORLD, &requests[1]);
      for (int turn = 0; turn < 3; ++turn) {
        memset(in, 0, sizeof in);
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      }
      MPI_Request_free(&requests[0]);
      MPI_Request_free(&requests[1]);
    } else {
      MPI_Irecv(in, 1, type, left, mode, MPI_COMM_WORLD, &requests[0]);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Rsend(out, 1, type, right, mode, MPI_COMM_WORLD);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2 * n; ++i) CHECK_INT(in[i], i % 2 == 0 && i < 2 * n ? element(left, mode, i) : 0);
  }
  MPI_Type_free(&type);
}

/* Columns of a matrix that is stored by rows, resized to lie next to each other. */
static void collectives(void) {
  enum { rows = 5 };
  const int n = world_size();
  int matrix[rows * 3], column[rows], whole[rows * 3];
  MPI_Datatype spread, one;
  MPI_Type_vector(rows, 1, n, MPI_INT, &spread);
  MPI_Type_create_resized(spread, 0, sizeof(int), &one);
  MPI_Type_free(&spread);
  MPI_Type_commit(&one);
  fill(matrix, rows * n, 0, 1);
  MPI_Scatter(matrix, 1, one, column, rows, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < rows; ++i) CHECK_INT(column[i], element(0, 1, i * n + world_rank()));
  MPI_Allgather(column, rows, MPI_INT, whole, 1, one, MPI_COMM_WORLD);
  check_elements(whole, rows * n, 0, 1);
  memset(whole, 0, sizeof whole);
  MPI_Gather(column, rows, MPI_INT, whole, 1, one, n - 1, MPI_COMM_WORLD);
  if (world_rank() == n - 1) check_elements(whole, rows * n, 0, 1);
  if (world_rank() == 1) fill(matrix, rows * n, 1, 7);
  MPI_Bcast(&matrix[1], 1, one, 1, MPI_COMM_WORLD); /* the second column only */
  for (int i = 0; i < rows * n; ++i)
    CHECK_INT(matrix[i], world_rank() == 1 || i % n == 1 ? element(1, 7, i) : element(0, 1, i));
  MPI_Type_free(&one);
}

/* An operation of the program's gets the handle, and elements whose data lie before their address. */
static MPI_Datatype expected_type;
static void add_pairs(void* in, void* inout, int* count, MPI_Datatype* type) {
  CHECK(*type == expected_type);
  for (int i = 0; i < *count; ++i) {
    const int *a = (int*)in + 4 * i, *sum = (int*)inout + 4 * i;
    ((int*)sum)[-2] += a[-2];
    ((int*)sum)[1] += a[1];
  }
}

static void own_operation(void) {
  const int lengths[2] = {1, 1}, places[2] = {1, -2};
  int data[16] = {0}, sums[16];
  MPI_Op op;
  MPI_Type_indexed(2, lengths, places, MPI_INT, &expected_type); /* extent 4 */
  MPI_Type_commit(&expected_type);
  MPI_Op_create(add_pairs, 0, &op);
  memset(sums, 0x11, sizeof sums);
  for (int i = 0; i < 3; ++i) {
    data[4 * i] = element(world_rank(), 1, i);
    data[4 * i + 3] = element(world_rank(), 2, i);
  }
  MPI_Allreduce(&data[2], &sums[2], 3, expected_type, op, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) {
    int first = 0, second = 0;
    for (int rank = 0; rank < world_size(); ++rank) {
      first += element(rank, 1, i);
      second += element(rank, 2, i);
    }
    CHECK_INT(sums[4 * i], first);
    CHECK_INT(sums[4 * i + 3], second);
    CHECK_INT(sums[4 * i + 1], 0x11111111);
  }
  MPI_Op_free(&op);
  /* Predefined ones are for predefined datatypes. */
  FAILS(MPI_Allreduce(data, sums, 1, expected_type, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_OP);
  MPI_Type_free(&expected_type);
}

struct double_int {
  double value;
  int index;
};
struct short_int {
  short value;
  int index;
};

static void pairs(void) {
  struct double_int a[3], most[3];
  struct short_int b[3], least[3];
  int c[6], both[6];
  const int n = world_size();
  for (int i = 0; i < 3; ++i) {
    a[i].value = (world_rank() + i) % n;
    a[i].index = 100 + world_rank();
    b[i].value = (short)((world_rank() + i) % n);
    b[i].index = 200 + world_rank();
    c[2 * i] = 5; /* a tie */
    c[2 * i + 1] = 300 - world_rank();
  }
  MPI_Allreduce(a, most, 3, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Allreduce(b, least, 3, MPI_SHORT_INT, MPI_MINLOC, MPI_COMM_WORLD);
  MPI_Allreduce(c, both, 3, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) {
    CHECK(most[i].value == n - 1);
    CHECK_INT(most[i].index, 100 + (2 * n - 1 - i) % n);
    CHECK_INT(least[i].value, 0);
    CHECK_INT(least[i].index, 200 + (2 * n - i) % n);
    CHECK_INT(both[2 * i], 5);
    CHECK_INT(both[2 * i + 1], 300 - (n - 1));
  }
  FAILS(MPI_Allreduce(a, most, 1, MPI_DOUBLE_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_OP);
}

/* Elements without data take no time to send, and no memory. */
static void nothing(void) {
  MPI_Datatype type;
  MPI_Status status;
  int count;
  MPI_Type_contiguous(0, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(NULL, 1000, type, right, 1, NULL, 7, type, left, 1, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &count);
  CHECK_INT(count, 0);
  MPI_Bcast(NULL, 5, type, 0, MPI_COMM_WORLD);
  MPI_Type_free(&type);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  right = (world_rank() + 1) % world_size();
  left = (world_rank() + world_size() - 1) % world_size();
  addresses();
  lengths();
  modes();
  collectives();
  own_operation();
  pairs();
  nothing();
  return finish();
}
