/* NX, after the message-passing calls of Intel's iPSC and Paragon: for programs of their own (built by `hindcast cc`,
 * started by `hindcast run -m mpi_impl/libraries/nx/example.toml -n NODES`), with MPI or without.
 *
 * Messages have a type, 0 to 2147483647, and a receive takes the first that comes of its type. Forced messages, sets of
 * types, handlers, and processes beside each other on a node are left out. Wrong arguments end the run with a line that
 * says what is wrong. */
#ifndef NX_H
#define NX_H

#ifdef __cplusplus
extern "C" {
#endif

#define NX_FUNCTION __attribute__((visibility("default")))

/* For a receive or a probe: of any type. */
#define NX_ANY (-1L)
/* For csend: to all nodes but the own. */
#define NX_ALL (-1L)

NX_FUNCTION long mynode(void);
NX_FUNCTION long numnodes(void);
NX_FUNCTION double dclock(void); /* in seconds */

/* Sends; returns when the program may use `buf` again, whether or not anybody waits for the message. To all others it
 * goes to one after the other. `ptype` is the process on the node, of which there is one: 0. */
NX_FUNCTION void csend(long type, const void* buf, long count, long node, long ptype);
/* Receives the first message of this type, and waits for it if there is none. It must not be longer than `count`. */
NX_FUNCTION void crecv(long typesel, void* buf, long count);

/* The same, but they return at once with an id. The buffer is the system's until msgwait or msgdone has said that the
 * message is done; the id means nothing from then on. */
NX_FUNCTION long isend(long type, const void* buf, long count, long node, long ptype); /* not to all */
NX_FUNCTION long irecv(long typesel, void* buf, long count);
NX_FUNCTION void msgwait(long mid); /* returns when it is done */
NX_FUNCTION long msgdone(long mid); /* 1 if it is done, else 0 */

/* Whether a message of this type has come that nothing has received: waits for one; or says 1 or 0. */
NX_FUNCTION void cprobe(long typesel);
NX_FUNCTION long iprobe(long typesel);

/* Of the last message that was received by crecv, msgwait or msgdone, or found by cprobe or iprobe: its bytes, the node
 * that sent it, its type. -1 before the first. */
NX_FUNCTION long infocount(void);
NX_FUNCTION long infonode(void);
NX_FUNCTION long infotype(void);

/* Returns when all nodes have called it. */
NX_FUNCTION void gsync(void);

#ifdef __cplusplus
}
#endif

#endif
