/* ranks: 1 2 3 5 8
 * Nonblocking collectives: several at once, completed in another order than begun and another on each rank, with
 * messages, blocking collectives and computation between, ranks out of step, in place and with nothing to do. */
#include "check.h"

#include <hindcast.h>
#include <string.h>

enum { most = 8, length = 700 };

static int n, rank;

static void compute(int units) { hindcast_compute_seconds(units * 3e-6); }

/* All operations under way at once. What each gives is worked out from what the ranks are known to send. */
struct all_at_once {
  int bcast[length], gathered[length * most], mine[length], scattered[length], to_scatter[length * most];
  int allgathered[length * most], in[length * most], out[length * most], sum[length], all_sum[length];
  int scan[length], exscan[length], part[length], whole[length * most], v[length * most], w[length * most];
  int counts[most], places[most], bytes[most];
  MPI_Datatype types[most];
};

static void prepare(struct all_at_once* a, int m, int root) {
  memset(a, 0xff, sizeof *a);
  fill(a->mine, m, rank, 1);
  for (int r = 0; r < n; ++r) {
    a->counts[r] = m;
    a->places[r] = (n - 1 - r) * m;
    a->bytes[r] = a->places[r] * (int)sizeof(int);
    a->types[r] = MPI_INT;
    fill(a->out + r * m, m, rank, r);
    fill(a->to_scatter + r * m, m, r, 2);
    fill(a->whole + r * m, m, rank, 3 + r);
  }
  if (rank == root) fill(a->bcast, m, root, 4);
}

static int begin(struct all_at_once* a, int m, int root, MPI_Comm comm, MPI_Request* request) {
  int i = 0;
  MPI_Ibarrier(comm, &request[i++]);
  MPI_Ibcast(a->bcast, m, MPI_INT, root, comm, &request[i++]);
  MPI_Igather(a->mine, m, MPI_INT, a->gathered, m, MPI_INT, root, comm, &request[i++]);
  compute(rank * 5);
  MPI_Iscatter(a->to_scatter, m, MPI_INT, a->scattered, m, MPI_INT, root, comm, &request[i++]);
  MPI_Iallgather(a->mine, m, MPI_INT, a->allgathered, m, MPI_INT, comm, &request[i++]);
  MPI_Ialltoall(a->out, m, MPI_INT, a->in, m, MPI_INT, comm, &request[i++]);
  MPI_Ireduce(a->mine, a->sum, m, MPI_INT, MPI_SUM, root, comm, &request[i++]);
  MPI_Iallreduce(a->mine, a->all_sum, m, MPI_INT, MPI_MAX, comm, &request[i++]);
  compute((n - rank) * 7);
  MPI_Iscan(a->mine, a->scan, m, MPI_INT, MPI_MAX, comm, &request[i++]);
  MPI_Iexscan(a->mine, a->exscan, m, MPI_INT, MPI_MAX, comm, &request[i++]);
  MPI_Ireduce_scatter_block(a->whole, a->part, m, MPI_INT, MPI_MIN, comm, &request[i++]);
  MPI_Iallgatherv(a->mine, m, MPI_INT, a->v, a->counts, a->places, MPI_INT, comm, &request[i++]);
  MPI_Ialltoallw(a->out, a->counts, a->bytes, a->types, a->w, a->counts, a->bytes, a->types, comm, &request[i++]);
  return i;
}

static void check(const struct all_at_once* a, int m, int root) {
  check_elements(a->bcast, m, root, 4);
  check_elements(a->scattered, m, rank, 2);
  check_elements(a->all_sum, m, n - 1, 1);
  check_elements(a->scan, m, rank, 1);
  if (rank > 0) check_elements(a->exscan, m, rank - 1, 1);
  check_elements(a->part, m, 0, 3 + rank);
  for (int r = 0; r < n; ++r) {
    if (rank == root) check_elements(a->gathered + r * m, m, r, 1);
    check_elements(a->allgathered + r * m, m, r, 1);
    check_elements(a->in + r * m, m, r, rank);
    check_elements(a->v + a->places[r], m, r, 1);
    /* what rank r sent from the place of this rank, which fill() gave to the rank that lies there */
    check_elements(a->w + a->places[r], m, r, n - 1 - rank);
  }
  for (int i = 0; i < m && rank == root; ++i) CHECK_INT(a->sum[i], n * element(0, 1, i) + 1000003 * (n * (n - 1) / 2));
}

