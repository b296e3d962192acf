/* Requests back and forth between two contexts, of so many bytes, by conditions and handlers. Prints the mean one-way
 * time in us. Arguments: bytes, rounds, method or "-". */
#include <nexus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static nexus_mutex_t mutex;
static nexus_cond_t condition;
static int arrived = 0;
static long got = 0;

static void ping(void* address, nexus_buffer_t buffer) {
  (void)address;
  got = (long)nexus_buffer_bytes(buffer);
  nexus_mutex_lock(&mutex);
  ++arrived;
  nexus_cond_signal(&condition);
  nexus_mutex_unlock(&mutex);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec * 1e-3;
}

static void await(int count) {
  nexus_mutex_lock(&mutex);
  while (arrived < count) nexus_cond_wait(&condition, &mutex);
  nexus_mutex_unlock(&mutex);
}

static nexus_global_pointer_t other;
static char* data;
static long bytes;

static void send(void) {
  nexus_buffer_t buffer;
  nexus_init_remote_service_request(&buffer, &other, 0);
  nexus_put_char(&buffer, data, bytes);
  nexus_send_remote_service_request(&buffer);
}

int main(int count, char** arguments) {
  bytes = count > 1 ? atol(arguments[1]) : 0;
  const int rounds = count > 2 ? atoi(arguments[2]) : 10;
  const nexus_handler_t handlers[] = {{ping, NEXUS_NONTHREADED_HANDLER}};
  data = calloc(bytes + 1, 1);
  nexus_mutex_init(&mutex);
  nexus_cond_init(&condition);
  nexus_register_handlers(handlers, 1);
  nexus_context_pointer(&other, 1 - nexus_context());
  if (count > 3 && strcmp(arguments[3], "-") != 0 && nexus_set_method(&other, arguments[3]) != 0) return 3;
  double start = 0;
  for (int round = -1; round < rounds; ++round) {
    if (round == 0) start = now();
    if (nexus_context() == 0) send();
    await(round + 2);
    if (got != bytes) return 2;
    if (nexus_context() == 1) send();
  }
  if (nexus_context() == 0) printf("%s one way %.3f\n", nexus_method(&other), (now() - start) / rounds / 2);
  return 0;
}
