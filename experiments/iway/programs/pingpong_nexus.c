/* Remote service requests back and forth between two contexts; half a round, mean of 100. The argument is how many
 * bytes a request has, which its sender puts into a buffer and its handler leaves there. */
#include <nexus.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

enum { ROUNDS = 100 };

static nexus_mutex_t mutex;
static nexus_cond_t condition;
static int arrived = 0;

static void ping(void* address, nexus_buffer_t buffer) {
  (void)address;
  (void)buffer;
  nexus_mutex_lock(&mutex);
  ++arrived;
  nexus_cond_signal(&condition);
  nexus_mutex_unlock(&mutex);
}

static void await(int count) {
  nexus_mutex_lock(&mutex);
  while (arrived < count) nexus_cond_wait(&condition, &mutex);
  nexus_mutex_unlock(&mutex);
}

static void send_to(const nexus_global_pointer_t* other, const char* data, size_t bytes) {
  nexus_buffer_t buffer;
  nexus_init_remote_service_request(&buffer, other, 0);
  nexus_put_char(&buffer, data, bytes);
  nexus_send_remote_service_request(&buffer);
}

int main(int argc, char** argv) {
  const nexus_handler_t handlers[] = {{ping, NEXUS_NONTHREADED_HANDLER}};
  const size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  char* data = calloc(bytes + 1, 1);
  const int self = nexus_context();
  nexus_global_pointer_t other;
  nexus_mutex_init(&mutex);
  nexus_cond_init(&condition);
  nexus_register_handlers(handlers, 1);
  nexus_context_pointer(&other, 1 - self);
  double start = 0;
  for (int round = 0; round <= ROUNDS; ++round) { /* the first is not counted: connections are made in it */
    if (round == 1) start = now_us();
    if (self == 0) send_to(&other, data, bytes);
    await(round + 1);
    if (self == 1) send_to(&other, data, bytes);
  }
  if (self == 0) printf("bytes,time_us\n%zu,%.6f\n", bytes, (now_us() - start) / (2 * ROUNDS));
  free(data);
  return 0;
}
