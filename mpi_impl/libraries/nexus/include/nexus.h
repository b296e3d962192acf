/* Nexus: contexts, global pointers and remote service requests, after Nexus of 1995.
 *
 * Each rank is a context. A global pointer leads to an object of a context. A remote service request goes where a
 * global pointer leads, with a buffer of data, and runs a handler there. Threads, mutexes and conditions are those of
 * the rank. */
#ifndef HINDCAST_NEXUS_H
#define HINDCAST_NEXUS_H

#include <pthread.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NEXUS_FUNCTION __attribute__((visibility("default")))

typedef struct nexus_buffer* nexus_buffer_t;

/* May be copied, and sent in requests. Its parts are Nexus's own affair. */
typedef struct {
  int context;
  int method; /* 0: the one that Nexus chooses */
  void* address;
} nexus_global_pointer_t;

/* `address` is that of the object which the global pointer leads to. The buffer is freed when the handler returns. */
typedef void (*nexus_handler_function_t)(void* address, nexus_buffer_t buffer);
enum { NEXUS_NONTHREADED_HANDLER, NEXUS_THREADED_HANDLER };
typedef struct {
  nexus_handler_function_t function;
  int type;
} nexus_handler_t;

/* --- who is there --- */

NEXUS_FUNCTION int nexus_context(void);
NEXUS_FUNCTION int nexus_contexts(void);
/* The machines that contexts of this run are on, numbered from 0 on: which one a context is on; of each its name, how
 * many contexts it has, and how many processors, used or not. */
NEXUS_FUNCTION int nexus_machines(void);
NEXUS_FUNCTION int nexus_machine_of(int context);
NEXUS_FUNCTION const char* nexus_machine_name(int machine);
NEXUS_FUNCTION int nexus_machine_contexts(int machine);
NEXUS_FUNCTION int nexus_machine_processors(int machine);
/* What is known of a context's ways: the names of its methods with blanks between them, the first one preferred. They
 * are those of the resource database, if the run was started by one: the name of its file, or null. */
NEXUS_FUNCTION const char* nexus_context_methods(int context);
NEXUS_FUNCTION const char* nexus_resource_database(void);
/* Handlers have the numbers in which they are given, from 0 on. All contexts of a program register the same ones,
 * before requests come. */
NEXUS_FUNCTION void nexus_register_handlers(const nexus_handler_t* handlers, int count);

/* --- global pointers --- */

/* To an object of this context. */
NEXUS_FUNCTION void nexus_global_pointer(nexus_global_pointer_t* pointer, void* address);
/* To another context as a whole: its address is null. */
NEXUS_FUNCTION void nexus_context_pointer(nexus_global_pointer_t* pointer, int context);
NEXUS_FUNCTION int nexus_is_local(const nexus_global_pointer_t* pointer);
/* What an attached context is given: the global pointer that the other has left at the number. It fails, with a number
 * other than 0, if there is none there. */
NEXUS_FUNCTION void nexus_allow_attach(int number, const nexus_global_pointer_t* pointer);
NEXUS_FUNCTION void nexus_disallow_attach(int number);
NEXUS_FUNCTION int nexus_attach(int context, int number, nexus_global_pointer_t* pointer);

/* --- requests --- */

NEXUS_FUNCTION void nexus_init_remote_service_request(nexus_buffer_t* buffer, const nexus_global_pointer_t* pointer,
                                                      int handler);
/* The buffer is gone afterwards. */
NEXUS_FUNCTION void nexus_send_remote_service_request(nexus_buffer_t* buffer);
/* One pass over the methods: whether a request has been handled. */
NEXUS_FUNCTION int nexus_poll(void);

/* --- buffers --- */

NEXUS_FUNCTION size_t nexus_buffer_bytes(nexus_buffer_t buffer); /* that are left to be got, or have been put */
/* By a handler: the buffer is the program's, which frees it. */
NEXUS_FUNCTION nexus_buffer_t nexus_keep_buffer(nexus_buffer_t buffer);
NEXUS_FUNCTION void nexus_free_buffer(nexus_buffer_t* buffer);
NEXUS_FUNCTION void nexus_put_bytes(nexus_buffer_t buffer, const void* data, size_t count, size_t size);
NEXUS_FUNCTION void nexus_get_bytes(nexus_buffer_t buffer, void* data, size_t count, size_t size);

