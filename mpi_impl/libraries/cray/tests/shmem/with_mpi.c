/* MPI and SHMEM in one program: data that is put between two MPI calls, a message whose arrival follows a put,
 * reductions of one on what the other has brought, and waiting in each while the other's traffic goes on. */
#include <mpi.h>

#include "check.h"

enum { rounds = 5, longs = 3000 };
static long data[longs], flag, work[longs];
static sync_words sync;

int main(int argc, char** argv) {
  int me, n;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  CHECK(me == _my_pe() && n == _num_pes());
  start_sync(sync, 1);
  const int next = (me + 1) % n, before = (me + n - 1) % n;
  for (long round = 1; round <= rounds; ++round) {
    /* A put, and then a message that says so; the message travels while the receiver waits in SHMEM. */
    long* mine = malloc(sizeof data);
    for (int i = 0; i < longs; ++i) mine[i] = me * 100000 + round * 10000 + i;
    MPI_Request request;
    long theirs = -1, token = round * 1000 + me;
    MPI_Irecv(&theirs, 1, MPI_LONG, before, 3, MPI_COMM_WORLD, &request);
    shmem_long_put(data, mine, longs, next);
    shmem_quiet();
    MPI_Send(&token, 1, MPI_LONG, next, 3, MPI_COMM_WORLD);
    shmem_long_p(&flag, round, next);
    shmem_long_wait_until(&flag, _SHMEM_CMP_GE, round);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(theirs == round * 1000 + before);
    for (int i = 0; i < longs; ++i) CHECK(data[i] == before * 100000 + round * 10000 + i);
    /* What came by put goes back by message, of all lengths. */
    const int length = 1 + (int)(round * 700 % longs);
    MPI_Sendrecv(data, length, MPI_LONG, before, 4, mine, length, MPI_LONG, next, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < length; ++i) CHECK(mine[i] == me * 100000 + round * 10000 + i);
    long sum = 0;
    MPI_Allreduce(&data[7], &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    shmem_long_sum_to_all(data, data, longs, 0, 0, n, work, sync);
    CHECK(sum == data[7]);
    free(mine);
    round % 2 ? shmem_barrier_all() : (void)MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return finish();
}
