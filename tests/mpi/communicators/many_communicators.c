/* ranks: 3
 * Communicators by the thousand: made and freed, freed while messages are under way, and many at once, each made of
 * another. Every message arrives in its own communicator. */
#include "check.h"

enum { passing = 2000, pending = 300, at_once = 48 };

static int left(void) { return (world_rank() + world_size() - 1) % world_size(); }
static int right(void) { return (world_rank() + 1) % world_size(); }

static void made_and_freed(void) {
  for (int i = 0; i < passing; ++i) {
    MPI_Comm comm;
    if (i % 10 == 0)
      MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, -world_rank(), &comm);
    else
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
  }
}

static void freed_with_messages_under_way(void) {
  for (int i = 0; i < pending; ++i) {
    MPI_Comm comm;
    MPI_Request requests[2];
    int sent[2], received[2];
    fill(sent, 2, world_rank(), i);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Irecv(received, 2, MPI_INT, left(), 0, comm, &requests[0]);
    MPI_Isend(sent, 2, MPI_INT, right(), 0, comm, &requests[1]);
    MPI_Comm_free(&comm);
    CHECK(comm == MPI_COMM_NULL);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    check_elements(received, 2, left(), i);
  }
}

/* The receives are posted in one order, the sends made in the other; all have the same tag. */
static void many_at_once(void) {
  MPI_Comm comms[at_once];
  MPI_Request requests[at_once];
  int received[at_once];
  for (int i = 0; i < at_once; ++i) {
    MPI_Comm from = i % 4 ? comms[i - i % 4] : MPI_COMM_WORLD; /* several duplicates of one at a time */
    MPI_Comm_idup(from, &comms[i], &requests[i]);
    if (i % 4 == 0) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  }
  MPI_Waitall(at_once, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < at_once; ++i) MPI_Irecv(&received[i], 1, MPI_INT, left(), 0, comms[i], &requests[i]);
  for (int i = at_once - 1; i >= 0; --i) {
    const int value = element(world_rank(), i, 0);
    MPI_Send(&value, 1, MPI_INT, right(), 0, comms[i]);
  }
  MPI_Waitall(at_once, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < at_once; ++i) {
    CHECK_INT(received[i], element(left(), i, 0));
    MPI_Comm_free(&comms[i]);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  made_and_freed();
  freed_with_messages_under_way();
  many_at_once();
  return finish();
}
