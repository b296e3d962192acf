/* ranks: 3
 * Collectives called wrongly under MPI_ERRORS_RETURN: the same way on every rank, so that all are refused. */
#include "check.h"

static int a[16], b[16];
static const int counts[3] = {1, 1, 1}, negative[3] = {1, -1, 1}, places[3] = {0, 1, 2};
static const MPI_Datatype types[3] = {MPI_INT, MPI_INT, MPI_INT}, no_types[3] = {MPI_INT, MPI_DATATYPE_NULL, MPI_INT};

static void nonblocking(MPI_Comm comm) {
  MPI_Request request;
  FAILS(MPI_Ibarrier(MPI_COMM_NULL, &request), MPI_ERR_COMM);
  FAILS(MPI_Ibarrier(comm, NULL), MPI_ERR_ARG);
  FAILS(MPI_Ibcast(a, 1, MPI_INT, 3, comm, &request), MPI_ERR_ROOT);
  FAILS(MPI_Igather(a, -1, MPI_INT, b, 1, MPI_INT, 0, comm, &request), MPI_ERR_COUNT);
  FAILS(MPI_Igatherv(a, 1, MPI_INT, b, counts, places, MPI_INT, -1, comm, &request), MPI_ERR_ROOT);
  FAILS(MPI_Iscatter(a, 1, MPI_INT, NULL, 1, MPI_INT, 0, comm, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Iscatterv(a, counts, places, MPI_INT, b, 1, MPI_DATATYPE_NULL, 0, comm, &request), MPI_ERR_TYPE);
  FAILS(MPI_Iallgather(a, 1, MPI_INT, a, 1, MPI_INT, comm, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Iallgatherv(a, 1, MPI_INT, b, negative, places, MPI_INT, comm, &request), MPI_ERR_COUNT);
  FAILS(MPI_Ialltoall(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Ialltoallv(a, counts, places, MPI_INT, b, counts, NULL, MPI_INT, comm, &request), MPI_ERR_ARG);
  FAILS(MPI_Ialltoallw(a, counts, places, types, b, counts, places, no_types, comm, &request), MPI_ERR_TYPE);
  FAILS(MPI_Ireduce(a, b, 1, MPI_DOUBLE, MPI_BAND, 0, comm, &request), MPI_ERR_OP);
  FAILS(MPI_Iallreduce(a, a, 1, MPI_INT, MPI_SUM, comm, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Ireduce_scatter_block(a, b, 1, MPI_INT, MPI_OP_NULL, comm, &request), MPI_ERR_OP);
  FAILS(MPI_Ireduce_scatter(a, b, negative, MPI_INT, MPI_SUM, comm, &request), MPI_ERR_COUNT);
  FAILS(MPI_Iscan(MPI_IN_PLACE, NULL, 1, MPI_INT, MPI_SUM, comm, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Iexscan(a, b, -1, MPI_INT, MPI_SUM, comm, &request), MPI_ERR_COUNT);

  /* The request of one can neither be freed nor cancelled. */
  MPI_Ibarrier(comm, &request);
  FAILS(MPI_Request_free(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* This rank has to find it out. Others may take what they know of and see no more, where the machine broadcasts or
 * where they are sent on what a rank has had room for. */
static void expect_found_by(int rank, int code) {
  CHECK(class_of(code) == MPI_ERR_TRUNCATE || (code == MPI_SUCCESS && world_rank() != rank));
}

static void persistent(MPI_Comm comm) {
  MPI_Request request;
  FAILS(MPI_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &request), MPI_ERR_COMM);
  FAILS(MPI_Barrier_init(comm, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
  FAILS(MPI_Bcast_init(a, 1, MPI_INT, 3, comm, MPI_INFO_NULL, &request), MPI_ERR_ROOT);
  FAILS(MPI_Gather_init(a, -1, MPI_INT, b, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request), MPI_ERR_COUNT);
  FAILS(MPI_Gatherv_init(a, 1, MPI_INT, b, counts, places, MPI_INT, -1, comm, MPI_INFO_NULL, &request), MPI_ERR_ROOT);
  FAILS(MPI_Scatter_init(a, 1, MPI_INT, NULL, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Scatterv_init(a, counts, places, MPI_INT, b, 1, MPI_DATATYPE_NULL, 0, comm, MPI_INFO_NULL, &request),
        MPI_ERR_TYPE);
  FAILS(MPI_Allgather_init(a, 1, MPI_INT, a, 1, MPI_INT, comm, MPI_INFO_NULL, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Allgatherv_init(a, 1, MPI_INT, b, negative, places, MPI_INT, comm, MPI_INFO_NULL, &request), MPI_ERR_COUNT);
  FAILS(MPI_Alltoall_init(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm, MPI_INFO_NULL, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoallv_init(a, counts, places, MPI_INT, b, counts, NULL, MPI_INT, comm, MPI_INFO_NULL, &request),
        MPI_ERR_ARG);
  FAILS(MPI_Alltoallw_init(a, counts, places, types, b, counts, places, no_types, comm, MPI_INFO_NULL, &request),
        MPI_ERR_TYPE);
  FAILS(MPI_Reduce_init(a, b, 1, MPI_DOUBLE, MPI_BAND, 0, comm, MPI_INFO_NULL, &request), MPI_ERR_OP);
  FAILS(MPI_Allreduce_init(a, a, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce_scatter_block_init(a, b, 1, MPI_INT, MPI_OP_NULL, comm, MPI_INFO_NULL, &request), MPI_ERR_OP);
  FAILS(MPI_Reduce_scatter_init(a, b, negative, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request), MPI_ERR_COUNT);
  FAILS(MPI_Scan_init(MPI_IN_PLACE, NULL, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request), MPI_ERR_BUFFER);
  FAILS(MPI_Exscan_init(a, b, -1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request), MPI_ERR_COUNT);

  /* The request of one can be freed and started only while it is inactive, and never be cancelled. */
  MPI_Barrier_init(comm, MPI_INFO_NULL, &request);
  FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  MPI_Start(&request);
  FAILS(MPI_Start(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Request_free(&request), MPI_ERR_REQUEST);
  FAILS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);

  /* One that has failed can be started again. */
  int wide[2 * 3], narrow[3];
  MPI_Allgather_init(wide, 2, MPI_INT, narrow, 1, MPI_INT, comm, MPI_INFO_NULL, &request);
  for (int round = 0; round < 2; ++round) {
    MPI_Start(&request);
    expect_found_by(0, MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  MPI_Request_free(&request);
}

static void blocking(MPI_Comm comm) {
  FAILS(MPI_Alltoallw(a, counts, places, no_types, b, counts, places, types, comm), MPI_ERR_TYPE);
  FAILS(MPI_Alltoallw(a, negative, places, types, b, counts, places, types, comm), MPI_ERR_COUNT);
  FAILS(MPI_Reduce_scatter_block(a, NULL, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce_scatter(a, NULL, counts, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Scan(a, b, 1, MPI_FLOAT, MPI_LXOR, comm), MPI_ERR_OP);
  if (world_rank() > 0)
    FAILS(MPI_Exscan(a, a, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER); /* the first has no result */
  FAILS(MPI_Reduce_local(a, a, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce_local(a, b, -1, MPI_INT, MPI_SUM), MPI_ERR_COUNT);
  FAILS(MPI_Allreduce(a, a, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER);
  /* What names a root between two groups, or nobody, is none within one. */
  FAILS(MPI_Bcast(a, 1, MPI_INT, MPI_ROOT, comm), MPI_ERR_ROOT);
  FAILS(MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, MPI_PROC_NULL, comm), MPI_ERR_ROOT);
  FAILS(MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, MPI_ANY_SOURCE, comm), MPI_ERR_ROOT);
  if (world_rank() == 0) {
    FAILS(MPI_Gather(a, 1, MPI_INT, a, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
    FAILS(MPI_Scatter(a, 1, MPI_INT, a, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
    FAILS(MPI_Reduce(a, a, 1, MPI_INT, MPI_SUM, 0, comm), MPI_ERR_BUFFER);
  }
}

/* A rank that sends more than is received is found out where it comes to, by the call that completes there. */
static void too_long(MPI_Comm comm) {
  MPI_Request request;
  const int count = world_rank() == 0 ? 8 : 1;
  int code = MPI_Bcast(a, count, MPI_INT, 0, comm);
  CHECK(world_rank() > 0 || code == MPI_SUCCESS);
  expect_found_by(1, code);
  MPI_Ibcast(a, count, MPI_INT, 0, comm, &request);
  code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(world_rank() > 0 || code == MPI_SUCCESS);
  expect_found_by(1, code);
  CHECK(request == MPI_REQUEST_NULL);
}

static void expect(int code, int expected) { CHECK_INT(class_of(code), expected); }

/* Two elements where there is room for one; afterwards the communicator is as good as before. */
static void two_into_one(MPI_Comm comm) {
  const int rank = world_rank(), at_root = rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS, twos[3] = {2, 2, 2};
  int sum = -1, one = 1;
  MPI_Request request;
  for (int i = 0; i < 8; ++i) {
    if (i == 0) expect(MPI_Gather(a, 2, MPI_INT, b, 1, MPI_INT, 1, comm), at_root);
    if (i == 1) expect(MPI_Gatherv(a, 2, MPI_INT, b, counts, places, MPI_INT, 1, comm), at_root);
    if (i == 2) expect_found_by(1, MPI_Scatter(a, 2, MPI_INT, b, 1, MPI_INT, 1, comm));
    if (i == 3) expect_found_by(1, MPI_Scatterv(a, twos, places, MPI_INT, b, 1, MPI_INT, 1, comm));
    if (i == 4) expect_found_by(0, MPI_Allgather(a, 2, MPI_INT, b, 1, MPI_INT, comm));
    if (i == 5) expect_found_by(0, MPI_Allgatherv(a, 2, MPI_INT, b, counts, places, MPI_INT, comm));
    if (i == 6) expect_found_by(1, MPI_Alltoall(a, 2, MPI_INT, b, 1, MPI_INT, comm));
    if (i == 7) FAILS(MPI_Alltoallv(a, twos, places, MPI_INT, b, counts, places, MPI_INT, comm), MPI_ERR_TRUNCATE);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK_INT(sum, 3);
  }
  MPI_Iscatter(a, 2, MPI_INT, b, 1, MPI_INT, 1, comm, &request);
  expect_found_by(1, MPI_Wait(&request, MPI_STATUS_IGNORE));
  MPI_Iallgather(a, 2, MPI_INT, b, 1, MPI_INT, comm, &request);
  expect_found_by(0, MPI_Wait(&request, MPI_STATUS_IGNORE));
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_INT(sum, 3);
}

/* MPI_IN_PLACE in the place of the other buffer, or at a rank that is not the root. */
static void in_a_wrong_place(MPI_Comm comm) {
  FAILS(MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Allgather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Allgatherv(a, 1, MPI_INT, MPI_IN_PLACE, counts, places, MPI_INT, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoallv(a, counts, places, MPI_INT, MPI_IN_PLACE, counts, places, MPI_INT, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Alltoallw(a, counts, places, types, MPI_IN_PLACE, counts, places, types, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Scan(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce_scatter(a, MPI_IN_PLACE, counts, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce_scatter_block(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce_local(MPI_IN_PLACE, a, 1, MPI_INT, MPI_SUM), MPI_ERR_BUFFER);
  if (world_rank() == 0) return;
  FAILS(MPI_Gatherv(MPI_IN_PLACE, 1, MPI_INT, b, counts, places, MPI_INT, 0, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Scatter(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Scatterv(a, counts, places, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, comm), MPI_ERR_BUFFER);
  FAILS(MPI_Reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, 0, comm), MPI_ERR_BUFFER);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  nonblocking(MPI_COMM_WORLD);
  persistent(MPI_COMM_WORLD);
  blocking(MPI_COMM_WORLD);
  too_long(MPI_COMM_WORLD);
  two_into_one(MPI_COMM_WORLD);
  in_a_wrong_place(MPI_COMM_WORLD);
  return finish();
}
