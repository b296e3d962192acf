// Ranks whose nonblocking sends and receives go on while others are not over, with calls of all kinds in between: what
// each rank sees, and when.   backlog SEED
#include <hindcast.h>
#include <mpi.h>
#include <mpp/shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { rounds = 12, most = 6, longest = 20000 };

static uint64_t state;
static int below(int end) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return (int)((state >> 33) % (uint64_t)end);
}

static int rank, size;
static long word;
static void say(const char* what) { printf("%d: %s at %.0f ps\n", rank, what, MPI_Wtime() * 1e12); }

// Something between them that needs to know the time, or shows it.
static void something_else(MPI_Request* request, int is_collective) {
  int flag;
  MPI_Status status;
  struct timespec now;
  long before;
  MPI_Request refused;
  switch (is_collective ? 10 : below(10)) {
    case 0:
      return say("looks at the clock");
    case 1:
      clock_gettime(CLOCK_MONOTONIC, &now);
      printf("%d: %ld ns\n", rank, now.tv_nsec);
      return;
    case 2:
      printf("%d: prints\n", rank);
      return;
    case 3:
      hindcast_compute_flops(below(20000));
      return;
    case 4:
      usleep(below(30));
      return;
    case 5:
      MPI_Request_get_status(*request, &flag, &status);
      return say(flag ? "sees it over" : "sees it under way");
    case 6:
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
      return say(flag ? "sees a message" : "sees no message");
    case 7:
      MPI_Isend(&rank, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &refused);
      return say("was refused");
    case 8:
      before = shmem_long_fadd(&word, 1, (rank + 1) % size);
      printf("%d: adds to %ld\n", rank, before);
      return;
    case 9:
      MPI_Barrier(MPI_COMM_SELF);
      return say("has met itself");
    default:
      MPI_Allreduce(&rank, &flag, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      return say("has reduced");
  }
}

// All ranks take the same random numbers: who sends whom what is known to both.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const uint64_t seed = (uint64_t)atol(argv[1]);
  static char out[most][longest], in[most][longest];
  MPI_Datatype every_second;
  MPI_Type_vector(8, 1, 2, MPI_BYTE, &every_second);
  MPI_Type_commit(&every_second);
  for (int round = 0; round < rounds; ++round) {
    state = seed * 1000 + (uint64_t)round;
    below(2);
    const int messages = 1 + below(most), way = below(4), ends = below(5), is_reduced = below(4) == 0;
    int to[most], bytes[most], mode[most];
    for (int i = 0; i < messages; ++i) {
      to[i] = 1 + below(size);
      bytes[i] = below(3) > 0 ? below(64) : below(longest);
      mode[i] = below(8);
    }
    state += (uint64_t)rank * 7919;
    MPI_Request requests[2 * most];
    int count = 0;
    for (int i = 0; i < messages; ++i) {
      memset(out[i], rank + i, (size_t)bytes[i]);
      memset(in[i], 0, longest);
    }
    for (int i = 0; i < messages; ++i) {
      const int from = (rank + size - to[i] % size) % size, dest = (rank + to[i]) % size;
      const int tag = round * most + i;
      if (way != 1)
        MPI_Irecv(in[i], longest, MPI_BYTE, way == 3 ? MPI_ANY_SOURCE : from, tag, MPI_COMM_WORLD, &requests[count++]);
      if (mode[i] == 0)
        MPI_Issend(out[i], bytes[i], MPI_BYTE, dest, tag, MPI_COMM_WORLD, &requests[count++]);
      else if (mode[i] == 1 && bytes[i] >= 16)
        MPI_Isend(out[i], 1, every_second, dest, tag, MPI_COMM_WORLD, &requests[count++]), bytes[i] = 0;
      else if (mode[i] == 2)
        MPI_Irsend(out[i], bytes[i], MPI_BYTE, dest, tag, MPI_COMM_WORLD, &requests[count++]);
      else
        MPI_Isend(out[i], bytes[i], MPI_BYTE, dest, tag, MPI_COMM_WORLD, &requests[count++]);
      if (below(4) == 0) something_else(&requests[below(count)], 0);
    }
    for (int i = 0; way == 1 && i < messages; ++i)
      MPI_Irecv(in[i], longest, MPI_BYTE, (rank + size - to[i] % size) % size, round * most + i, MPI_COMM_WORLD,
                &requests[count++]);
    if (is_reduced) something_else(NULL, 1);
    if (ends == 0) {
      for (int i = count; i-- > 0;) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    } else if (ends == 1) {
      for (int done = 0; !done;) MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
    } else if (ends == 2) {
      for (int done = 0, index; done < count; ++done) MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
    } else {
      MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    }
    say("is through");
    for (int i = 0; i < messages; ++i) {
      const int from = (rank + size - to[i] % size) % size;
      for (int b = 0; b < bytes[i]; ++b)
        if (in[i][b] != (char)(from + i))
          printf("%d: round %d, message %d, byte %d is wrong\n", rank, round, i, b), b = bytes[i];
    }
  }
  MPI_Type_free(&every_second);
  MPI_Finalize();
  return 0;
}
