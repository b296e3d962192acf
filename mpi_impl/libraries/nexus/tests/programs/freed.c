/* A handler frees its buffer before it ends, and meanwhile another one has begun, whose buffer stays its own. */
#include <nexus.h>
#include <stdio.h>
#include <unistd.h>

enum { FREE, GET };
static int has_begun, got;

static void free_it(void* address, nexus_buffer_t buffer) {
  (void)address;
  nexus_free_buffer(&buffer);
  while (!has_begun) usleep(10);
}
static void get_late(void* address, nexus_buffer_t buffer) {
  (void)address;
  has_begun = 1;
  usleep(1000);
  nexus_get_int(&buffer, &got, 1);
}

int main(void) {
  static const nexus_handler_t handlers[] = {{free_it, NEXUS_THREADED_HANDLER}, {get_late, NEXUS_THREADED_HANDLER}};
  nexus_register_handlers(handlers, 2);
  nexus_global_pointer_t self;
  nexus_context_pointer(&self, nexus_context());
  for (int handler = FREE; handler <= GET; ++handler) {
    const int value = 41 + handler;
    nexus_buffer_t buffer;
    nexus_init_remote_service_request(&buffer, &self, handler);
    nexus_put_int(&buffer, &value, 1);
    nexus_send_remote_service_request(&buffer);
    nexus_poll();
    usleep(100);
  }
  usleep(5000);
  printf("got %d\n", got);
  return 0;
}
