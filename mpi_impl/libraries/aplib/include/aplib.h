/* APlib, the Fujitsu AP3000's own message-passing library: for programs of their own (built by `hindcast cc`, started
 * by `hindcast run -m ap3000 -n CELLS`), with MPI or without.
 *
 * The program is started on every cell: cell n is rank n. Functions are named after those of the machine's forerunner,
 * as far as the paper names them; their arguments are hindcast's own. In the object file each has `aplib_` before its
 * name, since other libraries here have calls of the same names. Wrong arguments end the run with a line that says what
 * is wrong. */
#ifndef APLIB_H
#define APLIB_H

#ifdef __cplusplus
extern "C" {
#endif

#define APLIB_FUNCTION __attribute__((visibility("default")))
#ifdef __cplusplus
#define APLIB_NOTHROW noexcept
#else
#define APLIB_NOTHROW
#endif

/* For a receive or a probe: of any type, from any cell. Types are 0 to 2147483647. */
#define L_ANY (-1)

/* What is known of a message. */
typedef struct l_message {
  int cell; /* that sent it */
  int type;
  int bytes; /* of its data */
} l_message;

APLIB_FUNCTION int l_cellid(void) __asm__("aplib_l_cellid");
APLIB_FUNCTION int l_ncells(void) __asm__("aplib_l_ncells");
APLIB_FUNCTION double l_clock(void) __asm__("aplib_l_clock"); /* in seconds */

/* Sends; returns when the program may use `data` again, whether or not anybody waits for the message.
 * Not for messages of a megabyte or more: the machine crashes (aplib.crashes_from). */
APLIB_FUNCTION void l_asend(int cell, int type, const void* data, int bytes) __asm__("aplib_l_asend");
/* Receives the first message of this type from this cell, and waits for it if there is none. Copies at most `room`
 * bytes to `data`; returns how many bytes the message has. `message` may be null. */
APLIB_FUNCTION int l_arecv(int cell, int type, void* data, int room, l_message* message) __asm__("aplib_l_arecv");
/* 1 if l_arecv would find a message, and which; else 0. */
APLIB_FUNCTION int l_aprobe(int cell, int type, l_message* message) __asm__("aplib_l_aprobe");

/* The same, but they return at once with an id. `data` is the library's until l_wait or l_test has said that the
 * message is done; the id means nothing from then on. */
APLIB_FUNCTION int l_begin_send(int cell, int type, const void* data, int bytes) __asm__("aplib_l_begin_send");
APLIB_FUNCTION int l_begin_recv(int cell, int type, void* data, int room) __asm__("aplib_l_begin_recv");
/* Returns when it is done: how many bytes a message that was received has. For a send it gives 0, and leaves `message`
 * as it is. */
APLIB_FUNCTION int l_wait(int id, l_message* message) __asm__("aplib_l_wait");
/* 1 if it is done, else 0. */
APLIB_FUNCTION int l_test(int id, l_message* message) __asm__("aplib_l_test");

/* Sends to each other cell in turn, which receive it as any message from this cell. */
APLIB_FUNCTION void cbroad(int type, const void* data, int bytes) __asm__("aplib_cbroad");

/* Returns when all cells have called it. */
APLIB_FUNCTION void sync(void) APLIB_NOTHROW __asm__("aplib_sync");

/* Reductions, called by all cells: each gives a number, and all have the result in its place. APlib reduces single
 * numbers: a `count` other than 1 is refused. */
APLIB_FUNCTION void xy_isum(int* number, int count) __asm__("aplib_xy_isum");
APLIB_FUNCTION void xy_imax(int* number, int count) __asm__("aplib_xy_imax");
APLIB_FUNCTION void xy_imin(int* number, int count) __asm__("aplib_xy_imin");
APLIB_FUNCTION void xy_fsum(float* number, int count) __asm__("aplib_xy_fsum");
APLIB_FUNCTION void xy_fmax(float* number, int count) __asm__("aplib_xy_fmax");
APLIB_FUNCTION void xy_fmin(float* number, int count) __asm__("aplib_xy_fmin");
APLIB_FUNCTION void xy_dsum(double* number, int count) __asm__("aplib_xy_dsum");
APLIB_FUNCTION void xy_dmax(double* number, int count) __asm__("aplib_xy_dmax");
APLIB_FUNCTION void xy_dmin(double* number, int count) __asm__("aplib_xy_dmin");

#ifdef __cplusplus
}
#endif

#endif
