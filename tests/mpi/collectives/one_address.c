/* ranks: 1 2 5
 * Collectives that send from one address and receive at the same one, from which the datatypes lead to different
 * memory: MPI_BOTTOM, with displacements that are addresses. */
#include "check.h"

enum { most = 8 };

static int out[most], in[most];
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

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  n = world_size();
  rank = world_rank();
  for (int r = 0; r < n; ++r) ones[r] = 1, places[r] = r, bytes[r] = r * (int)sizeof(int);
  for (nonblocking = 0; nonblocking < 2; ++nonblocking) test_bottom();
  return finish();
}
