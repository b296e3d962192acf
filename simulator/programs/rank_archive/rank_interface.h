/* Between libhindcast.so and the archive that hindcast-mpicc links into every program (libhindcast_rank.a).
 *
 * The archive holds what libc keeps once for a process, so that every rank has it for itself. What a rank shares with
 * the simulation (its clock, its output, its end) it asks of the library, by the functions below or the table of
 * library_calls.h, as it does what takes much code: every rank has the archive mapped. */
#ifndef HINDCAST_RANK_INTERFACE_H
#define HINDCAST_RANK_INTERFACE_H

#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HINDCAST_EXPORTED __attribute__((visibility("default")))

/* error and its kin: the program's variables, and what error_at_line has been told of last. */
struct hindcast_complaints {
  unsigned* count; /* error_message_count, error_one_per_line, error_print_progname */
  const int* one_per_line;
  void (**print_name)(void);
  const char* last_file;
  unsigned last_line;
};

/* What the library has to find in a program: its symbol `hindcast_program`. */
struct hindcast_program {
  uint32_t version;
  int (*main)(int, char**, char**);
  char*** environment;    /* the program's `environ` */
  char** invocation_name; /* `program_invocation_name` */
  char** invocation_short_name;
  char* is_single_threaded; /* the program's `__libc_single_threaded` */
  void (*exit)(int);        /* runs the program's handlers, then leaves */
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
  int (*has_handler)(int);                /* whether the program has one of its own for a signal */
  int (*deliver_signal)(int, siginfo_t*); /* to that handler; 0 if it has none */
  int (*raise_signal)(int, siginfo_t*);   /* the same, or what happens by default */
  void (*leave_thread)(void*);            /* pthread_exit */
  struct hindcast_complaints* complaints;
};
#define HINDCAST_PROGRAM_VERSION 8U

/* What a signal has done to a call in which it has come: nothing; the call goes on after a handler with SA_RESTART, if
 * it is one that does; or it does not. */
enum hindcast_signal_effect { hindcast_signal_ignored = 1, hindcast_signal_restarts, hindcast_signal_interrupts };

/* When every run begins, on the calendar: 1 January 2000, 00:00 UTC. */
#define HINDCAST_EPOCH_S 946684800LL

/* The program's way out: back to the rank's first frame. */
HINDCAST_EXPORTED void hindcast_rank_leave(int status) __attribute__((noreturn));
/* The functions that run after main, those that exit() runs last. */
HINDCAST_EXPORTED void hindcast_rank_run_finalisers(void);
/* A signal that the program does not handle ends the rank. */
HINDCAST_EXPORTED void hindcast_rank_die(int signal) __attribute__((noreturn));
/* Whether a signal that the calling thread raises, or sends to the whole program, is not for it to handle now: the
 * thread blocks it, or another gets it. */
HINDCAST_EXPORTED int hindcast_rank_puts_off_signal(int signal, const siginfo_t* info, int is_for_any_thread);

/* Where the stack ends on which the program's handler is to run when the rank's own has overflowed; null: nowhere. */
HINDCAST_EXPORTED void hindcast_rank_handles_overflow_on(void* end_of_stack);

/* Descriptors, of which 0, 1 and 2, and copies of them, stand for what is the rank's. Each does as the call of that
 * name, and none waits in the system for another rank. */
HINDCAST_EXPORTED ssize_t hindcast_rank_write(int descriptor, const void* data, size_t bytes);
HINDCAST_EXPORTED ssize_t hindcast_rank_read(int descriptor, void* data, size_t bytes);
HINDCAST_EXPORTED int hindcast_rank_close(int descriptor);
/* To the lowest number that is free, from `least` on. */
HINDCAST_EXPORTED int hindcast_rank_copy(int descriptor, int least, int flags);
HINDCAST_EXPORTED int hindcast_rank_copy_to(int descriptor, int copy, int flags);
HINDCAST_EXPORTED FILE* hindcast_rank_open_stream(int descriptor, const char* mode);
/* Of a stream that is the rank's, and which libc does not know a descriptor of; -1: it is none. */
HINDCAST_EXPORTED int hindcast_rank_descriptor_of(FILE* stream);
/* freopen, which for the rank's standard streams is a redirection. */
HINDCAST_EXPORTED FILE* hindcast_rank_reopen(const char* path, const char* mode, FILE* stream);

