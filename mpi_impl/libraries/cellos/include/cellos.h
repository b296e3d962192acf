/* CellOS, the operating system of the Fujitsu AP1000's cells, as far as it passes messages: for programs of their own
 * (built by `hindcast cc`, started by `hindcast run -m ap1000 -n CELLS`), and what MPI on that machine is made of.
 *
 * The program is started on every cell: cell n is rank n. With `--host` it is also started on the host, which is rank 0
 * then and the cell L_HOST; cell n is rank n + 1. Functions are named as the papers name them; their arguments are
 * hindcast's own. Wrong arguments end the run with a line that says what is wrong. */
#ifndef CELLOS_H
#define CELLOS_H

#ifdef __cplusplus
extern "C" {
#endif

#define CELLOS_FUNCTION __attribute__((visibility("default")))
#ifdef __cplusplus
#define CELLOS_NOTHROW noexcept
#else
#define CELLOS_NOTHROW
#endif

/* Types are 0 to UMTYPE_MAX - 1. */
#define UMTYPE_MAX 65536
/* For a receive or a probe: of any type, from any cell. */
#define L_ANY (-1)
/* The host, for messages from and to it. */
#define L_HOST 0x1000

/* What is known of a message. */
typedef struct l_message {
  int cell; /* that sent it */
  int type;
  int bytes; /* of its data */
} l_message;

CELLOS_FUNCTION int l_cellid(void);
CELLOS_FUNCTION int l_ncells(void);   /* without the host */
CELLOS_FUNCTION double l_clock(void); /* in seconds */

/* Sends; returns when the program may use `data` again, whether or not anybody waits for the message. */
CELLOS_FUNCTION void l_asend(int cell, int type, const void* data, int bytes);
/* Receives the first message of this type from this cell, and waits for it if there is none. Copies at most `room`
 * bytes to `data`; returns how many bytes the message has. `message` may be null. */
CELLOS_FUNCTION int l_arecv(int cell, int type, void* data, int room, l_message* message);
/* 1 if l_arecv would find a message, and which; else 0. */
CELLOS_FUNCTION int l_aprobe(int cell, int type, l_message* message);

/* The same, but of the message's data only what comes from `offset` on is copied, and paid for. */
CELLOS_FUNCTION int l_arecv_part(int cell, int type, int offset, void* data, int room, l_message* message);

/* Broadcasts to all other cells, who receive it as any message from this cell, or from the host. Returns when the
 * program may use `data` again. */
CELLOS_FUNCTION void cbroad(int type, const void* data, int bytes);

/* The domains package: the same, where only messages of the same domain meet. */
CELLOS_FUNCTION void dl_asend(unsigned domain, int cell, int type, const void* data, int bytes);
CELLOS_FUNCTION int dl_arecv(unsigned domain, int cell, int type, void* data, int room, l_message* message);
CELLOS_FUNCTION int dl_aprobe(unsigned domain, int cell, int type, l_message* message);

CELLOS_FUNCTION int dl_arecv_part(unsigned domain, int cell, int type, int offset, void* data, int room,
                                  l_message* message);
/* To all other cells that have registered the domain, and to the host if it has. */
CELLOS_FUNCTION void dcbroad(unsigned domain, int type, const void* data, int bytes);

/* A cell receives in the domains that it has registered, 300 at most at a time; what arrives in others is discarded.
 * register_domain returns -1 if there are too many, deregister_domain if the domain is not registered; else 0. */
CELLOS_FUNCTION int register_domain(unsigned domain);
CELLOS_FUNCTION int deregister_domain(unsigned domain);

/* Data in memory: `items` items of `bytes` bytes, the next one begins `stride` bytes behind the one before. */
typedef struct l_items {
  int items;
  int bytes;
  int stride;
} l_items;
/* Between this cell's memory and the memory `there` of another cell, which makes no call for it; items here and there
 * may be cut differently. Returns at once. When the data is where it was to be, *flag is one more than before; until
 * then `here` must not be changed (put) or looked at (get). `there` is an address that the other cell has told. */
CELLOS_FUNCTION void put(int cell, void* there, l_items there_as, const void* here, l_items here_as,
                         int* flag) __asm__("cellos_put");
CELLOS_FUNCTION void get(int cell, const void* there, l_items there_as, void* here, l_items here_as,
                         int* flag) __asm__("cellos_get");
/* Whether a flag that is raised so has reached a number, and until it has. */
CELLOS_FUNCTION int flag_test(const int* flag, int number);
CELLOS_FUNCTION void flag_wait(const int* flag, int number);

/* Of the other kernel, sys.anu; no source gives the names of its calls: these are hindcast's own. No data is copied.
 * striding_send sends the items at `data` as one message and returns at once; when the last byte is on the net, *flag
 * is one more than before, and until then `data` must not be changed. */
CELLOS_FUNCTION void l_striding_send(int cell, int type, const void* data, l_items data_as, int* flag);
CELLOS_FUNCTION void dl_striding_send(unsigned domain, int cell, int type, const void* data, l_items data_as,
                                      int* flag);
/* A receive that returns at once: the first message to come of this type from this cell goes straight to the items at
 * `data`, as far as there is room; one that is there already is copied by the call. When it is there, *flag is one more
 * than before, and *message, which may be null, says what is known of it. Receives, and pre-receives, take messages in
 * the order in which they were called. */
CELLOS_FUNCTION void l_pre_receive(int cell, int type, void* data, l_items data_as, l_message* message, int* flag);
CELLOS_FUNCTION void dl_pre_receive(unsigned domain, int cell, int type, void* data, l_items data_as,
                                    l_message* message, int* flag);

/* Returns when all cells have called it. It is not the C library's sync, whose name it shares. */
CELLOS_FUNCTION void sync(void) CELLOS_NOTHROW __asm__("cellos_sync");
/* The same of the host and all cells. */
CELLOS_FUNCTION void hsync(void);

/* The host's data is scattered over all cells, or gathered from them: the host and all cells call it, and all calls
 * return when the last byte is where it was to be. The host's block for cell 0 begins at `block`, that for cell n
 * n * `apart` bytes further on; of a cell, `block` is its own, and `apart` has no meaning. Items on the host and on a
 * cell may be cut differently, but are as many bytes. */
CELLOS_FUNCTION void h_sscatter(void* block, l_items block_as, int apart);
CELLOS_FUNCTION void h_rgather(void* block, l_items block_as, int apart);

/* One number of every cell, added up or compared; all cells call the same one, and all get the result. */
CELLOS_FUNCTION int xy_isum(int number);
CELLOS_FUNCTION int xy_imax(int number);
CELLOS_FUNCTION int xy_imin(int number);
CELLOS_FUNCTION float xy_fsum(float number);
CELLOS_FUNCTION float xy_fmax(float number);
CELLOS_FUNCTION float xy_fmin(float number);
CELLOS_FUNCTION double xy_dsum(double number);
CELLOS_FUNCTION double xy_dmax(double number);
CELLOS_FUNCTION double xy_dmin(double number);

#ifdef __cplusplus
}
#endif

#endif
