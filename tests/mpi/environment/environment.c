/* ranks: 3
 * Starting and ending, versions and names, clocks, memory, attributes. */
#include "check.h"

#include <string.h>

int main(int argc, char** argv) {
  int flag = -1, version, subversion, provided = -1, length;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Initialized(&flag);
  if (flag) return 1;
  MPI_Get_version(&version, &subversion);
  MPI_Get_library_version(text, &length);
  if (strncmp(text, "hindcast", 8) != 0 || (int)strlen(text) != length) return 2;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
  MPI_Query_thread(&flag);
  CHECK_INT(flag, provided);
  MPI_Is_thread_main(&flag);
  CHECK_INT(flag, 1);
  CHECK_INT(version, MPI_VERSION);
  CHECK_INT(subversion, MPI_SUBVERSION);
  MPI_Initialized(&flag);
  CHECK_INT(flag, 1);
  MPI_Finalized(&flag);
  CHECK_INT(flag, 0);
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Get_processor_name(name, &length);
  CHECK(length > 0 && length == (int)strlen(name));

  double before = MPI_Wtime();
  for (int i = 0; i < 100; ++i) {
    const double now = MPI_Wtime();
    CHECK(now > before); /* reading the clock takes time */
    before = now;
  }
  CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1e-6);
  /* A loop until a time ends. */
  const double end = MPI_Wtime() + 1e-5;
  while (MPI_Wtime() < end) continue;

  int* memory;
  MPI_Alloc_mem(1000 * sizeof(int), MPI_INFO_NULL, &memory);
  fill(memory, 1000, world_rank(), 1);
  check_elements(memory, 1000, world_rank(), 1);
  MPI_Free_mem(memory);

  int* value;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  CHECK_INT(flag, 1);
  CHECK(*value >= 32767);
  MPI_Attr_get(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
  CHECK(flag && *value == 1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag);
  CHECK(flag && *value == MPI_ANY_SOURCE);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag);
  CHECK(flag && *value == MPI_PROC_NULL);
  MPI_Pcontrol(1, "anything", 2);
  MPI_Barrier(MPI_COMM_WORLD);
  const int rank = world_rank();
  MPI_Finalize();
  MPI_Finalized(&flag);
  if (!flag) return 3;
  MPI_Initialized(&flag);
  if (!flag) return 4;
  if (rank == 0) printf("ok\n");
  return 0;
}