#define NEXUS_ELEMENTS(name, type)                                                              \
  static inline void nexus_put_##name(nexus_buffer_t* buffer, const type* data, size_t count) { \
    nexus_put_bytes(*buffer, data, count, sizeof(type));                                        \
  }                                                                                             \
  static inline void nexus_get_##name(nexus_buffer_t* buffer, type* data, size_t count) {       \
    nexus_get_bytes(*buffer, data, count, sizeof(type));                                        \
  }                                                                                             \
  static inline size_t nexus_sizeof_##name(size_t count) { return count * sizeof(type); }
NEXUS_ELEMENTS(byte, unsigned char)
NEXUS_ELEMENTS(char, char)
NEXUS_ELEMENTS(u_char, unsigned char)
NEXUS_ELEMENTS(short, short)
NEXUS_ELEMENTS(u_short, unsigned short)
NEXUS_ELEMENTS(int, int)
NEXUS_ELEMENTS(u_int, unsigned int)
NEXUS_ELEMENTS(long, long)
NEXUS_ELEMENTS(u_long, unsigned long)
NEXUS_ELEMENTS(float, float)
NEXUS_ELEMENTS(double, double)
NEXUS_ELEMENTS(global_pointer, nexus_global_pointer_t)
#undef NEXUS_ELEMENTS

/* --- methods --- */

/* The name of the one that requests go by, "local" inside a context; it lasts as long as the run. */
NEXUS_FUNCTION const char* nexus_method(const nexus_global_pointer_t* pointer);
/* Of a context: a descriptor for each of its methods, the first one preferred. `place` is what others need to know in
 * order to reach it so; both texts last as long as the run. */
typedef struct {
  const char* method;
  const char* place;
  int leads_there; /* from the caller: requests go by the first that does, unless another is set */
} nexus_descriptor_t;
/* Those of the context that the global pointer leads to, as many as there is room for. How many there are. */
NEXUS_FUNCTION int nexus_descriptors(const nexus_global_pointer_t* pointer, nexus_descriptor_t* descriptors, int room);
/* This context's requests go by this one from now on, or by the one that Nexus chooses if it is null. It fails, and
 * changes nothing, if it does not lead there. Another context, which is sent the global pointer, has its own methods:
 * there Nexus chooses. */
NEXUS_FUNCTION int nexus_set_method(nexus_global_pointer_t* pointer, const char* method);
/* The method is polled in every so-many-th pass. It fails if this context has no such method. */
NEXUS_FUNCTION int nexus_set_skip(const char* method, int every);
NEXUS_FUNCTION int nexus_skip(const char* method);
/* Of connections by this method that are made from now on. */
NEXUS_FUNCTION int nexus_set_buffer_bytes(const char* method, long bytes);

/* --- threads --- */

typedef pthread_t nexus_thread_t;
typedef pthread_mutex_t nexus_mutex_t;
typedef struct {
  unsigned long waiting, signalled; /* how often, so far */
} nexus_cond_t;

static inline int nexus_thread_create(nexus_thread_t* thread, void* (*function)(void*), void* argument) {
  return pthread_create(thread, NULL, function, argument);
}
static inline int nexus_thread_join(nexus_thread_t thread) { return pthread_join(thread, NULL); }
static inline nexus_thread_t nexus_thread_self(void) { return pthread_self(); }
static inline void nexus_mutex_init(nexus_mutex_t* mutex) { pthread_mutex_init(mutex, NULL); }
static inline void nexus_mutex_lock(nexus_mutex_t* mutex) { pthread_mutex_lock(mutex); }
static inline void nexus_mutex_unlock(nexus_mutex_t* mutex) { pthread_mutex_unlock(mutex); }
static inline void nexus_mutex_destroy(nexus_mutex_t* mutex) { pthread_mutex_destroy(mutex); }
static inline void nexus_cond_init(nexus_cond_t* condition) { condition->waiting = condition->signalled = 0; }
NEXUS_FUNCTION void nexus_cond_wait_for(nexus_cond_t* condition, unsigned long turn);
NEXUS_FUNCTION void nexus_cond_signal(nexus_cond_t* condition);
NEXUS_FUNCTION void nexus_cond_broadcast(nexus_cond_t* condition);
/* Who waits works on the requests that come meanwhile. */
static inline void nexus_cond_wait(nexus_cond_t* condition, nexus_mutex_t* mutex) {
  const unsigned long turn = ++condition->waiting;
  nexus_mutex_unlock(mutex);
  nexus_cond_wait_for(condition, turn);
  nexus_mutex_lock(mutex);
}

#ifdef __cplusplus
}
#endif
#endif
