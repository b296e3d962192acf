/* ranks: 1 2
 * Vectors and other layouts in nonblocking and synchronous operations: whatever lies at one distance at one end or at
 * both, is irregular, is cut in other items there, is shorter than the receive or ends within an item, comes before the
 * receive or after it, or to its sender. What lies between the items stays as it was. */
#include <string.h>

#include "check.h"

enum { ints = 24, gap = -7, memory = 200 };

/* So many ints, in one of several layouts. */
typedef struct {
  MPI_Datatype type;
  int count;
} Layout;

enum { together, vector, wide_vector, resized, two_vectors, backwards, irregular, layouts };

static Layout make_layout(int which) {
  Layout layout = {MPI_DATATYPE_NULL, 1};
  MPI_Datatype inner;
  int lengths[3] = {5, 12, 7}, places[3] = {30, 0, 50};
  switch (which) {
    case together:
      MPI_Type_contiguous(ints, MPI_INT, &layout.type);
      break;
    case vector:
      MPI_Type_vector(ints, 1, 3, MPI_INT, &layout.type);
      break;
    case wide_vector:
      MPI_Type_vector(ints / 8, 8, 11, MPI_INT, &layout.type);
      break;
    case resized:
      MPI_Type_create_resized(MPI_INT, 0, 5 * sizeof(int), &layout.type);
      layout.count = ints;
      break;
    case two_vectors: /* the second does not go on where the first ends */
      MPI_Type_vector(ints / 2, 1, 2, MPI_INT, &layout.type);
      layout.count = 2;
      break;
    case backwards:
      MPI_Type_vector(ints, 1, -2, MPI_INT, &inner);
      MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){(2 * ints - 2) * (MPI_Aint)sizeof(int)}, inner,
                               &layout.type);
      MPI_Type_free(&inner);
      break;
    default:
      MPI_Type_indexed(3, lengths, places, MPI_INT, &layout.type);
  }
  MPI_Type_commit(&layout.type);
  return layout;
}

/* Where its ints lie, in their order: packing tells. */
static void find_places(const Layout* layout, int* places) {
  int numbers[memory], position = 0;
  for (int i = 0; i < memory; ++i) numbers[i] = i;
  MPI_Pack(numbers, layout->count, layout->type, places, ints * (int)sizeof(int), &position, MPI_COMM_SELF);
  CHECK_INT(position, ints * (int)sizeof(int));
}

static void write_ints(const Layout* layout, int* data, int tag) {
  int places[ints];
  find_places(layout, places);
  for (int i = 0; i < memory; ++i) data[i] = gap;
  for (int i = 0; i < ints; ++i) data[places[i]] = element(0, tag, i);
}

static void check_ints(const Layout* layout, const int* data, int tag, int count) {
  int places[ints], expected[memory];
  find_places(layout, places);
  for (int i = 0; i < memory; ++i) expected[i] = gap;
  for (int i = 0; i < count; ++i) expected[places[i]] = element(0, tag, i);
  CHECK(memcmp(data, expected, sizeof expected) == 0);
}

enum { isend, issend, ssend, rest, modes };

static void start_send(int mode, const int* data, int count, MPI_Datatype type, int to, int tag, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  if (mode == isend) MPI_Isend(data, count, type, to, tag, MPI_COMM_WORLD, request);
  if (mode == issend) MPI_Issend(data, count, type, to, tag, MPI_COMM_WORLD, request);
  if (mode == ssend) MPI_Ssend(data, count, type, to, tag, MPI_COMM_WORLD);
  if (mode == rest) {
    MPI_Ssend_init(data, count, type, to, tag, MPI_COMM_WORLD, request);
    MPI_Start(request);
  }
}

static void end(MPI_Request* request, MPI_Status* status) {
  const int is_persistent = *request != MPI_REQUEST_NULL;
  MPI_Wait(request, status);
  if (is_persistent && *request != MPI_REQUEST_NULL) MPI_Request_free(request);
}

/* To rank 1, which lets it come first if `late`. */
static void exchange(const Layout* from, const Layout* to, int mode, int late, int tag) {
  int data[memory];
  MPI_Request request;
  MPI_Status status;
  if (world_rank() == 0) {
    write_ints(from, data, tag);
    if (!late) MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    start_send(mode, data, from->count, from->type, 1, tag, &request);
    end(&request, MPI_STATUS_IGNORE);
    check_ints(from, data, tag, ints);
  } else {
    for (int i = 0; i < memory; ++i) data[i] = gap;
    if (late) {
      MPI_Probe(0, tag, MPI_COMM_WORLD, &status);
      check_status(&status, 0, tag, ints);
    }
    MPI_Irecv(data, to->count, to->type, 0, tag, MPI_COMM_WORLD, &request);
    if (!late) MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    check_status(&status, 0, tag, ints);
    check_ints(to, data, tag, ints);
  }
}

