/* ranks: 1 2
 * Each constructor of datatypes: which elements it takes, in which order, with no elements at all, and what it refuses.
 */
#include "check.h"

#include <stdarg.h>
#include <string.h>

enum { room = 64 };

static int world_right(void) { return (world_rank() + 1) % world_size(); }
static int world_left(void) { return (world_rank() + world_size() - 1) % world_size(); }

/* Sends `count` elements of `type` from the middle of an array around a ring, and checks which ints of the array
 * travel, in order, and that they arrive at the same places and nothing else changes. The list of places ends with
 * `room`. */
static void check_places(MPI_Datatype type, int count, ...) {
  int out[2 * room], plain[2 * room], in[2 * room], places[2 * room], n = 0;
  va_list list;
  va_start(list, count);
  for (int place = va_arg(list, int); place != room; place = va_arg(list, int)) places[n++] = room + place;
  va_end(list);
  fill(out, 2 * room, world_rank(), 1);
  memset(in, 0x55, sizeof in);
  MPI_Status status;
  MPI_Type_commit(&type);
  MPI_Sendrecv(&out[room], count, type, world_right(), 1, plain, 2 * room, MPI_INT, world_left(), 1, MPI_COMM_WORLD,
               &status);
  check_status(&status, world_left(), 1, n);
  for (int i = 0; i < n; ++i) CHECK_INT(plain[i], element(world_left(), 1, places[i]));

  MPI_Sendrecv(&out[room], count, type, world_right(), 2, &in[room], count, type, world_left(), 2, MPI_COMM_WORLD,
               &status);
  for (int i = 0; i < n; ++i) {
    CHECK_INT(in[places[i]], element(world_left(), 1, places[i]));
    out[places[i]] = -1; /* not to be looked at again */
  }
  for (int i = 0; i < 2 * room; ++i)
    if (out[i] != -1) CHECK_INT(in[i], 0x55555555);

  int size;
  MPI_Type_size(type, &size);
  CHECK_INT(size * count, n * (int)sizeof(int));
  MPI_Type_free(&type);
  CHECK(type == MPI_DATATYPE_NULL);
}

static MPI_Datatype type, freed;

