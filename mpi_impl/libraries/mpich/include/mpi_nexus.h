/* Control of MPI on Nexus by attributes of communicators, as its authors propose: keys that the library recognizes,
 * whose values hold for the messages of the communicator which has them, and for its duplicates.
 *
 *     int bytes = 1 << 20;
 *     MPI_Comm_set_attr(comm, TCP_BUFFER_SIZE, &bytes);
 *
 * A value is looked at with each message, and has to stay until the attribute is deleted or changed. */
#ifndef HINDCAST_MPI_NEXUS_H
#define HINDCAST_MPI_NEXUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of the calling rank. */
__attribute__((visibility("default"))) int hindcast_nexus_key(int which);

/* int*: what TCP has under way for these messages, in bytes. There is a connection for each size. */
#define TCP_BUFFER_SIZE (hindcast_nexus_key(0))
/* const char*: the method that messages go by where it leads, such as "aal5"; elsewhere Nexus chooses. */
#define NEXUS_METHOD (hindcast_nexus_key(1))
/* int*: TCP, or MPL, is polled in every so-many-th pass, from a send or receive of this communicator on to one of
 * another. */
#define NEXUS_TCP_SKIP (hindcast_nexus_key(2))
#define NEXUS_MPL_SKIP (hindcast_nexus_key(3))

#ifdef __cplusplus
}
#endif
#endif
