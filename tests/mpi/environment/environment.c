/* ranks: 3
 * Starting and ending, versions and names, clocks, memory, attributes. */
#include "check.h"

#include <string.h>

static void ignore(MPI_Comm* comm, int* code, ...) { (void)comm, (void)code; }

/* What needs nothing of MPI's but itself may be called before MPI_Init and after MPI_Finalize. */
static int has_infos_and_errors(void) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 16, flag = 0, keys = 0, error_class = -1;
  MPI_Info info, copy;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(info, "key");
  MPI_Info_get_string(copy, "key", &length, text, &flag);
  if (!flag || length != 6 || strcmp(text, "value") != 0) return 0;
  MPI_Info_get_nkeys(info, &keys);
  if (keys != 0) return 0;
  MPI_Info_get_nthkey(copy, 0, text);
  if (strcmp(text, "key") != 0) return 0;
  MPI_Info_free(&copy);
  copy = MPI_Info_f2c(MPI_Info_c2f(info));
  MPI_Info_free(&copy);
  MPI_Error_class(MPI_ERR_TAG, &error_class);
  MPI_Error_string(MPI_ERR_TAG, text, &length);
  return error_class == MPI_ERR_TAG && length == (int)strlen(text);
}

static int has_version(void) {
  int version = -1, subversion = -1, length = -1;
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_version(&version, &subversion);
  MPI_Get_library_version(text, &length);
  return version == MPI_VERSION && subversion == MPI_SUBVERSION && strncmp(text, "hindcast", 8) == 0 &&
         (int)strlen(text) == length;
}

/* Whether MPI is initialized, and finalized, as told. */
static int how_far(int initialized, int finalized) {
  int flags[2] = {-1, -1};
  MPI_Initialized(&flags[0]);
  MPI_Finalized(&flags[1]);
  return flags[0] == initialized && flags[1] == finalized;
}

static void threads_and_names(int provided) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int found = -1;
  CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
  MPI_Query_thread(&found);
  CHECK_INT(found, provided);
  MPI_Is_thread_main(&found);
  CHECK_INT(found, 1);
  MPI_Get_processor_name(name, &found);
  CHECK(found > 0 && found == (int)strlen(name));
}

static void clocks(void) {
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
}

static void memory(void) {
  int* got;
  MPI_Alloc_mem(1000 * sizeof(int), MPI_INFO_NULL, &got);
  fill(got, 1000, world_rank(), 1);
  check_elements(got, 1000, world_rank(), 1);
  MPI_Free_mem(got);
}

static void attributes(void) {
  int *value, flag;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  CHECK_INT(flag, 1);
  CHECK(*value >= 32767);
  MPI_Attr_get(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &value, &flag);
  CHECK(flag && *value == 1);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &value, &flag);
  CHECK(flag && *value == MPI_ANY_SOURCE);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag);
  CHECK(flag && *value == MPI_PROC_NULL);
}

static void control(void) {
  for (int level = 0; level < 3; ++level) CHECK_INT(MPI_Pcontrol(level), MPI_SUCCESS);
  CHECK_INT(MPI_Pcontrol(-17), MPI_SUCCESS);
  CHECK_INT(MPI_Pcontrol(1, "anything", 2), MPI_SUCCESS);
}

int main(int argc, char** argv) {
  int provided = -1;
  MPI_Errhandler handler;
  if (!how_far(0, 0)) return 1;
  if (!has_version()) return 2;
  if (!has_infos_and_errors()) return 3;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(how_far(1, 0));
  threads_and_names(provided);
  clocks();
  memory();
  attributes();
  control();
  MPI_Barrier(MPI_COMM_WORLD);
  const int rank = world_rank();
  MPI_Comm_create_errhandler(ignore, &handler);
  MPI_Finalize();
  if (!how_far(1, 1)) return 4;
  if (!has_version()) return 5;
  MPI_Errhandler_free(&handler);
  if (handler != MPI_ERRHANDLER_NULL || !has_infos_and_errors()) return 6;
  if (rank == 0) printf("ok\n");
  return 0;
}
