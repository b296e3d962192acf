/* Messages and datatypes of more than 2^31 bytes on two ranks (test_large_messages.py): all of a message is counted and
 * sent, though memory for it is only promised. */
#define _GNU_SOURCE
#include "check.h"

#include <limits.h>
#include <sys/mman.h>

enum { rows = 2100, row_bytes = 1 << 20, kept = 4, tag = 5 };
static const MPI_Count total = (MPI_Count)rows * row_bytes;

/* Reads as zeros; takes room only where it is written. */
static char* promised(void) {
  char* memory = mmap(NULL, (size_t)total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(memory != MAP_FAILED);
  return memory;
}

static void expect_counts(const MPI_Status* status, MPI_Datatype row) {
  int count;
  MPI_Count large;
  MPI_Get_count(status, MPI_BYTE, &count);
  CHECK_INT(count, MPI_UNDEFINED);
  MPI_Get_count(status, row, &count);
  CHECK_INT(count, rows);
  MPI_Get_elements(status, MPI_BYTE, &count);
  CHECK_INT(count, MPI_UNDEFINED);
  MPI_Get_elements_x(status, row, &large);
  CHECK_INT(large, total / (MPI_Count)sizeof(int));
  MPI_Get_elements_x(status, MPI_BYTE, &large);
  CHECK_INT(large, total);
}

/* The receiver has room for the first ints only. */
static void receive_the_beginning(int from, MPI_Datatype row) {
  int beginning[kept];
  MPI_Status status;
  MPI_Probe(from, tag, MPI_COMM_WORLD, &status);
  expect_counts(&status, row);
  FAILS(MPI_Recv(beginning, kept, MPI_INT, from, tag, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
  check_status(&status, from, tag, kept);
  check_elements(beginning, kept, from, tag);
}

static void one_way(MPI_Datatype row) {
  if (world_rank() == 0) {
    char* memory = promised();
    fill((int*)(void*)memory, kept, 0, tag);
    MPI_Send(memory, rows, row, 1, tag, MPI_COMM_WORLD);
    munmap(memory, (size_t)total);
  } else {
    receive_the_beginning(0, row);
  }
}

/* Every row lies where the first one does, so there is little memory but as long a message. What comes back is short.
 */
static void replaced(void) {
  static int row[row_bytes / sizeof(int)];
  MPI_Datatype bytes, overlapping;
  MPI_Type_contiguous(row_bytes / (int)sizeof(int), MPI_INT, &bytes);
  MPI_Type_commit(&bytes);
  MPI_Type_create_resized(bytes, 0, 0, &overlapping);
  MPI_Type_commit(&overlapping);
  if (world_rank() == 0) {
    MPI_Status status;
    fill(row, row_bytes / (int)sizeof(int), 0, tag);
    MPI_Sendrecv_replace(row, rows, overlapping, 1, tag, 1, tag, MPI_COMM_WORLD, &status);
    check_status(&status, 1, tag, kept);
    check_elements(row, kept, 1, tag);
  } else {
    fill(row, kept, 1, tag);
    MPI_Send(row, kept, MPI_INT, 0, tag, MPI_COMM_WORLD);
    receive_the_beginning(0, bytes);
  }
  MPI_Type_free(&bytes);
  MPI_Type_free(&overlapping);
}

static void sizes(MPI_Datatype row) {
  MPI_Datatype all;
  MPI_Status status;
  MPI_Count large, begin;
  int size;
  MPI_Type_contiguous(rows, row, &all);
  MPI_Type_size(all, &size);
  CHECK_INT(size, MPI_UNDEFINED);
  MPI_Type_size_x(all, &large);
  CHECK_INT(large, total);
  MPI_Type_get_extent_x(all, &begin, &large);
  CHECK_INT(large, total);
  MPI_Pack_size(2, all, MPI_COMM_WORLD, &size);
  CHECK_INT(size, MPI_UNDEFINED);
  MPI_Aint external;
  MPI_Pack_external_size("external32", 2, all, &external);
  CHECK_INT(external, 2 * total);
  MPI_Status_set_elements_x(&status, row, (MPI_Count)INT_MAX + 1);
  MPI_Get_elements(&status, row, &size);
  CHECK_INT(size, MPI_UNDEFINED);
  MPI_Get_elements_x(&status, row, &large);
  CHECK_INT(large, (MPI_Count)INT_MAX + 1);
  MPI_Get_count(&status, row, &size);
  CHECK_INT(size, ((MPI_Count)INT_MAX + 1) / (row_bytes / (int)sizeof(int)));
  MPI_Type_free(&all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Datatype row;
  MPI_Type_contiguous(row_bytes / (int)sizeof(int), MPI_INT, &row);
  MPI_Type_commit(&row);
  sizes(row);
  one_way(row);
  replaced();
  MPI_Type_free(&row);
  return finish();
}
