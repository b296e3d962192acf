/* A collective call in one of its forms: blocking, nonblocking, or persistent and started twice. */
#include <mpi.h>

enum form { blocking, nonblocking, persistent };

#define CALL(form, comm, name, iname, ...)                     \
  do {                                                         \
    MPI_Request request;                                       \
    if ((form) == blocking) {                                  \
      name(__VA_ARGS__, comm);                                 \
    } else if ((form) == nonblocking) {                        \
      iname(__VA_ARGS__, comm, &request);                      \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                   \
    } else {                                                   \
      name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request); \
      for (int round = 0; round < 2; ++round) {                \
        MPI_Start(&request);                                   \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                 \
      }                                                        \
      MPI_Request_free(&request);                              \
    }                                                          \
  } while (0)
