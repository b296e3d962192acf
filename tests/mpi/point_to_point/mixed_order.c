/* ranks: 2 3
 * Messages of one pair, of all lengths, sent and received in ways that are drawn, with wildcards or not: whichever
 * receives match them, those of one tag come in the order of their sends. One way only, around a ring, and from each
 * rank to itself. */
#include "check.h"

#include <string.h>

enum { messages = 60, longest = 30000, tags = 3 };

static unsigned state;
static int *out[messages], *in[messages], is_taken[messages];
static const MPI_Comm comm = MPI_COMM_WORLD;

static int draw(int below) {
  state = state * 1103515245u + 12345u;
  return (int)(state >> 16) % below;
}

/* Most are short. Both ends know how long message i is, and its tag. */
static int length_of(int i) {
  const unsigned mixed = (unsigned)i * 2654435761u, kind = (mixed ^ mixed >> 13) % 7;
  if (kind == 0) return 0;
  return kind < 4 ? 1 + (int)(mixed >> 8) % 60 : kind < 6 ? 1000 + (int)(mixed >> 8) % 3000 : longest - 1 - i;
}
static int tag_of(int i) { return i * 7 / 3 % tags; }

static void start_send(int i, int to, MPI_Request* request) {
  const int n = length_of(i), tag = tag_of(i), way = draw(8);
  fill(out[i], n, world_rank(), i);
  *request = MPI_REQUEST_NULL;
  if (way == 0) MPI_Isend(out[i], n, MPI_INT, to, tag, comm, request);
  if (way == 1) MPI_Issend(out[i], n, MPI_INT, to, tag, comm, request);
  if (way == 2) MPI_Ibsend(out[i], n, MPI_INT, to, tag, comm, request);
  if (way == 3) MPI_Bsend(out[i], n, MPI_INT, to, tag, comm);
  if (way == 4) MPI_Isendrecv(out[i], n, MPI_INT, to, tag, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, comm, request);
  if (way == 5) MPI_Send_init(out[i], n, MPI_INT, to, tag, comm, request);
  if (way == 6) MPI_Ssend_init(out[i], n, MPI_INT, to, tag, comm, request);
  if (way == 7) MPI_Bsend_init(out[i], n, MPI_INT, to, tag, comm, request);
  if (way >= 5) MPI_Start(request);
}

static void end(MPI_Request* requests, MPI_Status* statuses) {
  MPI_Waitall(messages, requests, statuses);
  for (int i = 0; i < messages; ++i)
    if (requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]); /* persistent */
}

/* The first message that is left for a receive of this tag; -1 if there is none. */
static int first_left(int tag) {
  for (int i = 0; i < messages; ++i)
    if (!is_taken[i] && (tag == MPI_ANY_TAG || tag == tag_of(i))) return i;
  return -1;
}

/* Several calls, of which the last one makes a request or has the message. */
static void receive(int* data, int source, int tag, MPI_Request* request, MPI_Status* status) {
  const int way = draw(7);
  int n, found = 0;
  MPI_Message message;
  MPI_Status probed;
  if (way == 0) MPI_Recv(data, longest, MPI_INT, source, tag, comm, status);
  if (way == 1) MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, data, longest, MPI_INT, source, tag, comm, status);
  if (way == 2) MPI_Irecv(data, longest, MPI_INT, source, tag, comm, request);
  if (way == 3) {
    MPI_Recv_init(data, longest, MPI_INT, source, tag, comm, request);
    MPI_Start(request);
  }
  if (way == 4) MPI_Probe(source, tag, comm, &probed);
  if (way == 5) MPI_Mprobe(source, tag, comm, &message, &probed);
  while (way == 6 && !found) MPI_Improbe(source, tag, comm, &found, &message, &probed);
  if (way >= 4) MPI_Get_count(&probed, MPI_INT, &n);
  if (way == 4) MPI_Recv(data, n, MPI_INT, probed.MPI_SOURCE, probed.MPI_TAG, comm, status);
  if (way == 5) MPI_Mrecv(data, n, MPI_INT, &message, status);
  if (way == 6) MPI_Imrecv(data, n, MPI_INT, &message, request);
}

static void receive_all(int from) {
  MPI_Request requests[messages];
  MPI_Status statuses[messages], of_requests[messages];
  int expected[messages], is_request[messages];
  memset(is_taken, 0, sizeof is_taken);
  for (int i = 0; i < messages; ++i) {
    int tag;
    do tag = draw(tags + 1) == tags ? MPI_ANY_TAG : draw(tags);
    while ((expected[i] = first_left(tag)) < 0);
    is_taken[expected[i]] = 1;
    memset(in[i], 0xff, sizeof(int) * longest);
    requests[i] = MPI_REQUEST_NULL;
    receive(in[i], draw(2) ? from : MPI_ANY_SOURCE, tag, &requests[i], &statuses[i]);
    is_request[i] = requests[i] != MPI_REQUEST_NULL;
  }
  end(requests, of_requests);
  for (int i = 0; i < messages; ++i) {
    const int n = length_of(expected[i]);
    check_status(is_request[i] ? &of_requests[i] : &statuses[i], from, tag_of(expected[i]), n);
    check_elements(in[i], n, from, expected[i]);
    CHECK_INT(in[i][n], -1);
  }
}

static void send_and_receive(int to, int from) {
  MPI_Request requests[messages];
  for (int i = 0; i < messages && to != MPI_PROC_NULL; ++i) start_send(i, to, &requests[i]);
  if (from != MPI_PROC_NULL) receive_all(from);
  if (to != MPI_PROC_NULL) end(requests, MPI_STATUSES_IGNORE);
  MPI_Barrier(comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = world_rank(), n = world_size(), room = messages * (longest * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
  int size;
  void* buffer = malloc(room);
  for (int i = 0; i < messages; ++i) {
    out[i] = malloc(sizeof(int) * longest);
    in[i] = malloc(sizeof(int) * longest);
  }
  MPI_Buffer_attach(buffer, room);
  for (int round = 0; round < 2; ++round) {
    state = 17 + 31 * round + 7 * rank;
    send_and_receive(rank == 0 ? 1 : MPI_PROC_NULL, rank == 1 ? 0 : MPI_PROC_NULL);
    send_and_receive((rank + 1) % n, (rank + n - 1) % n);
    send_and_receive(rank, rank);
  }
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
  for (int i = 0; i < messages; ++i) {
    free(out[i]);
    free(in[i]);
  }
  return finish();
}
