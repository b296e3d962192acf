/* TCP between the ranks of a run, by calls after those of Berkeley's sockets.
 *
 * A host is a rank, by its number among all ranks. A socket is a small number that means something to its own rank.
 * Calls that cannot do what they are told return TCP_FAILED; a call with an argument that is wrong ends the run with a
 * line. */
#ifndef HINDCAST_TCP_H
#define HINDCAST_TCP_H

#ifdef __cplusplus
extern "C" {
#endif

#define HINDCAST_TCP_CALL __attribute__((visibility("default")))

#define TCP_FAILED (-1)
#define TCP_FOREVER (-1.0)

HINDCAST_TCP_CALL int tcp_host(void);
HINDCAST_TCP_CALL int tcp_hosts(void);

/* A socket, with buffers of the system's usual size; another size may be set until it is connected. A socket that
 * tcp_accept returns has those of the one that listens. */
HINDCAST_TCP_CALL int tcp_socket(void);
HINDCAST_TCP_CALL void tcp_set_buffer(int socket, long bytes);
HINDCAST_TCP_CALL long tcp_buffer(int socket);

/* Waits for connections at a port of this host: 0, or TCP_FAILED if another socket does. */
HINDCAST_TCP_CALL int tcp_listen(int socket, int port);
/* 0, or TCP_FAILED if nobody listens there, or answers. */
HINDCAST_TCP_CALL int tcp_connect(int socket, int host, int port);
/* A socket of the next connection; `host` may be null. */
HINDCAST_TCP_CALL int tcp_accept(int socket, int* host);

/* Returns when all bytes are in the system's buffer: `bytes`, or TCP_FAILED if the other side has closed, or the way
 * has failed and the system has given up. */
HINDCAST_TCP_CALL long tcp_send(int socket, const void* data, long bytes);
/* Waits until something is there: how many bytes it has given, or 0 at the end of what the other side sends, or
 * TCP_FAILED if the way has failed and the system has given up. */
HINDCAST_TCP_CALL long tcp_recv(int socket, void* data, long room);
/* Which of `count` sockets have something to be received or accepted: sets is_ready[i] to 1 or 0 and returns how many
 * do. Waits until one has, but no longer than so many seconds. */
HINDCAST_TCP_CALL int tcp_select(int count, const int* sockets, int* is_ready, double seconds);
HINDCAST_TCP_CALL void tcp_close(int socket);

#ifdef __cplusplus
}
#endif
#endif
