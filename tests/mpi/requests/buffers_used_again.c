/* ranks: 2
 * A send buffer is written anew as soon as its send is over, while the message may still be on its way: what was sent
 * arrives. Also that of a message which is received before its sender asks whether the send is over. */
#include "check.h"

#include <string.h>

enum { rounds = 12, longest = 20000 };
static const int counts[] = {1, 7, 25, 1000, longest};
static int data[longest];

static int tag_of(int way, int size, int round) { return (way * 5 + size) * rounds + round; }

static void send_by(int way, int count, int tag, MPI_Request* persistent) {
  MPI_Request request;
  MPI_Status status;
  int over = 0;
  switch (way) {
    case 0:
      MPI_Send(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD);
      return;
    case 1:
      MPI_Isend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      return;
    case 2:
      MPI_Isend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
      while (!over) MPI_Test(&request, &over, &status);
      return;
    case 3:
      MPI_Isend(data, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
      MPI_Recv(NULL, 0, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      return;
    default:
      MPI_Start(persistent);
      MPI_Wait(persistent, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  enum { ways = 5, persistent = 4 };
  MPI_Init(&argc, &argv);
  for (int way = 0; way < ways; ++way)
    for (int size = 0; size < 5; ++size) {
      const int count = counts[size];
      MPI_Request request = MPI_REQUEST_NULL;
      if (way == persistent && world_rank() == 0)
        MPI_Send_init(data, count, MPI_INT, 1, tag_of(way, size, 0), MPI_COMM_WORLD, &request);
      for (int round = 0; round < rounds; ++round) {
        const int tag = tag_of(way, size, way == persistent ? 0 : round);
        if (world_rank() == 0) {
          fill(data, count, 0, way * 100 + round);
          send_by(way, count, tag, &request);
          memset(data, -1, sizeof(int) * (size_t)count);
        } else {
          MPI_Recv(data, longest, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          check_elements(data, count, 0, way * 100 + round);
          if (way == 3) MPI_Send(NULL, 0, MPI_INT, 0, tag, MPI_COMM_WORLD);
        }
      }
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
  if (world_rank() == 1) printf("ok\n");
  MPI_Finalize();
  return 0;
}
