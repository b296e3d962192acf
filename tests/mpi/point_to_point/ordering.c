/* ranks: 3
 * Messages of one pair do not overtake each other, whatever their sizes, whether the receive or the message comes
 * first, and whichever receives have wildcards. */
#include "check.h"

enum { rounds = 60 };

static int count_of(int i) { return i % 3 == 0 ? 3000 + i : i % 7; }

static void send_all(int to) {
  static const int largest = 4000;
  int* data = malloc(sizeof(int) * largest);
  for (int i = 0; i < rounds; ++i) {
    fill(data, count_of(i), world_rank(), i);
    MPI_Send(data, count_of(i), MPI_INT, to, 7, MPI_COMM_WORLD);
  }
  free(data);
}

static void receive_all(int from, int nonblocking) {
  int* data[rounds];
  MPI_Request requests[rounds];
  MPI_Status statuses[rounds];
  for (int i = 0; i < rounds; ++i) {
    const int source = i % 2 ? from : MPI_ANY_SOURCE, tag = i % 4 < 2 ? 7 : MPI_ANY_TAG;
    data[i] = malloc(sizeof(int) * 4000);
    if (nonblocking)
      MPI_Irecv(data[i], 4000, MPI_INT, source, tag, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Recv(data[i], 4000, MPI_INT, source, tag, MPI_COMM_WORLD, &statuses[i]);
  }
  if (nonblocking) MPI_Waitall(rounds, requests, statuses);
  for (int i = 0; i < rounds; ++i) {
    check_status(&statuses[i], from, 7, count_of(i));
    check_elements(data[i], count_of(i), from, i);
    free(data[i]);
  }
}

/* A receive for one tag takes its message out of the middle. */
static void out_of_the_middle(void) {
  int values[5];
  if (world_rank() == 0) {
    MPI_Request requests[5];
    for (int tag = 0; tag < 5; ++tag) {
      values[tag] = tag;
      MPI_Isend(&values[tag], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[tag]);
    }
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
  } else if (world_rank() == 1) {
    MPI_Status status;
    const int tags[] = {3, MPI_ANY_TAG, 4, MPI_ANY_TAG, 2}, expected[] = {3, 0, 4, 1, 2};
    for (int i = 0; i < 5; ++i) {
      MPI_Recv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, tags[i], MPI_COMM_WORLD, &status);
      CHECK_INT(values[i], expected[i]);
      check_status(&status, 0, expected[i], 1);
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int nonblocking = 0; nonblocking < 2; ++nonblocking) {
    for (int late = 0; late < 2; ++late) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (world_rank() == 0) send_all(1);
      if (world_rank() == 1) receive_all(0, nonblocking);
    }
  }
  out_of_the_middle();
  return finish();
}
