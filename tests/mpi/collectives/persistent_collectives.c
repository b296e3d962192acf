/* ranks: 1 2 3 5 8
 * Persistent collectives: begun again and again with other contents of the same buffers, in another order on each rank,
 * with nonblocking and blocking ones between; inactive in between, which is nothing to wait for; with nothing to do, in
 * place; of communicators, datatypes and operations that are freed meanwhile; across two groups; of neighbourhoods. */
#include "check.h"

#include <hindcast.h>
#include <string.h>

enum { most = 8, length = 300, rounds = 3, all = 17 };

static int n, rank;

static void compute(int units) { hindcast_compute_seconds(units * 3e-6); }

static int bcast[length], gathered[length * most], mine[length], scattered[length], to_scatter[length * most];
static int gatherv[length * most], scatterv[length], allgathered[length * most], in[length * most], out[length * most];
static int sum[length], all_sum[length], scan[length], exscan[length], part[length], part_v[length];
static int whole[length * most], v[length * most], alltoallv[length * most], w[length * most];
static int counts[most], places[most], bytes[most];
static MPI_Datatype types[most];

static void prepare(int m) {
  for (int r = 0; r < n; ++r) {
    counts[r] = m;
    places[r] = (n - 1 - r) * m;
    bytes[r] = places[r] * (int)sizeof(int);
    types[r] = MPI_INT;
  }
}

static void fill_in(int m, int root, int round) {
  memset(gathered, 0xff, sizeof gathered);
  memset(allgathered, 0xff, sizeof allgathered);
  memset(in, 0xff, sizeof in);
  memset(v, 0xff, sizeof v);
  memset(w, 0xff, sizeof w);
  memset(bcast, 0xff, sizeof bcast);
  fill(mine, m, rank, round);
  for (int r = 0; r < n; ++r) {
    fill(out + r * m, m, rank, 10 * round + r);
    fill(to_scatter + r * m, m, r, 2 + round);
    fill(whole + r * m, m, rank, 3 + r + round);
  }
  if (rank == root) fill(bcast, m, root, 4 + round);
}

static void make(int m, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  MPI_Barrier_init(comm, info, &request[0]);
  MPI_Bcast_init(bcast, m, MPI_INT, root, comm, info, &request[1]);
  MPI_Gather_init(mine, m, MPI_INT, gathered, m, MPI_INT, root, comm, info, &request[2]);
  MPI_Gatherv_init(mine, m, MPI_INT, gatherv, counts, places, MPI_INT, root, comm, info, &request[3]);
  MPI_Scatter_init(to_scatter, m, MPI_INT, scattered, m, MPI_INT, root, comm, info, &request[4]);
  MPI_Scatterv_init(to_scatter, counts, places, MPI_INT, scatterv, m, MPI_INT, root, comm, info, &request[5]);
  MPI_Allgather_init(mine, m, MPI_INT, allgathered, m, MPI_INT, comm, info, &request[6]);
  MPI_Allgatherv_init(mine, m, MPI_INT, v, counts, places, MPI_INT, comm, info, &request[7]);
  MPI_Alltoall_init(out, m, MPI_INT, in, m, MPI_INT, comm, info, &request[8]);
  MPI_Alltoallv_init(out, counts, places, MPI_INT, alltoallv, counts, places, MPI_INT, comm, info, &request[9]);
  MPI_Alltoallw_init(out, counts, bytes, types, w, counts, bytes, types, comm, info, &request[10]);
  MPI_Reduce_init(mine, sum, m, MPI_INT, MPI_MAX, root, comm, info, &request[11]);
  MPI_Allreduce_init(mine, all_sum, m, MPI_INT, MPI_MAX, comm, info, &request[12]);
  MPI_Reduce_scatter_block_init(whole, part, m, MPI_INT, MPI_MIN, comm, info, &request[13]);
  MPI_Reduce_scatter_init(whole, part_v, counts, MPI_INT, MPI_MIN, comm, info, &request[14]);
  MPI_Scan_init(mine, scan, m, MPI_INT, MPI_MAX, comm, info, &request[15]);
  MPI_Exscan_init(mine, exscan, m, MPI_INT, MPI_MAX, comm, info, &request[16]);
}

static void check_all(int m, int root, int round) {
  check_elements(bcast, m, root, 4 + round);
  check_elements(scattered, m, rank, 2 + round);
  check_elements(scatterv, m, n - 1 - rank, 2 + round);
  check_elements(all_sum, m, n - 1, round);
  if (rank == root) check_elements(sum, m, n - 1, round);
  check_elements(scan, m, rank, round);
  if (rank > 0) check_elements(exscan, m, rank - 1, round);
  check_elements(part, m, 0, 3 + rank + round);
  check_elements(part_v, m, 0, 3 + rank + round);
  for (int r = 0; r < n; ++r) {
    if (rank == root) check_elements(gathered + r * m, m, r, round);
    if (rank == root) check_elements(gatherv + places[r], m, r, round);
    check_elements(allgathered + r * m, m, r, round);
    check_elements(v + places[r], m, r, round);
    check_elements(in + r * m, m, r, 10 * round + rank);
    check_elements(alltoallv + places[r], m, r, 10 * round + n - 1 - rank);
    check_elements(w + places[r], m, r, 10 * round + n - 1 - rank);
  }
}

