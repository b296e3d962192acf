/* The older name of mpp/shmem.h. */
#include <mpp/shmem.h>