static void exchange_all(const Layout* all) {
  for (int from = 0; from < layouts; ++from)
    for (int to = 0; to < layouts; ++to)
      for (int mode = 0; mode < modes; ++mode)
        for (int late = 0; late < 2; ++late) exchange(&all[from], &all[to], mode, late, 1 + from * layouts + to);
}

/* Lengths that end within an item of either side, blocking and not, from none on. */
static void send_parts(const Layout* all) {
  for (int count = 0; count < ints; count += 5)
    for (int to = 0; to < layouts; ++to)
      for (int mode = 0; mode < 2 * modes; ++mode) {
        int data[memory];
        MPI_Request request;
        MPI_Status status;
        if (world_rank() == 0) {
          for (int i = 0; i < count; ++i) data[i] = element(0, count, i);
          start_send(mode % modes, data, count, MPI_INT, 1, count, &request);
          end(&request, MPI_STATUS_IGNORE);
        } else {
          for (int i = 0; i < memory; ++i) data[i] = gap;
          if (mode < modes) {
            MPI_Recv(data, all[to].count, all[to].type, 0, count, MPI_COMM_WORLD, &status);
          } else {
            MPI_Irecv(data, all[to].count, all[to].type, 0, count, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, &status);
          }
          check_status(&status, 0, count, count);
          check_ints(&all[to], data, count, count);
        }
      }
}

/* Too long, by part of an item: what has room is there. */
static void cut(const Layout* all) {
  enum { room = 8 + 3 };
  int data[memory];
  MPI_Request request;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int mode = 0; mode < modes; ++mode) {
    if (world_rank() == 0) {
      write_ints(&all[wide_vector], data, 1);
      start_send(mode, data, 1, all[wide_vector].type, 1, 1, &request);
      end(&request, MPI_STATUS_IGNORE);
    } else {
      for (int i = 0; i < memory; ++i) data[i] = gap;
      MPI_Irecv(data, room, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
      FAILS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
      check_elements(data, room, 0, 1);
      CHECK_INT(data[room], gap);
    }
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Receives that are posted, and those that block, take messages in their order, whichever way the messages come. */
static void keep_order(void) {
  enum { messages = 12 };
  int data[messages];
  MPI_Request requests[messages];
  if (world_rank() == 0) {
    for (int i = 0; i < messages; ++i) {
      data[i] = i;
      start_send(i % 2 == 0 ? isend : issend, &data[i], 1, MPI_INT, 1, 1, &requests[i]);
    }
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < messages; ++i) {
      requests[i] = MPI_REQUEST_NULL;
      if (i % 3 == 2)
        MPI_Recv(&data[i], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      else
        MPI_Irecv(&data[i], 1, MPI_INT, i % 3 == 0 ? MPI_ANY_SOURCE : 0, i % 2 == 0 ? MPI_ANY_TAG : 1, MPI_COMM_WORLD,
                  &requests[i]);
    }
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < messages; ++i) CHECK_INT(data[i], i);
  }
}

static void send_to_oneself(const Layout* all) {
  for (int mode = 0; mode < modes; ++mode) {
    if (mode == ssend) continue; /* it would wait for itself */
    for (int to = 0; to < layouts; ++to) {
      int from_data[memory], to_data[memory];
      MPI_Request sent, received;
      write_ints(&all[vector], from_data, to);
      for (int i = 0; i < memory; ++i) to_data[i] = gap;
      start_send(mode, from_data, 1, all[vector].type, world_rank(), to, &sent);
      MPI_Irecv(to_data, all[to].count, all[to].type, MPI_ANY_SOURCE, to, MPI_COMM_WORLD, &received);
      end(&sent, MPI_STATUS_IGNORE);
      MPI_Wait(&received, MPI_STATUS_IGNORE);
      check_ints(&all[to], to_data, to, ints);
    }
  }
}

/* A request that is freed at once: the data comes all the same. */
static void free_requests(const Layout* all) {
  int data[memory];
  MPI_Request request;
  for (int mode = 0; mode < 2; ++mode) {
    if (world_rank() == 0) {
      write_ints(&all[vector], data, 1);
      start_send(mode == 0 ? isend : issend, data, 1, all[vector].type, 1, 1, &request);
      MPI_Request_free(&request);
      MPI_Recv(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      for (int i = 0; i < memory; ++i) data[i] = gap;
      MPI_Recv(data, 1, all[wide_vector].type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      check_ints(&all[wide_vector], data, 1, ints);
      MPI_Send(NULL, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
  }
}

int main(int argc, char** argv) {
  Layout all[layouts];
  MPI_Init(&argc, &argv);
  for (int i = 0; i < layouts; ++i) all[i] = make_layout(i);
  send_to_oneself(all);
  if (world_size() > 1) {
    exchange_all(all);
    send_parts(all);
    cut(all);
    keep_order();
    free_requests(all);
  }
  for (int i = 0; i < layouts; ++i) MPI_Type_free(&all[i].type);
  return finish();
}
