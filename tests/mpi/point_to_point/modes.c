/* ranks: 4
 * All send modes, blocking, nonblocking and mixed with either kind of receive, from nothing to beyond the eager limit.
 */
#include "check.h"

enum { standard, buffered, synchronous, ready, modes };

static void send(int mode, const int* data, int count, int to, int tag) {
  if (mode == standard) MPI_Send(data, count, MPI_INT, to, tag, MPI_COMM_WORLD);
  if (mode == buffered) MPI_Bsend(data, count, MPI_INT, to, tag, MPI_COMM_WORLD);
  if (mode == synchronous) MPI_Ssend(data, count, MPI_INT, to, tag, MPI_COMM_WORLD);
  if (mode == ready) MPI_Rsend(data, count, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void isend(int mode, const int* data, int count, int to, int tag, MPI_Request* request) {
  if (mode == standard) MPI_Isend(data, count, MPI_INT, to, tag, MPI_COMM_WORLD, request);
  if (mode == buffered) MPI_Ibsend(data, count, MPI_INT, to, tag, MPI_COMM_WORLD, request);
  if (mode == synchronous) MPI_Issend(data, count, MPI_INT, to, tag, MPI_COMM_WORLD, request);
  if (mode == ready) MPI_Irsend(data, count, MPI_INT, to, tag, MPI_COMM_WORLD, request);
}

static void blocking(int mode, int count, int* data) {
  const int rank = world_rank(), partner = rank ^ 1, tag = 10 + mode;
  MPI_Status status;
  if (rank % 2 == 0) {
    if (mode == ready) MPI_Recv(NULL, 0, MPI_INT, partner, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fill(data, count, rank, tag);
    send(mode, data, count, partner, tag);
    for (int i = 0; i < count; ++i) data[i] = -1; /* must not reach the receiver */
  } else {
    MPI_Request request;
    MPI_Irecv(data, count, MPI_INT, partner, tag, MPI_COMM_WORLD, &request);
    if (mode == ready) MPI_Send(NULL, 0, MPI_INT, partner, 99, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    check_elements(data, count, partner, tag);
    check_status(&status, partner, tag, count);
  }
}

/* Everybody to everybody, itself included. */
static void nonblocking(int mode, int count, int* out, int* in) {
  const int rank = world_rank(), size = world_size(), tag = 20 + mode;
  MPI_Request requests[16];
  MPI_Status statuses[16];
  CHECK(2 * size <= 16);
  for (int i = 0; i < size; ++i) MPI_Irecv(in + i * count, count, MPI_INT, i, tag, MPI_COMM_WORLD, &requests[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  fill(out, count, rank, tag);
  for (int i = 0; i < size; ++i) isend(mode, out, count, i, tag, &requests[size + i]);
  MPI_Waitall(2 * size, requests, statuses);
  for (int i = 0; i < size; ++i) {
    check_elements(in + i * count, count, i, tag);
    check_status(&statuses[i], i, tag, count);
    CHECK(requests[i] == MPI_REQUEST_NULL && requests[size + i] == MPI_REQUEST_NULL);
  }
}

int main(int argc, char** argv) {
  const int counts[] = {0, 1, 2, 25, 1000, 40000};
  const int largest = 40000, buffer_size = 8 * (largest * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
  MPI_Init(&argc, &argv);
  int* out = malloc(sizeof(int) * largest);
  int* in = malloc(sizeof(int) * largest * 8);
  void* buffer = malloc(buffer_size);
  MPI_Buffer_attach(buffer, buffer_size);
  for (int i = 0; i < 6; ++i) {
    for (int mode = standard; mode < modes; ++mode) {
      blocking(mode, counts[i], out);
      nonblocking(mode, counts[i], out, in);
    }
  }
  void* detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
  CHECK(detached == buffer);
  CHECK_INT(size, buffer_size);
  free(buffer);
  free(out);
  free(in);
  return finish();
}
