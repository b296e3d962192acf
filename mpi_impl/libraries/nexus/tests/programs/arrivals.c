/* Every context sends context 0 requests, and begins somewhat later than the one before: context 0 tells when it has
 * handled them. */
#include <nexus.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { LATER_US = 3050, BETWEEN_US = 700, EACH = 8 };
static int handled;
static nexus_mutex_t mutex;
static nexus_cond_t condition;

static void handle(void* address, nexus_buffer_t buffer) {
  (void)address;
  int from;
  struct timespec now;
  nexus_get_int(&buffer, &from, 1);
  clock_gettime(CLOCK_MONOTONIC, &now);
  printf("%d at %ld ns\n", from, now.tv_nsec);
  ++handled;
  nexus_cond_signal(&condition);
}

int main(void) {
  static const nexus_handler_t handlers[] = {{handle, NEXUS_NONTHREADED_HANDLER}};
  nexus_register_handlers(handlers, 1);
  const int self = nexus_context();
  if (self == 0) {
    nexus_mutex_init(&mutex);
    nexus_cond_init(&condition);
    nexus_mutex_lock(&mutex);
    while (handled < EACH * (nexus_contexts() - 1)) nexus_cond_wait(&condition, &mutex);
    nexus_mutex_unlock(&mutex);
    return 0;
  }
  usleep(self * LATER_US);
  nexus_global_pointer_t pointer;
  nexus_context_pointer(&pointer, 0);
  for (int i = 0; i < EACH; ++i) {
    nexus_buffer_t buffer;
    nexus_init_remote_service_request(&buffer, &pointer, 0);
    nexus_put_int(&buffer, &self, 1);
    nexus_send_remote_service_request(&buffer);
    usleep(BETWEEN_US);
  }
  return 0;
}