static void contiguous(void) {
  MPI_Type_contiguous(3, MPI_INT, &type);
  check_places(type, 2, 0, 1, 2, 3, 4, 5, room);
  MPI_Type_contiguous(0, MPI_INT, &type);
  check_places(type, 5, room);
  FAILS(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
  FAILS(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE);
  FAILS(MPI_Type_contiguous(1, freed, &type), MPI_ERR_TYPE);
  FAILS(MPI_Type_contiguous(1, MPI_INT, NULL), MPI_ERR_ARG);
}

static void vector(void) {
  MPI_Type_vector(3, 2, 4, MPI_INT, &type);
  check_places(type, 1, 0, 1, 4, 5, 8, 9, room);
  MPI_Type_vector(2, 1, 3, MPI_INT, &type); /* the next element begins where the last block ends */
  check_places(type, 2, 0, 3, 4, 7, room);
  MPI_Type_vector(3, 1, -2, MPI_INT, &type);
  check_places(type, 1, 0, -2, -4, room);
  MPI_Type_vector(0, 2, 4, MPI_INT, &type);
  check_places(type, 3, room);
  MPI_Type_vector(3, 0, 4, MPI_INT, &type);
  check_places(type, 1, room);
  FAILS(MPI_Type_vector(-1, 2, 4, MPI_INT, &type), MPI_ERR_COUNT);
  FAILS(MPI_Type_vector(1, -2, 4, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_vector(1, 2, 4, freed, &type), MPI_ERR_TYPE);
}

/* Blocks that overlap may be sent, but not received into. */
static void overlapping(void) {
  int out[4], in[6];
  fill(out, 4, world_rank(), 1);
  MPI_Type_vector(3, 2, 1, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(out, 1, type, world_right(), 1, in, 6, MPI_INT, world_left(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 6; ++i) CHECK_INT(in[i], element(world_left(), 1, i / 2 + i % 2));
  MPI_Type_free(&type);
  MPI_Type_vector(3, 1, 0, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Sendrecv(&out[1], 1, type, world_right(), 1, in, 6, MPI_INT, world_left(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i) CHECK_INT(in[i], element(world_left(), 1, 1));
  MPI_Type_free(&type);
}

static void hvector(void) {
  MPI_Type_create_hvector(2, 2, 12, MPI_INT, &type);
  check_places(type, 1, 0, 1, 3, 4, room);
  MPI_Type_hvector(2, 1, -8, MPI_INT, &type);
  check_places(type, 1, 0, -2, room);
  MPI_Type_create_hvector(0, 1, 8, MPI_INT, &type);
  check_places(type, 1, room);
  FAILS(MPI_Type_create_hvector(-2, 1, 8, MPI_INT, &type), MPI_ERR_COUNT);
  FAILS(MPI_Type_create_hvector(2, -1, 8, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_hvector(2, 1, 8, MPI_COMM_WORLD, &type), MPI_ERR_TYPE);
}

static void indexed(void) {
  const int lengths[4] = {2, 0, 1, 3}, places[4] = {5, 30, -2, 10}, negative[2] = {1, -1};
  MPI_Type_indexed(4, lengths, places, MPI_INT, &type);
  check_places(type, 1, 5, 6, -2, 10, 11, 12, room);
  MPI_Type_indexed(0, NULL, NULL, MPI_INT, &type);
  check_places(type, 1, room);
  MPI_Type_indexed(1, lengths, places, MPI_INT, &type); /* one run of data, away from the address */
  check_places(type, 1, 5, 6, room);
  MPI_Type_indexed(1, lengths, places, MPI_INT, &type);
  check_places(type, 3, 5, 6, 7, 8, 9, 10, room);
  FAILS(MPI_Type_indexed(-1, lengths, places, MPI_INT, &type), MPI_ERR_COUNT);
  FAILS(MPI_Type_indexed(2, negative, places, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_indexed(2, NULL, places, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_indexed(2, lengths, places, freed, &type), MPI_ERR_TYPE);
}

static void hindexed(void) {
  const int lengths[3] = {1, 0, 2}, negative[1] = {-3};
  const MPI_Aint places[3] = {40, 4, -16};
  MPI_Type_create_hindexed(3, lengths, places, MPI_INT, &type);
  check_places(type, 1, 10, -4, -3, room);
  MPI_Type_hindexed(1, lengths, places, MPI_INT, &type);
  check_places(type, 1, 10, room);
  MPI_Type_hindexed(0, lengths, places, MPI_INT, &type);
  check_places(type, 1, room);
  MPI_Type_create_hindexed(0, NULL, NULL, MPI_INT, &type);
  check_places(type, 2, room);
  FAILS(MPI_Type_create_hindexed(-3, lengths, places, MPI_INT, &type), MPI_ERR_COUNT);
  FAILS(MPI_Type_create_hindexed(1, negative, places, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_hindexed(1, lengths, NULL, MPI_INT, &type), MPI_ERR_ARG);
}

static void indexed_block(void) {
  const int places[3] = {7, -3, 12};
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type);
  check_places(type, 1, 7, 8, -3, -2, 12, 13, room);
  MPI_Type_create_indexed_block(0, 2, NULL, MPI_INT, &type);
  check_places(type, 1, room);
  MPI_Type_create_indexed_block(3, 0, places, MPI_INT, &type);
  check_places(type, 1, room);
  FAILS(MPI_Type_create_indexed_block(-1, 2, places, MPI_INT, &type), MPI_ERR_COUNT);
  FAILS(MPI_Type_create_indexed_block(3, -2, places, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_indexed_block(3, 2, NULL, MPI_INT, &type), MPI_ERR_ARG);
}

static void hindexed_block(void) {
  const MPI_Aint places[3] = {16, -8, 40};
  MPI_Type_create_hindexed_block(3, 2, places, MPI_INT, &type);
  check_places(type, 1, 4, 5, -2, -1, 10, 11, room);
  MPI_Type_create_hindexed_block(0, 2, NULL, MPI_INT, &type);
  check_places(type, 1, room);
  FAILS(MPI_Type_create_hindexed_block(-1, 2, places, MPI_INT, &type), MPI_ERR_COUNT);
  FAILS(MPI_Type_create_hindexed_block(3, -2, places, MPI_INT, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_hindexed_block(3, 2, places, MPI_DATATYPE_NULL, &type), MPI_ERR_TYPE);
}

static void structure(void) {
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  const int lengths[3] = {2, 1, 0}, negative[1] = {-1};
  const MPI_Aint places[3] = {-8, 24, 48};
  const MPI_Datatype types[3] = {MPI_INT, pair, MPI_DOUBLE};
  const MPI_Datatype bad[2] = {MPI_INT, MPI_DATATYPE_NULL};
  MPI_Type_create_struct(3, lengths, places, types, &type);
  check_places(type, 1, -2, -1, 6, 7, room);
  MPI_Type_struct(2, lengths, places, types, &type);
  check_places(type, 1, -2, -1, 6, 7, room);
  MPI_Type_create_struct(0, NULL, NULL, NULL, &type);
  check_places(type, 1, room);
  MPI_Type_struct(0, NULL, NULL, NULL, &type);
  check_places(type, 1, room);
  FAILS(MPI_Type_create_struct(-1, lengths, places, types, &type), MPI_ERR_COUNT);
  FAILS(MPI_Type_create_struct(1, negative, places, types, &type), MPI_ERR_ARG);
  FAILS(MPI_Type_create_struct(2, lengths, places, bad, &type), MPI_ERR_TYPE);
  FAILS(MPI_Type_struct(2, lengths, places, bad, &type), MPI_ERR_TYPE);
  MPI_Type_free(&pair);
}

/* A column of a matrix, every second of its blocks, as one type of types. */
static void nested(void) {
  MPI_Datatype row, column, two;
  MPI_Type_vector(2, 1, 2, MPI_INT, &row); /* 0 2, extent 3 */
  MPI_Type_create_hvector(2, 1, 40, row, &column);
  const int places[2] = {0, -1};
  MPI_Type_create_indexed_block(2, 1, places, column, &two); /* 0 2 10 12, and 13 ints before */
  check_places(two, 1, 0, 2, 10, 12, -13, -11, -3, -1, room);
  MPI_Type_free(&row);
  MPI_Type_free(&column);
}

static void duplicate(void) {
  MPI_Datatype old;
  MPI_Type_vector(2, 1, 3, MPI_INT, &old);
  MPI_Type_dup(old, &type);
  MPI_Type_free(&old);
  check_places(type, 1, 0, 3, room);
  MPI_Type_dup(MPI_INT, &type); /* committed, as the predefined one is */
  CHECK(type != MPI_INT);
  int value = world_rank(), got = -1;
  MPI_Sendrecv(&value, 1, type, world_right(), 3, &got, 1, type, world_left(), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_INT(got, world_left());
  MPI_Type_free(&type);
  MPI_Type_contiguous(0, MPI_INT, &old);
  MPI_Type_dup(old, &type);
  check_places(type, 1, room);
  MPI_Type_free(&old);
  FAILS(MPI_Type_dup(freed, &type), MPI_ERR_TYPE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(1, MPI_INT, &type);
  freed = type;
  MPI_Type_free(&type);
  contiguous();
  vector();
  overlapping();
  hvector();
  indexed();
  hindexed();
  indexed_block();
  hindexed_block();
  structure();
  nested();
  duplicate();
  return finish();
}
