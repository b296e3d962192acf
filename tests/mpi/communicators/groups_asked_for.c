/* ranks: 1 3
 * Groups of communicators, windows and files, asked for again and again: each is good until it has been freed as often
 * as it was given, and a program may ask at every access without freeing any, as Global Arrays does. */
#include "own_files.h"

static int is_good(MPI_Group group) {
  int size;
  return MPI_Group_size(group, &size) == MPI_SUCCESS && size == world_size();
}

static void check_pair(MPI_Group first, MPI_Group second, int is_held_by_others) {
  MPI_Group gone = first;
  int result = -1;
  MPI_Group_compare(first, second, &result);
  CHECK_INT(result, MPI_IDENT);
  CHECK_INT(MPI_Group_free(&first), MPI_SUCCESS);
  CHECK(first == MPI_GROUP_NULL);
  CHECK(is_good(second));
  CHECK_INT(MPI_Group_free(&second), MPI_SUCCESS);
  CHECK_INT(is_good(gone), is_held_by_others);
}

int main(int argc, char** argv) {
  MPI_Group group, again, kept;
  MPI_Comm dup;
  MPI_Win win;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);

  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Comm_group(dup, &group);
  MPI_Comm_group(dup, &again);
  MPI_Comm_group(MPI_COMM_WORLD, &kept);
  check_pair(group, again, 1); /* a duplicate's group is that of its communicator */
  CHECK(is_good(kept));

  MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, dup, &win);
  MPI_Win_get_group(win, &group);
  MPI_Win_get_group(win, &again);
  MPI_Group_free(&kept);
  check_pair(group, again, 0);

  /* A rank has a million handles of groups. */
  for (int i = 0; i < 1100000; ++i) MPI_Win_get_group(win, &group);
  MPI_Win_free(&win);
  CHECK(is_good(group));

  MPI_File_open(dup, own_name("groups"), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                &file);
  MPI_File_get_group(file, &again);
  MPI_File_close(&file);
  MPI_Comm_free(&dup);
  CHECK(is_good(again));
  return finish_with_files();
}
