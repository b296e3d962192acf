/* ranks: 3
 * Of a send and a receive that match one gets on, whatever else their ranks wait for or ask; a synchronous send is not
 * over before its receive has begun; and nobody is passed over for ever. */
#include "check.h"

enum { large = 200000, few = 50 };

static int rank, *out, *in;
static const MPI_Comm world = MPI_COMM_WORLD;

static void receive_nothing(int from, int tag) { MPI_Recv(NULL, 0, MPI_INT, from, tag, world, MPI_STATUS_IGNORE); }
static void send_nothing(int to, int tag) { MPI_Send(NULL, 0, MPI_INT, to, tag, world); }

static void expect(int count, int tag) {
  check_elements(in, count, 0, tag);
  in[0] = -1;
}

/* Rank 0's send is over for nobody before rank 1 receives: asking for the message is not receiving it. */
static void synchronous(int count) {
  int flag;
  MPI_Request request;
  if (rank == 0) {
    fill(out, count, 0, 1);
    MPI_Issend(out, count, MPI_INT, 1, 1, world, &request);
    receive_nothing(1, 2); /* it has been found there */
    for (int i = 0; i < few; ++i) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      CHECK_INT(flag, 0);
    }
    send_nothing(1, 3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Probe(0, 1, world, MPI_STATUS_IGNORE);
    send_nothing(0, 2);
    receive_nothing(0, 3);
    MPI_Recv(in, count, MPI_INT, 0, 1, world, MPI_STATUS_IGNORE);
    expect(count, 1);
  }
}

/* Rank 0 waits for what depends on its message's arrival: for a message of a third, or by asking again and again. */
static void behind_a_send(int count, int by_asking) {
  int flag = 0;
  MPI_Request request;
  if (rank == 0) {
    fill(out, count, 0, 4);
    MPI_Isend(out, count, MPI_INT, 1, 4, world, &request);
    while (by_asking && !flag) MPI_Iprobe(2, 5, world, &flag, MPI_STATUS_IGNORE);
    receive_nothing(2, 5);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(in, count, MPI_INT, 0, 4, world, MPI_STATUS_IGNORE);
    expect(count, 4);
    send_nothing(2, 5);
  } else {
    receive_nothing(1, 5);
    send_nothing(0, 5);
  }
}

/* The same with a receive that has been begun. */
static void behind_a_receive(int count, int by_asking) {
  int flag = 0;
  MPI_Request request;
  if (rank == 0) {
    fill(out, count, 0, 6);
    MPI_Ssend(out, count, MPI_INT, 1, 6, world);
    send_nothing(2, 7);
  } else if (rank == 1) {
    MPI_Irecv(in, count, MPI_INT, 0, 6, world, &request);
    while (by_asking && !flag) MPI_Iprobe(2, 7, world, &flag, MPI_STATUS_IGNORE);
    receive_nothing(2, 7);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(count, 6);
  } else {
    receive_nothing(0, 7);
    send_nothing(1, 7);
  }
}

/* The message behind is received first, as its tag says, and the sender does not wait for the one before. */
static void out_of_turn(int count) {
  MPI_Request request;
  if (rank == 0) {
    fill(out, count, 0, 8);
    MPI_Isend(out, count, MPI_INT, 1, 8, world, &request);
    MPI_Ssend(NULL, 0, MPI_INT, 1, 9, world);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    receive_nothing(0, 9);
    MPI_Recv(in, count, MPI_INT, 0, 8, world, MPI_STATUS_IGNORE);
    expect(count, 8);
  }
}

/* Halves of MPI_Sendrecv are ordinary messages, which others probe, receive and send. */
static void halves(void) {
  const int value = element(rank, 10, 0);
  int got = -1;
  MPI_Status status;
  if (rank == 0) {
    MPI_Sendrecv(&value, 1, MPI_INT, 1, 10, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
    check_status(&status, 1, 11, 1);
    check_elements(&got, 1, 1, 10);
  } else if (rank == 1) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
    check_status(&status, 0, 10, 1);
    MPI_Recv(&got, 1, MPI_INT, 0, 10, world, MPI_STATUS_IGNORE);
    check_elements(&got, 1, 0, 10);
    MPI_Ssend(&value, 1, MPI_INT, 0, 11, world);
  }
}

/* Rank 1 sends for as long as rank 2's one message has not been seen by a call for several requests. */
static void nobody_is_forgotten(int is_test) {
  int got[2], indices[2], done, flag, seen = 0;
  MPI_Request requests[2];
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Irecv(&got[i], 1, MPI_INT, 1 + i, 12, world, &requests[i]);
    while (!seen) {
      if (is_test)
        MPI_Testsome(2, requests, &done, indices, MPI_STATUSES_IGNORE);
      else
        MPI_Waitsome(2, requests, &done, indices, MPI_STATUSES_IGNORE);
      for (int i = 0; i < done; ++i) {
        seen |= indices[i] == 1;
        if (indices[i] == 0) MPI_Irecv(&got[0], 1, MPI_INT, 1, 12, world, &requests[0]);
      }
    }
    send_nothing(1, 13);
    do { /* the last one is empty */
      MPI_Status status;
      int count;
      MPI_Wait(&requests[0], &status);
      MPI_Get_count(&status, MPI_INT, &count);
      flag = count == 0;
      if (!flag) MPI_Irecv(&got[0], 1, MPI_INT, 1, 12, world, &requests[0]);
    } while (!flag);
  } else if (rank == 1) {
    for (flag = 0; !flag; MPI_Iprobe(0, 13, world, &flag, MPI_STATUS_IGNORE))
      MPI_Ssend(&rank, 1, MPI_INT, 0, 12, world);
    receive_nothing(0, 13);
    MPI_Send(NULL, 0, MPI_INT, 0, 12, world);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 12, world);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = world_rank();
  out = malloc(sizeof(int) * large);
  in = malloc(sizeof(int) * large);
  for (int count = 1; count <= large; count += large - 1) {
    synchronous(count);
    out_of_turn(count);
    for (int by_asking = 0; by_asking < 2; ++by_asking) {
      behind_a_send(count, by_asking);
      behind_a_receive(count, by_asking);
    }
  }
  halves();
  MPI_Barrier(world);
  for (int is_test = 0; is_test < 2; ++is_test) {
    nobody_is_forgotten(is_test);
    MPI_Barrier(world);
  }
  free(out);
  free(in);
  return finish();
}
