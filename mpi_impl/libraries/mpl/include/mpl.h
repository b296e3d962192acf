/* MPL, the message-passing library of IBM's SP: for programs of their own or beside MPI (built by `hindcast cc`,
 * started by `hindcast run -m MACHINE -n TASKS`, on one that has MPL).
 *
 * The tasks of a partition are numbered from 0. A message has a type, 0 to 2147483647; a receive takes the first that
 * comes of its type and source. Wrong arguments end the run with a line that says what is wrong, so that a call that
 * returns an int for that returns 0. */
#ifndef MPL_H
#define MPL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPL_FUNCTION __attribute__((visibility("default")))

/* --- tasks --- */

MPL_FUNCTION int mpc_environ(int* numtask, int* taskid);
/* qtype 3: nbuf has what stands for any source or type, for all messages, for no task and for the group of all tasks
 * (nelem is 4). What stands for no task is for a program's own tables, where a neighbour lacks: no call takes it as a
 * destination or a source. qtype 2: the least and the largest type (nelem is 2). */
MPL_FUNCTION int mpc_task_query(int* nbuf, int nelem, int qtype);
MPL_FUNCTION int mpc_stopall(int errcode); /* ends the run */

/* --- messages of two tasks --- */

/* Return when the program may use its memory again. */
MPL_FUNCTION int mpc_bsend(const void* outmsg, size_t msglen, int dest, int type);
/* *source and *type say what to receive, and then what was. */
MPL_FUNCTION int mpc_brecv(void* inmsg, size_t msglen, int* source, int* type, int* nbytes);
MPL_FUNCTION int mpc_bsendrecv(const void* outmsg, size_t outlen, int dest, int type, void* inmsg, size_t inlen,
                               int* source, int* nbytes);

/* Return at once; the id is that of the message until mpc_wait or mpc_status has said that it is over. *source and
 * *type of a receive are set then, so they must live as long. */
MPL_FUNCTION int mpc_send(const void* outmsg, size_t msglen, int dest, int type, int* msgid);
MPL_FUNCTION int mpc_recv(void* inmsg, size_t msglen, int* source, int* type, int* msgid);
/* Its bytes if it is over, else -1. */
MPL_FUNCTION int mpc_status(int msgid);
/* *msgid may stand for any message, and is set to the one that is over, or for all messages. */
MPL_FUNCTION int mpc_wait(int* msgid, int* nbytes);
/* Whether a message has come: *nbytes is -1 if not. */
MPL_FUNCTION int mpc_probe(int* source, int* type, int* nbytes);

/* --- groups: a call is made by all members, with the same length --- */

MPL_FUNCTION int mpc_group(int gsize, const int* glist, int label, int* gid);
/* Those of the parent who give the same label become a group, ordered by key. */
MPL_FUNCTION int mpc_partition(int parent_gid, int key, int label, int* gid);
MPL_FUNCTION int mpc_getlabel(int* label, int gid);
MPL_FUNCTION int mpc_getsize(int* gsize, int gid);
MPL_FUNCTION int mpc_getmembers(int* glist, int gid);
MPL_FUNCTION int mpc_getrank(int* rank, int taskid, int gid);
MPL_FUNCTION int mpc_gettaskid(int rank, int* taskid, int gid);

MPL_FUNCTION int mpc_sync(int gid);
MPL_FUNCTION int mpc_bcast(void* inoutmsg, size_t msglen, int source, int gid);
MPL_FUNCTION int mpc_gather(const void* outmsg, void* inmsg, size_t msglen, int dest, int gid);
MPL_FUNCTION int mpc_scatter(const void* outmsg, void* inmsg, size_t msglen, int source, int gid);
MPL_FUNCTION int mpc_concat(const void* outmsg, void* inmsg, size_t blklen, int gid);
MPL_FUNCTION int mpc_index(const void* outmsg, void* inmsg, size_t blklen, int gid);
/* To the task that is `step` ranks on. option 0: round the group; 1: not beyond its ends, where *inmsg stays. */
MPL_FUNCTION int mpc_shift(const void* outmsg, void* inmsg, size_t msglen, int step, int option, int gid);

/* out = in1 op in2, of *bytes bytes. */
typedef void (*mpc_function)(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION int mpc_reduce(const void* outmsg, void* inmsg, size_t msglen, int dest, mpc_function func, int gid);
MPL_FUNCTION int mpc_combine(const void* outmsg, void* inmsg, size_t msglen, mpc_function func, int gid);
MPL_FUNCTION int mpc_prefix(const void* outmsg, void* inmsg, size_t msglen, mpc_function func, int gid);

/* int, float and double: sum, product, largest, least. */
MPL_FUNCTION void i_vadd(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void i_vmul(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void i_vmax(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void i_vmin(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void s_vadd(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void s_vmul(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void s_vmax(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void s_vmin(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void d_vadd(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void d_vmul(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void d_vmax(const void* in1, const void* in2, void* out, int* bytes);
MPL_FUNCTION void d_vmin(const void* in1, const void* in2, void* out, int* bytes);

#ifdef __cplusplus
}
#endif

#endif
