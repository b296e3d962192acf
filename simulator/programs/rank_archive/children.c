/* Programs that a rank starts have the rank's environment. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "environment.h"
#include "own_copy.h"
#include "rank_interface.h"

OWN_COPY int system(const char* command) { return hindcast_rank_system(environ, command); }
OWN_COPY FILE* popen(const char* command, const char* mode) { return hindcast_rank_popen(environ, command, mode); }
OWN_COPY int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                         const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  return hindcast_rank_spawn(child, path, actions, attributes, words, environment);
}
OWN_COPY int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                          const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  return hindcast_rank_spawnp(child, file, actions, attributes, words, environment);
}

OFFER(system);
OFFER(popen);
OFFER(posix_spawn);
OFFER(posix_spawnp);