/* Completed by all the calls there are, each rank beginning with another one. */
static void complete(int count, MPI_Request* requests, int how) {
  int left = count, flag, index, done, indices[32];
  MPI_Status status, statuses[32];
  while (left > 0) {
    switch (how++ % 6) {
      case 0:
        MPI_Waitany(count, requests, &index, &status);
        CHECK(index != MPI_UNDEFINED);
        --left;
        break;
      case 1:
        MPI_Testany(count, requests, &index, &flag, &status);
        left -= flag && index != MPI_UNDEFINED;
        break;
      case 2:
        MPI_Testsome(count, requests, &done, indices, statuses);
        left -= done != MPI_UNDEFINED ? done : 0;
        break;
      case 3:
        MPI_Waitsome(count, requests, &done, indices, statuses);
        CHECK(done > 0);
        left -= done;
        break;
      case 4: /* the last one that is left */
        for (index = count - 1; requests[index] == MPI_REQUEST_NULL;) --index;
        MPI_Request_get_status(requests[index], &flag, &status);
        if (!flag) break;
        MPI_Test(&requests[index], &flag, &status);
        CHECK(flag);
        --left;
        break;
      default: /* nothing of theirs: progress is made all the same */
        MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, &status);
        compute(1);
    }
  }
}

static void several_at_once(int m, int root) {
  static struct all_at_once first, second;
  MPI_Request requests[32], more[32];
  MPI_Comm other;
  int token = rank, received = -1, sum = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  prepare(&first, m, root);
  prepare(&second, m, (root + 1) % n);
  const int count = begin(&first, m, root, MPI_COMM_WORLD, requests);
  /* The same on another communicator: half of the ranks begin with it before they send, the others after. */
  int others = 0;
  if (rank % 2 == 0) others = begin(&second, m, (root + 1) % n, other, more);
  MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % n, 5, &received, 1, MPI_INT, (rank + n - 1) % n, 5, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK_INT(received, (rank + n - 1) % n);
  if (rank % 2 != 0) others = begin(&second, m, (root + 1) % n, other, more);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* overtakes those that are under way */
  CHECK_INT(sum, n * (n - 1) / 2);
  if (rank % 3 == 0) {
    complete(count, requests, rank);
    MPI_Waitall(others, more, MPI_STATUSES_IGNORE);
  } else {
    complete(others, more, rank);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  }
  check(&first, m, root);
  check(&second, m, (root + 1) % n);
  MPI_Comm_free(&other);
}

/* Those not above, in place; begun and completed one after the other by half of the ranks, all at once by the others.
 */
