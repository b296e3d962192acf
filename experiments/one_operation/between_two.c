// The time of one operation between the first rank and the last, of so many bytes. What it does first besides is not
// counted; then the mean of some rounds is taken.
//   between_two OPERATION BYTES
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 0, ROUNDS = 4, STREAM = 16, TAG = 0 };

// The two ranks, and what passes between them.
static int rank, other, bytes;
static char *out, *in;
static MPI_Win window;  // of the last rank's `in`
static MPI_Request requests[STREAM];

static void send(void) { MPI_Send(out, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD); }
static void receive(void) { MPI_Recv(in, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void there_and_back(void) {
  if (rank == FIRST) send();
  receive();
  if (rank != FIRST) send();
}

static void exchange(void) {
  MPI_Sendrecv(out, bytes, MPI_BYTE, other, TAG, in, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Many messages one way at once, which all lie in one buffer, until an empty one says that all have come.
static void stream(void) {
  for (int i = 0; i < STREAM; ++i) {
    if (rank == FIRST)
      MPI_Isend(out, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &requests[i]);
    else
      MPI_Irecv(in + (size_t)i * bytes, bytes, MPI_BYTE, other, TAG, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(STREAM, requests, MPI_STATUSES_IGNORE);
  if (rank == FIRST)
    MPI_Recv(NULL, 0, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(NULL, 0, MPI_BYTE, other, TAG, MPI_COMM_WORLD);
}

static void put(void) {
  MPI_Put(out, bytes, MPI_BYTE, other, 0, bytes, MPI_BYTE, window);
  MPI_Win_flush(other, window);
}

static void get(void) {
  MPI_Get(out, bytes, MPI_BYTE, other, 0, bytes, MPI_BYTE, window);
  MPI_Win_flush(other, window);
}

static void accumulate(void) {
  const int doubles = bytes / (int)sizeof(double);
  MPI_Accumulate(out, doubles, MPI_DOUBLE, other, 0, doubles, MPI_DOUBLE, MPI_SUM, window);
  MPI_Win_flush(other, window);
}

static void get_accumulate(void) {
  const int doubles = bytes / (int)sizeof(double);
  MPI_Get_accumulate(out, doubles, MPI_DOUBLE, in, doubles, MPI_DOUBLE, other, 0, doubles, MPI_DOUBLE, MPI_SUM, window);
  MPI_Win_flush(other, window);
}

typedef struct {
  const char* name;
  void (*round)(void);
  int parts;  // that a round's time is divided by
  enum { BY_BOTH, BY_THE_FIRST } is_called;
  int unit;  // that the bytes are whole ones of
} Operation;

static const Operation operations[] = {
    {"pingpong", there_and_back, 2, BY_BOTH, 1},
    {"exchange", exchange, 1, BY_BOTH, 1},
    {"stream", stream, STREAM, BY_BOTH, 1},
    {"put", put, 1, BY_THE_FIRST, 1},
    {"get", get, 1, BY_THE_FIRST, 1},
    {"accumulate", accumulate, 1, BY_THE_FIRST, sizeof(double)},
    {"get_accumulate", get_accumulate, 1, BY_THE_FIRST, sizeof(double)},
};

static void give_up(const char* operation, const char* why) {
  if (rank == FIRST) fprintf(stderr, "between_two: %s %s\n", operation, why);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static const Operation* find_operation(const char* name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i)
    if (strcmp(operations[i].name, name) == 0) return &operations[i];
  give_up(name, "is not known");
  return NULL;
}

static void open_window(int last) {
  MPI_Win_create(in, rank == last ? bytes : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock_all(0, window);
}

static void close_window(void) {
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

static double time_of(const Operation* operation) {
  operation->round();
  const double start = MPI_Wtime();
  for (int i = 0; i < ROUNDS; ++i) operation->round();
  return (MPI_Wtime() - start) / ROUNDS / operation->parts;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) give_up("", "is started with an operation and bytes");
  const Operation* operation = find_operation(argv[1]);
  bytes = atoi(argv[2]);
  if (ranks < 2) give_up(operation->name, "needs two ranks");
  if (bytes % operation->unit != 0) give_up(operation->name, "needs bytes in whole doubles");
  const int last = ranks - 1;
  other = rank == FIRST ? last : FIRST;
  out = calloc(1, (size_t)bytes + 1);
  in = calloc(STREAM, (size_t)bytes + 1);
  if (operation->is_called == BY_THE_FIRST) open_window(last);
  double time = 0;
  if (rank == FIRST || (rank == last && operation->is_called == BY_BOTH)) time = time_of(operation);
  if (operation->is_called == BY_THE_FIRST) close_window();
  if (rank == FIRST) printf("bytes,ranks,time_us\n%d,%d,%.6f\n", bytes, ranks, time * 1e6);
  MPI_Finalize();
  return 0;
}