/* The rank's number among processes. */
int hindcast_rank_process(void);
/* As system and popen, of this environment. */
HINDCAST_EXPORTED int hindcast_rank_system(char** environment, const char* command);
HINDCAST_EXPORTED FILE* hindcast_rank_popen(char** environment, const char* command, const char* mode);
/* As posix_spawn, or as posix_spawnp. */
HINDCAST_EXPORTED int hindcast_rank_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                                          const posix_spawnattr_t* attributes, char* const words[],
                                          char* const environment[]);
HINDCAST_EXPORTED int hindcast_rank_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                                           const posix_spawnattr_t* attributes, char* const words[],
                                           char* const environment[]);
/* What this computer knows a host by: a node of the simulated machine is this computer. */
HINDCAST_EXPORTED const char* hindcast_rank_known_host(const char* name);

/* The calls of library_calls.h, in the order in which they stand there. */
typedef void (*hindcast_library_call)(void);
HINDCAST_EXPORTED extern const hindcast_library_call hindcast_library_calls[];

/* The same of openmp_calls.h, in an archive of its own. */
HINDCAST_EXPORTED extern const hindcast_library_call hindcast_openmp_calls[];

/* The calling thread begins to leave its program: what is still to be done on its stack, and memory for an exception.
 * When that is done it has left, and its first frame goes on. */
struct hindcast_unwinding {
  void** cleanups; /* the last handler of pthread_cleanup_push */
  void* exception;
};
HINDCAST_EXPORTED struct hindcast_unwinding hindcast_thread_leaves(void* result);
HINDCAST_EXPORTED struct hindcast_unwinding hindcast_thread_goes_on_leaving(void);
HINDCAST_EXPORTED void hindcast_thread_has_left(void) __attribute__((noreturn));
HINDCAST_EXPORTED void** hindcast_thread_cleanups(void);
/* The destructor of a thread-local variable, and something of the library whose it is; 0: of the main thread's, which
 * are run by exit(). */
HINDCAST_EXPORTED int hindcast_thread_at_exit(void (*function)(void*), void* argument, const void* object);

/* getopt and its kin: the program's variables, what is remembered from call to call, and a call. */
struct hindcast_option_state {
  char** argument; /* optarg, optind, opterr, optopt */
  int* index;
  const int* errors;
  int* letter;
  char* next_letter; /* in a word of several options, what is left of it */
  int first_other;   /* words [first_other, last_other) are no options, and were passed over */
  int last_other;
  int has_started;
};
struct option;
struct hindcast_option_call {
  int argc;
  char** argv;
  const char* letters;
  const struct option* names; /* null for getopt */
  int* name_index;
  int one_dash_will_do; /* for a long name */
  int posixly_correct;
};
HINDCAST_EXPORTED int hindcast_rank_next_option(struct hindcast_option_state* state,
                                                const struct hindcast_option_call* call);

/* argp_parse: the program's variables, and a call. */
struct argp;
struct argp_state;
struct hindcast_argument_variables {
  const char* version;
  const char* bug_address;
  void (*version_hook)(FILE*, struct argp_state*);
  int error_status;
};
HINDCAST_EXPORTED int hindcast_rank_parse_arguments(const struct hindcast_argument_variables* variables,
                                                    const struct argp* parser, int argc, char** argv, unsigned flags,
                                                    int* index, void* input);

/* A program that is started by itself becomes a run of one rank. */
HINDCAST_EXPORTED void hindcast_rank_start_alone(int argc, char** argv) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif

#endif
