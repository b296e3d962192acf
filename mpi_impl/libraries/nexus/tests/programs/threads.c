/* What one thread of a context does while another waits or polls: each of them goes on.   threads SCENARIO, on 2
 * contexts */
#include <nexus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT, LARGE_BYTES = 60000, ATTACHED = 7, LOOKERS = 3, TIMES = 20 };

static nexus_mutex_t mutex;
static nexus_cond_t condition;
static int counted, attached, object;

static void count(int* what) {
  nexus_mutex_lock(&mutex);
  ++*what;
  nexus_cond_broadcast(&condition);
  nexus_mutex_unlock(&mutex);
}

static void wait_for(const int* what, int wanted) {
  nexus_mutex_lock(&mutex);
  while (*what < wanted) nexus_cond_wait(&condition, &mutex);
  nexus_mutex_unlock(&mutex);
}

static void handle(void* address, nexus_buffer_t buffer) {
  (void)address;
  (void)buffer;
  count(&counted);
}

static void request(int context, const char* method, size_t bytes) {
  nexus_global_pointer_t pointer;
  nexus_buffer_t buffer;
  nexus_context_pointer(&pointer, context);
  if (method != NULL) nexus_set_method(&pointer, method);
  nexus_init_remote_service_request(&buffer, &pointer, COUNT);
  char* data = calloc(bytes + 1, 1);
  nexus_put_char(&buffer, data, bytes);
  free(data);
  nexus_send_remote_service_request(&buffer);
}

static void* send_to_own_context(void* unused) {
  request(nexus_context(), NULL, 10);
  return unused;
}

static void* send_more_than_there_is_room_for(void* unused) {
  request(1 - nexus_context(), "tcp", LARGE_BYTES);
  return unused;
}

static void* attach(void* unused) {
  nexus_global_pointer_t pointer;
  for (int i = 0; i < TIMES; ++i)
    if (nexus_attach(1 - nexus_context(), ATTACHED, &pointer) == 0 && !nexus_is_local(&pointer)) count(&attached);
  return unused;
}

static nexus_thread_t threads[LOOKERS];
static void begin(int count, void* (*function)(void*)) {
  for (int i = 0; i < count; ++i) nexus_thread_create(&threads[i], function, NULL);
}
static void join(int count) {
  for (int i = 0; i < count; ++i) nexus_thread_join(threads[i]);
}

/* Context 0 does it, and nothing comes from the other but what it has asked for. */
static void run(const char* scenario) {
  if (strcmp(scenario, "own") == 0) {
    begin(1, send_to_own_context);
    wait_for(&counted, 1);
    join(1);
  } else if (strcmp(scenario, "no_room") == 0) {
    begin(1, send_more_than_there_is_room_for);
    wait_for(&counted, 1);
    join(1);
  } else if (strcmp(scenario, "answer") == 0) {
    begin(1, attach);
    wait_for(&attached, TIMES);
    join(1);
  } else { /* turns */
    begin(LOOKERS, attach);
    while (attached < LOOKERS * TIMES) nexus_poll();
    join(LOOKERS);
  }
}

int main(int argc, char** argv) {
  const char* scenario = argc > 1 ? argv[1] : "";
  static const nexus_handler_t handlers[] = {{handle, NEXUS_NONTHREADED_HANDLER}};
  nexus_register_handlers(handlers, 1);
  nexus_mutex_init(&mutex);
  nexus_cond_init(&condition);
  nexus_global_pointer_t left;
  nexus_global_pointer(&left, &object);
  nexus_allow_attach(ATTACHED, &left);
  if (nexus_context() == 0) {
    run(scenario);
    request(1, NULL, 0);
    printf("%s: goes on\n", scenario);
    return 0;
  }
  int expected = 1;
  if (strcmp(scenario, "no_room") == 0) {
    usleep(10000);
    request(0, "tcp", 10);
    usleep(10000);
    expected = 2;
  }
  wait_for(&counted, expected);
  return 0;
}
