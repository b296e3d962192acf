/* ranks: 2
 * The attached buffer is what limits buffered sends: it holds exactly as many messages as fit, and room comes back when
 * they have been received. */
#include "check.h"

enum { count = 10, messages = 3 };

/* What could not be started is not active: it can be waited for at once, and started again. */
static void start_in_vain(const int* data, int large) {
  MPI_Request request;
  MPI_Status status;
  MPI_Bsend_init(data, large, MPI_INT, 1, 60, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2; ++i) {
    FAILS(MPI_Start(&request), MPI_ERR_BUFFER);
    MPI_Wait(&request, &status);
    CHECK_INT(status.MPI_SOURCE, MPI_ANY_SOURCE);
  }
  MPI_Request_free(&request);
}

static void sender(void) {
  const int room = messages * (count * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
  int data[count], size, error_class;
  void* buffer = malloc(room);
  void* detached;
  MPI_Request request;
  fill(data, count, 0, 0);
  CHECK_INT(MPI_Bsend(data, count, MPI_INT, 1, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER); /* none attached */
  MPI_Buffer_attach(buffer, room);
  CHECK_INT(MPI_Buffer_attach(buffer, room), MPI_ERR_BUFFER);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < messages; ++i) {
      fill(data, count, 0, i);
      if (i % 2)
        MPI_Ibsend(data, count, MPI_INT, 1, i, MPI_COMM_WORLD, &request), MPI_Wait(&request, MPI_STATUS_IGNORE);
      else
        CHECK_INT(MPI_Bsend(data, count, MPI_INT, 1, i, MPI_COMM_WORLD), MPI_SUCCESS);
      fill(data, count, 99, 99); /* must not reach the receiver */
    }
    MPI_Send(NULL, 0, MPI_INT, 1, 50, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, 1, 51, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* all have been received */
  }
  const int large = messages * count + MPI_BSEND_OVERHEAD; /* more than the buffer, even when it is empty */
  int* more = malloc(sizeof(int) * large);
  MPI_Error_class(MPI_Bsend(more, large, MPI_INT, 1, 60, MPI_COMM_WORLD), &error_class);
  CHECK_INT(error_class, MPI_ERR_BUFFER);
  MPI_Error_class(MPI_Ibsend(more, large, MPI_INT, 1, 60, MPI_COMM_WORLD, &request), &error_class);
  CHECK_INT(error_class, MPI_ERR_BUFFER);
  start_in_vain(more, large);
  free(more);
  MPI_Buffer_detach(&detached, &size);
  CHECK(detached == buffer);
  CHECK_INT(size, room);
  free(buffer);
}

static void receiver(void) {
  int data[count];
  for (int round = 0; round < 4; ++round) {
    MPI_Recv(NULL, 0, MPI_INT, 0, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < messages; ++i) {
      MPI_Recv(data, count, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check_elements(data, count, 0, i);
    }
    MPI_Send(NULL, 0, MPI_INT, 0, 51, MPI_COMM_WORLD);
  }
}

/* Messages that cannot leave, because they are long and nobody receives them, fill the buffer. */
static void overflow(void) {
  const int large = 100000, room = 2 * (large * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
  int* data = malloc(sizeof(int) * large);
  if (world_rank() == 0) {
    void* buffer = malloc(room);
    int size;
    MPI_Buffer_attach(buffer, room);
    for (int i = 0; i < 2; ++i) {
      fill(data, large, 0, i);
      CHECK_INT(MPI_Bsend(data, large, MPI_INT, 1, i, MPI_COMM_WORLD), MPI_SUCCESS);
    }
    MPI_Send(NULL, 0, MPI_INT, 1, 70, MPI_COMM_WORLD);
    MPI_Buffer_detach(&buffer, &size); /* waits until both are received */
    free(buffer);
  } else {
    MPI_Recv(NULL, 0, MPI_INT, 0, 70, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i) {
      MPI_Recv(data, large, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check_elements(data, large, 0, i);
    }
  }
  free(data);
}

/* Both ranks' messages have been received when the ranks have met: the next ones fit, also where a library has not yet
 * looked at what the receiver said of those before. */
static void round_after_round(int length) {
  const int room = messages * (length * (int)sizeof(int) + MPI_BSEND_OVERHEAD), partner = 1 - world_rank();
  int* data = malloc(sizeof(int) * length);
  void* buffer = malloc(room);
  int size;
  MPI_Buffer_attach(buffer, room);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < messages; ++i) {
      fill(data, length, world_rank(), i);
      CHECK_INT(MPI_Bsend(data, length, MPI_INT, partner, i, MPI_COMM_WORLD), MPI_SUCCESS);
    }
    for (int i = 0; i < messages; ++i) {
      MPI_Recv(data, length, MPI_INT, partner, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check_elements(data, length, partner, i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
  free(data);
}

/* Two ranks that would deadlock with synchronous sends. */
static void both_send_first(void) {
  const int large = 100000, room = large * (int)sizeof(int) + MPI_BSEND_OVERHEAD, partner = 1 - world_rank();
  int* data = malloc(sizeof(int) * large);
  void* buffer = malloc(room);
  int size;
  MPI_Buffer_attach(buffer, room);
  fill(data, large, world_rank(), 3);
  MPI_Bsend(data, large, MPI_INT, partner, 3, MPI_COMM_WORLD);
  MPI_Recv(data, large, MPI_INT, partner, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check_elements(data, large, partner, 3);
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
  free(data);
}

/* Nobody to send to needs no room, an empty message needs some; what is not attached can be asked back. */
static void edges(void) {
  enum { ints = 20 };
  static char buffer[ints * sizeof(int) + MPI_BSEND_OVERHEAD], overhead[MPI_BSEND_OVERHEAD];
  const int data[1000] = {0}, rank = world_rank();
  int got[ints], size = -1, cancelled;
  void* where = buffer;
  MPI_Request request;
  MPI_Status status;
  MPI_Buffer_detach(&where, &size);
  CHECK(where == NULL && size == 0);
  CHECK_INT(MPI_Bsend(data, 1000, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD), MPI_SUCCESS);
  FAILS(MPI_Bsend(NULL, 0, MPI_INT, rank, 4, MPI_COMM_WORLD), MPI_ERR_BUFFER);
  MPI_Buffer_attach(overhead, sizeof overhead);
  CHECK_INT(MPI_Bsend(NULL, 0, MPI_INT, rank, 4, MPI_COMM_WORLD), MPI_SUCCESS);
  MPI_Recv(NULL, 0, MPI_INT, rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&where, &size);
  MPI_Buffer_attach(buffer, sizeof buffer);
  for (int i = 0; i < 5; ++i) { /* the room of one that is taken back is there again */
    CHECK_INT(MPI_Ibsend(data, ints, MPI_INT, rank, 4, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled) MPI_Recv(got, ints, MPI_INT, rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Buffer_detach(&where, &size);
  CHECK(where == buffer && size == (int)sizeof buffer);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (world_rank() == 0)
    sender();
  else
    receiver();
  overflow();
  for (int length = 10; length <= 100000; length *= 10) round_after_round(length);
  both_send_first();
  edges();
  return finish();
}
