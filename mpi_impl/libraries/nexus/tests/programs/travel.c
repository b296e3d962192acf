/* Context 0 sends all the others a global pointer to context 1 for which it has chosen the method MPL: each of them
 * tells by what its own requests go there, and sends one. */
#include <nexus.h>
#include <stdio.h>
#include <string.h>

enum { TAKE, COUNT };
static nexus_global_pointer_t pointer;
static int has_come, counted;

static void take(void* address, nexus_buffer_t buffer) {
  (void)address;
  nexus_get_global_pointer(&buffer, &pointer, 1);
  has_come = 1;
}
static void count(void* address, nexus_buffer_t buffer) {
  (void)address;
  (void)buffer;
  ++counted;
}

static void send_to_others(void) {
  nexus_context_pointer(&pointer, 1);
  nexus_set_method(&pointer, "mpl");
  if (nexus_set_method(&pointer, "heliograph") == 0) return;
  printf("0 by %s\n", nexus_method(&pointer));
  for (int i = 1; i < nexus_contexts(); ++i) {
    nexus_global_pointer_t to;
    nexus_buffer_t buffer;
    nexus_context_pointer(&to, i);
    nexus_init_remote_service_request(&buffer, &to, TAKE);
    nexus_put_global_pointer(&buffer, &pointer, 1);
    nexus_send_remote_service_request(&buffer);
  }
}

int main(void) {
  static const nexus_handler_t handlers[] = {{take, NEXUS_NONTHREADED_HANDLER}, {count, NEXUS_NONTHREADED_HANDLER}};
  nexus_register_handlers(handlers, 2);
  if (nexus_context() == 0) {
    send_to_others();
    return 0;
  }
  while (!has_come) nexus_poll();
  printf("%d by %s\n", nexus_context(), nexus_method(&pointer));
  nexus_buffer_t buffer;
  nexus_init_remote_service_request(&buffer, &pointer, COUNT);
  nexus_send_remote_service_request(&buffer);
  if (nexus_context() == 1)
    while (counted < nexus_contexts() - 1) nexus_poll();
  return 0;
}