static void in_place(int m) {
  static int sum[length], all_sum[length], blocks[length * most], part[length * most], v[length * most];
  static int scatterv[length * most], gatherv[length * most], alltoallv[length * most];
  int counts[most], places[most];
  MPI_Request requests[8];
  MPI_Status statuses[8];
  const int one_by_one = rank % 2;
  for (int r = 0; r < n; ++r) {
    counts[r] = m;
    places[r] = r * m;
    fill(alltoallv + r * m, m, rank, r);
    fill(part + r * m, m, rank, r);
    fill(scatterv + r * m, m, r, 6);
  }
  fill(sum, m, rank, 1);
  fill(all_sum, m, rank, 2);
  fill(blocks + rank * m, m, rank, 3);
  fill(v + rank * m, m, rank, 4);
  fill(gatherv + rank * m, m, rank, 5);
  MPI_Ireduce(rank == 0 ? MPI_IN_PLACE : sum, sum, m, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD, &requests[0]);
  if (one_by_one) MPI_Wait(&requests[0], &statuses[0]);
  MPI_Iallreduce(MPI_IN_PLACE, all_sum, m, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[1]);
  if (one_by_one) MPI_Wait(&requests[1], &statuses[1]);
  MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, blocks, m, MPI_INT, MPI_COMM_WORLD, &requests[2]);
  if (one_by_one) MPI_Wait(&requests[2], &statuses[2]);
  MPI_Igatherv(rank == 0 ? MPI_IN_PLACE : gatherv + rank * m, m, MPI_INT, gatherv, counts, places, MPI_INT, 0,
               MPI_COMM_WORLD, &requests[3]);
  if (one_by_one) MPI_Wait(&requests[3], &statuses[3]);
  MPI_Iscatterv(scatterv, counts, places, MPI_INT, rank == 0 ? MPI_IN_PLACE : v, m, MPI_INT, 0, MPI_COMM_WORLD,
                &requests[4]);
  if (one_by_one) MPI_Wait(&requests[4], &statuses[4]);
  MPI_Ialltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, alltoallv, counts, places, MPI_INT, MPI_COMM_WORLD,
                 &requests[5]);
  if (one_by_one) MPI_Wait(&requests[5], &statuses[5]);
  MPI_Ireduce_scatter(MPI_IN_PLACE, part, counts, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &requests[6]);
  MPI_Waitall(7, requests, statuses);
  CHECK_INT(statuses[6].MPI_TAG, MPI_ANY_TAG);
  if (rank == 0) check_elements(sum, m, n - 1, 1);
  check_elements(all_sum, m, n - 1, 2);
  if (rank != 0) check_elements(v, m, rank, 6);
  check_elements(part, m, n - 1, rank);
  for (int r = 0; r < n; ++r) {
    check_elements(blocks + r * m, m, r, 3);
    if (rank == 0) check_elements(gatherv + r * m, m, r, 5);
    check_elements(alltoallv + r * m, m, r, rank);
  }
}

/* An operation may be freed while it is used, and a communicator too. */
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  CHECK(*type == MPI_INT);
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}
static void freed_meanwhile(void) {
  MPI_Comm comm;
  MPI_Op op;
  MPI_Request request;
  int sum = -1;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Op_create(add, 1, &op);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, op, comm, &request);
  MPI_Op_free(&op);
  MPI_Comm_free(&comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_INT(sum, n * (n - 1) / 2);
}

/* The function may ask for its datatype, though the program has freed that, too. */
static void add_apart(void* in, void* inout, int* count, MPI_Datatype* type) {
  MPI_Aint lb, extent;
  int integers, addresses, types, combiner;
  MPI_Type_get_extent(*type, &lb, &extent);
  MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
  CHECK_INT(combiner, MPI_COMBINER_RESIZED);
  for (int i = 0; i < *count; ++i) *(int*)((char*)inout + i * extent) += *(int*)((char*)in + i * extent);
}
static void datatype_freed_meanwhile(void) {
  int mine[2 * most], sums[2 * most];
  MPI_Datatype apart;
  MPI_Op op;
  MPI_Request requests[2];
  for (int i = 0; i < 2 * most; ++i) mine[i] = rank + i, sums[i] = -1;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &apart);
  MPI_Type_commit(&apart);
  MPI_Op_create(add_apart, 0, &op);
  MPI_Iallreduce(mine, sums, most, apart, op, MPI_COMM_WORLD, &requests[0]);
  int all[2 * most];
  MPI_Iallgather(mine, 1, apart, all, 1, apart, MPI_COMM_WORLD, &requests[1]);
  MPI_Op_free(&op);
  MPI_Type_free(&apart);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2 * most; ++i) CHECK_INT(sums[i], i % 2 == 1 ? -1 : n * i + n * (n - 1) / 2);
  for (int r = 0; r < n; ++r) CHECK_INT(all[2 * r], r);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  n = world_size();
  rank = world_rank();
  const int lengths[] = {0, 1, 20, length};
  for (int i = 0; i < 4; ++i) {
    several_at_once(lengths[i], i % n);
    in_place(lengths[i]);
  }
  freed_meanwhile();
  datatype_freed_meanwhile();
  return finish();
}