static void expect_nothing_to_wait_for(MPI_Request* request) {
  int flag = 0, index = 0, done, indices[all];
  MPI_Status status, statuses[all];
  MPI_Waitall(all, request, statuses);
  CHECK_INT(statuses[all - 1].MPI_SOURCE, MPI_ANY_SOURCE);
  MPI_Testall(all, request, &flag, statuses);
  CHECK_INT(flag, 1);
  MPI_Waitany(all, request, &index, &status);
  CHECK_INT(index, MPI_UNDEFINED);
  MPI_Testany(all, request, &index, &flag, &status);
  CHECK(flag && index == MPI_UNDEFINED);
  MPI_Waitsome(all, request, &done, indices, statuses);
  CHECK_INT(done, MPI_UNDEFINED);
  MPI_Testsome(all, request, &done, indices, statuses);
  CHECK_INT(done, MPI_UNDEFINED);
  MPI_Wait(&request[3], &status);
  CHECK_INT(status.MPI_TAG, MPI_ANY_TAG);
  MPI_Test(&request[3], &flag, &status);
  CHECK_INT(flag, 1);
  MPI_Request_get_status(request[3], &flag, &status);
  CHECK_INT(flag, 1);
  for (int i = 0; i < all; ++i) CHECK(request[i] != MPI_REQUEST_NULL);
}

/* All at once, or each rank in another order. */
static void start(MPI_Request* request, int round) {
  if (round == 0)
    MPI_Startall(all, request);
  else
    for (int i = 0; i < all; ++i) MPI_Start(&request[(i * (round == 1 ? 1 : all - 1) + 3 * rank) % all]);
}

static void again_and_again(int m, int root) {
  MPI_Request request[all], more[2];
  MPI_Info info;
  int index, total = -1, flag;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_hint", "of no use");
  prepare(m);
  make(m, root, MPI_COMM_WORLD, info, request);
  MPI_Info_free(&info);
  expect_nothing_to_wait_for(request);
  for (int round = 0; round < rounds; ++round) {
    fill_in(m, root, round);
    start(request, round);
    compute(rank * 5);
    /* Others overtake them. */
    MPI_Iallreduce(&rank, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &more[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&more[0], MPI_STATUS_IGNORE);
    CHECK_INT(total, n * (n - 1) / 2);
    MPI_Waitany(all, request, &index, MPI_STATUS_IGNORE);
    CHECK(index != MPI_UNDEFINED && request[index] != MPI_REQUEST_NULL);
    do {
      MPI_Test(&request[rank % all], &flag, MPI_STATUS_IGNORE);
      compute(1);
    } while (!flag);
    MPI_Waitall(all, request, MPI_STATUSES_IGNORE);
    check_all(m, root, round);
    expect_nothing_to_wait_for(request);
  }
  for (int i = 0; i < all; ++i) {
    MPI_Request_free(&request[i]);
    CHECK(request[i] == MPI_REQUEST_NULL);
  }
}

/* What was in the buffer is taken anew each time. */
static void in_place(void) {
  MPI_Request request;
  int value = 1, expected = 1;
  MPI_Allreduce_init(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 0; round < rounds; ++round) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expected *= n;
    CHECK_INT(value, expected);
  }
  MPI_Request_free(&request);
}

static void add(void* from, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[2 * i] += ((int*)from)[2 * i];
}

static void outliving(void) {
  MPI_Comm comm;
  MPI_Op op;
  MPI_Datatype gapped, one;
  MPI_Request request;
  int values[6] = {0, 7, 0, 7, 0, 7}, sums[6] = {0, 8, 0, 8, 0, 8};
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Op_create(add, 1, &op);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &one);
  MPI_Type_contiguous(1, one, &gapped);
  MPI_Type_commit(&gapped);
  MPI_Allreduce_init(values, sums, 3, gapped, op, comm, MPI_INFO_NULL, &request);
  MPI_Type_free(&one);
  MPI_Type_free(&gapped);
  MPI_Op_free(&op);
  MPI_Comm_free(&comm);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 3; ++i) values[2 * i] = rank + i + round;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) CHECK_INT(sums[2 * i], n * (n - 1) / 2 + n * (i + round));
    for (int i = 0; i < 3; ++i) CHECK_INT(sums[2 * i + 1], 8);
  }
  MPI_Request_free(&request);
}

