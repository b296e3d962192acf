/* CellOS, the operating system of the Fujitsu AP1000's cells, as far as it passes messages: for programs of their own
 * (built by `hindcast cc`, started by `hindcast run -m ap1000 -n CELLS`), and what MPI on that machine is made of.
 *
 * The program is started on every cell, without a host: cell n is rank n. Functions are named as the papers name them;
 * their arguments are hindcast's own. Wrong arguments end the run with a line that says what is wrong. */
#ifndef CELLOS_H
#define CELLOS_H

#ifdef __cplusplus
extern "C" {
#endif

#define CELLOS_FUNCTION __attribute__((visibility("default")))

/* Types are 0 to UMTYPE_MAX - 1. */
#define UMTYPE_MAX 65536
/* For a receive or a probe: of any type, from any cell. */
#define L_ANY (-1)

/* What is known of a message. */
typedef struct l_message {
  int cell; /* that sent it */
  int type;
  int bytes; /* of its data */
} l_message;

CELLOS_FUNCTION int l_cellid(void);
CELLOS_FUNCTION int l_ncells(void);
CELLOS_FUNCTION double l_clock(void); /* in seconds */

/* Sends; returns when the program may use `data` again, whether or not anybody waits for the message. */
CELLOS_FUNCTION void l_asend(int cell, int type, const void* data, int bytes);
/* Receives the first message of this type from this cell, and waits for it if there is none. Copies at most `room`
 * bytes to `data`; returns how many bytes the message has. `message` may be null. */
CELLOS_FUNCTION int l_arecv(int cell, int type, void* data, int room, l_message* message);
/* 1 if l_arecv would find a message, and which; else 0. */
CELLOS_FUNCTION int l_aprobe(int cell, int type, l_message* message);

/* The domains package: the same, where only messages of the same domain meet. */
CELLOS_FUNCTION void dl_asend(unsigned domain, int cell, int type, const void* data, int bytes);
CELLOS_FUNCTION int dl_arecv(unsigned domain, int cell, int type, void* data, int room, l_message* message);
CELLOS_FUNCTION int dl_aprobe(unsigned domain, int cell, int type, l_message* message);

/* A cell receives in the domains that it has registered, 300 at most at a time; what arrives in others is discarded.
 * register_domain returns -1 if there are too many, deregister_domain if the domain is not registered; else 0. */
CELLOS_FUNCTION int register_domain(unsigned domain);
CELLOS_FUNCTION int deregister_domain(unsigned domain);

#ifdef __cplusplus
}
#endif

#endif
