/* For programs that read and write files, in a folder that no other run has. To be included before any other header. */
#ifndef HINDCAST_TESTS_OWN_FILES_H
#define HINDCAST_TESTS_OWN_FILES_H

#define _DEFAULT_SOURCE /* mkdtemp */

#include <string.h>
#include <unistd.h>

#include "check.h"

static char own_folder[200];

/* The same on all ranks, all of which call it. */
UNUSED static const char* own_name(const char* stem) {
  static char names[8][220];
  static int used;
  char* name = names[used++ % 8];
  if (own_folder[0] == '\0') {
    const char* folder = getenv("TMPDIR");
    snprintf(own_folder, sizeof own_folder, "%s/hindcast-XXXXXX", folder != NULL ? folder : "/tmp");
    if (world_rank() == 0) CHECK(mkdtemp(own_folder) != NULL);
    MPI_Bcast(own_folder, sizeof own_folder, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  snprintf(name, sizeof names[0], "%s/%s", own_folder, stem);
  return name;
}

UNUSED static MPI_File open_file(const char* name, int mode) {
  MPI_File file;
  CHECK_INT(MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file), MPI_SUCCESS);
  return file;
}

UNUSED static int count_in(const MPI_Status* status, MPI_Datatype type) {
  int count;
  MPI_Get_count(status, type, &count);
  return count;
}

/* All files are gone by now. */
UNUSED static int finish_with_files(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) CHECK(rmdir(own_folder) == 0);
  return finish();
}

#endif