/* Started by one call with those of messages. */
static void with_messages(void) {
  int sum = -1, got = -1;
  MPI_Request request[4];
  MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
  MPI_Recv_init(&got, 1, MPI_INT, (rank + n - 1) % n, 3, MPI_COMM_WORLD, &request[1]);
  MPI_Send_init(&rank, 1, MPI_INT, (rank + 1) % n, 3, MPI_COMM_WORLD, &request[2]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request[3]);
  for (int round = 0; round < 3; ++round) {
    sum = got = -1;
    MPI_Startall(4, request);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    CHECK_INT(sum, n * (n - 1) / 2);
    CHECK_INT(got, (rank + n - 1) % n);
  }
  for (int i = 0; i < 4; ++i) MPI_Request_free(&request[i]);
}

/* Of two groups, one of which may be much larger, with both orders of starting. */
static void across(void) {
  MPI_Comm half, inter;
  MPI_Request request[2];
  int sum_of_others = -1, token = -1;
  if (n < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 3, &inter);
  MPI_Allreduce_init(&rank, &sum_of_others, 1, MPI_INT, MPI_SUM, inter, MPI_INFO_NULL, &request[0]);
  if (rank == 0) token = 44;
  MPI_Bcast_init(&token, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter, MPI_INFO_NULL, &request[1]);
  for (int round = 0; round < rounds; ++round) {
    if (rank != 0) token = sum_of_others = -1;
    for (int i = 0; i < 2; ++i) MPI_Start(&request[(i + rank) % 2]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    CHECK_INT(sum_of_others, rank == 0 ? n * (n - 1) / 2 : 0);
    CHECK_INT(token, 44);
  }
  for (int i = 0; i < 2; ++i) MPI_Request_free(&request[i]);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

/* Of two groups, while others that are not persistent are under way: those within the groups are told apart, too. */
static void across_with_others(void) {
  MPI_Comm half, inter;
  MPI_Request request[3];
  int sum_of_others = -1, to_others = rank + 7, from_others = -1;
  if (n < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 3, &inter);
  MPI_Allreduce_init(&rank, &sum_of_others, 1, MPI_INT, MPI_SUM, inter, MPI_INFO_NULL, &request[0]);
  for (int round = 0; round < rounds; ++round) {
    sum_of_others = from_others = -1;
    if (round != 1) MPI_Start(&request[0]);
    MPI_Ibarrier(inter, &request[1]);
    MPI_Iallreduce(&to_others, &from_others, 1, MPI_INT, MPI_MIN, inter, &request[2]);
    if (round == 1) MPI_Start(&request[0]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    CHECK_INT(sum_of_others, rank == 0 ? n * (n - 1) / 2 : 0);
    CHECK_INT(from_others, rank == 0 ? 8 : 7);
  }
  MPI_Request_free(&request[0]);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

static void neighbourhoods(void) {
  const int sides = 2, periodic = 1, left = (rank + n - 1) % n, right = (rank + 1) % n;
  const MPI_Aint far[2] = {0, sizeof(int)};
  const MPI_Datatype kinds[2] = {MPI_INT, MPI_INT};
  const int one[2] = {1, 1}, at[2] = {0, 1};
  int from[5][2], to[2];
  MPI_Comm ring;
  MPI_Request request[5];
  MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &ring);
  MPI_Neighbor_allgather_init(to, 1, MPI_INT, from[0], 1, MPI_INT, ring, MPI_INFO_NULL, &request[0]);
  MPI_Neighbor_allgatherv_init(to, 1, MPI_INT, from[1], one, at, MPI_INT, ring, MPI_INFO_NULL, &request[1]);
  MPI_Neighbor_alltoall_init(to, 1, MPI_INT, from[2], 1, MPI_INT, ring, MPI_INFO_NULL, &request[2]);
  MPI_Neighbor_alltoallv_init(to, one, at, MPI_INT, from[3], one, at, MPI_INT, ring, MPI_INFO_NULL, &request[3]);
  MPI_Neighbor_alltoallw_init(to, one, far, kinds, from[4], one, far, kinds, ring, MPI_INFO_NULL, &request[4]);
  MPI_Comm_free(&ring);
  for (int round = 0; round < rounds; ++round) {
    memset(from, 0xff, sizeof from);
    for (int side = 0; side < sides; ++side) to[side] = element(rank, round, side);
    for (int i = 0; i < 5; ++i) MPI_Start(&request[(i + 2 * rank) % 5]);
    MPI_Waitall(5, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 5; ++i) {
      CHECK_INT(from[i][0], element(left, round, i < 2 ? 0 : 1));
      CHECK_INT(from[i][1], element(right, round, 0));
    }
  }
  for (int i = 0; i < 5; ++i) MPI_Request_free(&request[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  n = world_size();
  rank = world_rank();
  again_and_again(1, 0);
  again_and_again(length, n - 1);
  again_and_again(0, n / 2);
  in_place();
  outliving();
  with_messages();
  across();
  across_with_others();
  neighbourhoods();
  return finish();
}
