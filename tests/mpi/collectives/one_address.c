/* ranks: 1 2 5
 * Collectives that send from one address and receive at the same one, from which the datatypes lead to different
 * memory: MPI_BOTTOM, with displacements that are addresses, and a buffer of which one half is sent. */
#include "check.h"

enum { most = 8 };

static int all[2 * most], *const out = all, *const in = all + most;
static int n, rank, nonblocking;
static int ones[most], places[most], bytes[most];

#define CALL(blocking_form, nonblocking_form, ...)             \
  do {                                                         \
    MPI_Request request;                                       \
    fill(out, n, rank, 1);                                     \
    for (int i = 0; i < n; ++i) in[i] = -1;                    \
    if (nonblocking)                                           \
      nonblocking_form(__VA_ARGS__, MPI_COMM_WORLD, &request); \
    else                                                       \
      blocking_form(__VA_ARGS__, MPI_COMM_WORLD);              \
    if (nonblocking) MPI_Wait(&request, MPI_STATUS_IGNORE);    \
  } while (0)

/* An int that lies so far from the address; the next element is the next int. */
static MPI_Datatype int_at(MPI_Aint displacement) {
  MPI_Datatype bare, type;
  MPI_Type_create_hindexed_block(1, 1, &displacement, MPI_INT, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(int), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&bare);
  return type;
}

/* One element of every rank, its first, or the one for this rank. */
static void check_in(int is_for_each) {
  for (int r = 0; r < n; ++r) CHECK_INT(in[r], element(r, 1, is_for_each ? rank : 0));
}

static void test_all(void* at, MPI_Datatype sent, MPI_Datatype received) {
  const int root = n - 1;
  MPI_Datatype sent_types[most], received_types[most];
  for (int r = 0; r < n; ++r) sent_types[r] = sent, received_types[r] = received;
  CALL(MPI_Gather, MPI_Igather, at, 1, sent, at, 1, received, root);
  if (rank == root) check_in(0);
  CALL(MPI_Gatherv, MPI_Igatherv, at, 1, sent, at, ones, places, received, root);
  if (rank == root) check_in(0);
  CALL(MPI_Scatter, MPI_Iscatter, at, 1, sent, at, 1, received, root);
  CHECK_INT(in[0], element(root, 1, rank));
  CALL(MPI_Scatterv, MPI_Iscatterv, at, ones, places, sent, at, 1, received, root);
  CHECK_INT(in[0], element(root, 1, rank));
  CALL(MPI_Allgather, MPI_Iallgather, at, 1, sent, at, 1, received);
  check_in(0);
  CALL(MPI_Allgatherv, MPI_Iallgatherv, at, 1, sent, at, ones, places, received);
  check_in(0);
  CALL(MPI_Alltoall, MPI_Ialltoall, at, 1, sent, at, 1, received);
  check_in(1);
  CALL(MPI_Alltoallv, MPI_Ialltoallv, at, ones, places, sent, at, ones, places, received);
  check_in(1);
  CALL(MPI_Alltoallw, MPI_Ialltoallw, at, ones, bytes, sent_types, at, ones, bytes, received_types);
  check_in(1);
}

static void test_bottom(void) {
  MPI_Aint address;
  MPI_Get_address(out, &address);
  MPI_Datatype sent = int_at(address);
  MPI_Get_address(in, &address);
  MPI_Datatype received = int_at(address);
  test_all(MPI_BOTTOM, sent, received);
  MPI_Type_free(&sent);
  MPI_Type_free(&received);
}

/* Halves may also begin in one datatype at different displacements; with nothing to send, buffers may be the same. */
static void test_halves(void) {
  MPI_Datatype sent = int_at(0), received = int_at(most * sizeof(int));
  int other_places[most], zeros[most] = {0};
  test_all(all, sent, received);
  for (int r = 0; r < n; ++r) other_places[r] = most + r;
  CALL(MPI_Alltoallv, MPI_Ialltoallv, all, ones, places, MPI_INT, all, ones, other_places, MPI_INT);
  check_in(1);
  CALL(MPI_Alltoallv, MPI_Ialltoallv, all, zeros, places, MPI_INT, all, zeros, places, MPI_INT);
  CALL(MPI_Allreduce, MPI_Iallreduce, all, all, 0, MPI_INT, MPI_SUM);
  MPI_Type_free(&sent);
  MPI_Type_free(&received);
}

/* Data that begin together are refused, however they are described. */
static void test_one_buffer(void) {
  MPI_Datatype contiguous, types[most], others[most];
  MPI_Type_contiguous(1, MPI_INT, &contiguous);
  MPI_Type_commit(&contiguous);
  for (int r = 0; r < n; ++r) types[r] = MPI_INT, others[r] = contiguous;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(MPI_Allgather(all, 1, MPI_INT, all, 1, contiguous, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  FAILS(MPI_Allgatherv(all, 1, contiguous, all, ones, places, MPI_INT, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoallv(all, ones, places, MPI_INT, all, ones, places, contiguous, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoallw(all, ones, bytes, types, all, ones, bytes, others, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  FAILS(MPI_Scan(all, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Type_free(&contiguous);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  n = world_size();
  rank = world_rank();
  for (int r = 0; r < n; ++r) ones[r] = 1, places[r] = r, bytes[r] = r * (int)sizeof(int);
  for (nonblocking = 0; nonblocking < 2; ++nonblocking) {
    test_bottom();
    test_halves();
  }
  test_one_buffer();
  return finish();
}
